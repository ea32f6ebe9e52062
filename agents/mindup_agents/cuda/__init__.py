"""Network inputs for games on a GPU, which ``BatchEnv(..., device="cuda")`` plays."""

from mindup_agents.cuda.features import ENCODERS, CudaFeatures

__all__ = ["ENCODERS", "CudaFeatures"]

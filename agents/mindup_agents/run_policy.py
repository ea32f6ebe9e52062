"""The folder of a training run, which stands for its latest policy wherever bots are named."""

from pathlib import Path

POLICY_FILE = "policy.safetensors"


def policy_path(path: Path) -> Path:
    """A policy file itself, or that of a run."""
    return path / POLICY_FILE if path.is_dir() else path


def with_policy(spec: str) -> str:
    """A spec itself, or for the folder of a run that of its policy."""
    path = Path(spec) / POLICY_FILE
    return f"policy:{path}" if path.is_file() else spec

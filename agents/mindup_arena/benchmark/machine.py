"""What a result says about the machine that it was made on: speeds depend on it."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")
_LIBRARIES = "mindup-env", "numpy", "numba"


def describe_machine() -> dict[str, str]:
    """The processor, the cores and the versions."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "system": f"{platform.system()} on {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
    }


def processor() -> str:
    """Its model; on a system that does not tell, the kind of processor."""
    if _CPU_INFO.exists():
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            title, _, model = line.partition(":")
            if title.strip() == "model name":
                return model.strip()
    return platform.processor() or platform.machine() or "unknown"

"""Where games can be played besides the CPU: modules that entry points register.

A module in the group ``mindup_env.devices`` has the functions ``env_class``, ``find_problem`` and
``describe``, as ``mindup_env.cuda`` has them.
"""

from importlib.metadata import entry_points
from types import ModuleType

CPU = "cpu"

_DEVICES = "mindup_env.devices"


def list_devices() -> list[str]:
    """The names of the devices, the CPU first; not all of them can be used on every machine."""
    return [CPU, *sorted(entry.name for entry in entry_points(group=_DEVICES))]


def find_device(name: str) -> ModuleType:
    """The module of a device that is not the CPU."""
    for entry in entry_points(group=_DEVICES):
        if entry.name == name:
            device: ModuleType = entry.load()
            return device
    raise ValueError(f"unknown device {name!r}; available: {', '.join(list_devices())}")

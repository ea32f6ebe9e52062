"""Where games can be played besides the CPU: modules that entry points register.

A module in the group ``mindup_env.devices`` has the functions of ``Device``.
"""

from importlib.metadata import entry_points
from typing import Any, Protocol

CPU = "cpu"

_DEVICES = "mindup_env.devices"


class Device(Protocol):
    """A module that plays games on a device."""

    def env_class(self) -> type[Any]:
        """The subclass of ``BatchEnv`` for the device.

        Raises:
            ValueError: if the device cannot be used here; the text says why.
        """
        ...

    def find_problem(self) -> str | None:
        """Why the device cannot be used here; None if it can."""
        ...

    def describe(self) -> str:
        """The device and what drives it, in a line; only for a device without a problem."""
        ...


def list_devices() -> list[str]:
    """The names of the devices, the CPU first; not all of them can be used on every machine."""
    return [CPU, *sorted(entry.name for entry in entry_points(group=_DEVICES))]


def find_device(name: str) -> Device:
    """The module of a device that is not the CPU."""
    for entry in entry_points(group=_DEVICES):
        if entry.name == name:
            device: Device = entry.load()
            return device
    raise ValueError(f"unknown device {name!r}; available: {', '.join(list_devices())}")

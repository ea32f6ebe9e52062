"""Which bot sits where: bots, the policies of training runs, and their earlier versions."""

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from mindup_agents.labels import numbered
from mindup_play.settings import short_name

_POLICY = "policy.safetensors"
_EARLIER = "policies", "snapshots"
"""The folders of a run that keep policies of earlier checkpoints, by timesteps."""


def seated_specs(given: Sequence[str], players: int, *, with_earlier: bool) -> list[str]:
    """The bot of each seat. A short list is repeated.

    The folder of a training run stands for its latest policy, and ``with_earlier`` adds the policy
    of an earlier checkpoint after each.
    """
    specs: list[str] = []
    for each in given:
        folder = Path(each)
        if (folder / _POLICY).is_file():
            specs.append(f"policy:{folder / _POLICY}")
            if with_earlier:
                specs.append(f"policy:{earlier_policy(folder)}")
        elif with_earlier:
            raise ValueError(f"--earlier needs folders of training runs, not {each!r}")
        else:
            specs.append(each)
    if len(specs) > players:
        raise ValueError(f"{players} players cannot be {len(specs)} bots: add --players")
    return list(islice(cycle(specs), players))


def earlier_policy(run: Path) -> Path:
    """The policy from about the middle of a training."""
    found = sorted(path for name in _EARLIER for path in (run / name).glob("*.safetensors"))
    if not found:
        raise ValueError(f"{run} keeps no policy of an earlier checkpoint")
    return found[(len(found) - 1) // 2]


def seat_names(specs: Sequence[str]) -> list[str]:
    """Short names; equal ones are numbered."""
    return numbered([_name(spec) for spec in specs])


def _name(spec: str) -> str:
    """Of an earlier policy, the run and the timesteps, which are the name of its file."""
    path = Path(spec.removeprefix("policy:"))
    if spec.startswith("policy:") and path.parent.name in _EARLIER and path.stem.isdigit():
        return f"{path.parent.parent.name} at {int(path.stem):,}"
    return short_name(spec)

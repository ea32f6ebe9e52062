"""What a run is made from: versions of libraries, and hashes of the files of a user's own code."""

from pathlib import Path

from mindup_agents.features import ENCODER
from mindup_agents.policy.network import NETWORK
from mindup_env.agent import CodeKind, agent_options, find_agent, find_code, names_code
from mindup_env.runs.fingerprints import (
    LIBRARIES,
    Fingerprints,
    hash_code,
    hash_file,
    machine_versions,
    versions_of,
)
from mindup_training.callbacks import CALLBACK
from mindup_training.opponent_mix import parse_share
from mindup_training.own_code import REWARD
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import LEARNER

_LIBRARIES = (*LIBRARIES, "torch", "stable-baselines3", "sb3-contrib")
_INIT = "init"


def fingerprints_of(settings: RunSettings) -> Fingerprints:
    """The versions and files that a run with these settings has now.

    The files are those of all code of the user's own that a run imports, and what it starts from.
    """
    libraries = (*_LIBRARIES, "ray") if settings.learner_name == "rllib" else _LIBRARIES
    files = {
        f"{kind.name} {text}": hash_code(find_code(kind, text), {})
        for kind, text in _own_code(settings)
    }
    for each in (settings, *settings.stage_settings):
        opponents = [parse_share(text).spec for text in getattr(each, "opponents", ())]
        files |= {
            f"bot {bot}": _hash_bot(bot)
            for bot in (*opponents, *each.evaluation_bots)
            if names_code(bot)
        }
    if settings.first_policy is not None:
        files[_INIT] = {settings.first_policy: hash_file(Path(settings.first_policy))}
    return Fingerprints(machine_versions() | versions_of(libraries), files)


def changes_since(before: Fingerprints, settings: RunSettings) -> list[str]:
    """What differs from the fingerprints of a run that is resumed now."""
    now = fingerprints_of(settings.changed({"init": None}) if settings.first_policy else settings)
    return before.changes(now)


def _hash_bot(bot: str) -> dict[str, str]:
    found = find_agent(bot)
    return hash_code(found, agent_options(found))


def _own_code(settings: RunSettings) -> list[tuple[CodeKind, str]]:
    named = [(LEARNER, settings.learner)]
    named += [
        (REWARD, getattr(each, "reward", "")) for each in (settings, *settings.stage_settings)
    ]
    named += [(ENCODER, settings.features), (NETWORK, settings.network_name or "")]
    named += [(CALLBACK, spec) for spec in settings.callbacks]
    return [(kind, text) for kind, text in named if names_code(text)]

"""What a run imports besides the package: hashes of its files, which ``run.json`` records."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindup_agents.features import ENCODER
from mindup_agents.policy.network import NETWORK
from mindup_arena.fingerprint import FileHashes, file_changes, hash_bot, hash_file, hash_files
from mindup_env.agent import CodeKind, find_code, names_code
from mindup_training.callbacks import CALLBACK
from mindup_training.opponent_mix import parse_share
from mindup_training.own_code import REWARD
from mindup_training.settings import TrainSettings

CodeRecord = Mapping[str, FileHashes]
"""By what names them, such as ``reward myrewards:Reward``: the hashes of files by their names."""


def record_code(settings: TrainSettings) -> dict[str, FileHashes]:
    """The files of all code of the user's own that a run imports, and of what it starts from."""
    record: dict[str, FileHashes] = {
        f"{kind.name} {text}": hash_files(find_code(kind, text), {})
        for kind, text in _own_code(settings)
    }
    for each in (settings, *settings.stage_settings):
        bots = [parse_share(text).spec for text in each.opponents]
        record |= {
            f"bot {bot}": hash_bot(bot)
            for bot in (*bots, *each.evaluate_against)
            if names_code(bot)
        }
    if settings.init is not None:
        record["init"] = {settings.init: hash_file(Path(settings.init))}
    return record


def changed_code(before: CodeRecord, settings: TrainSettings) -> list[str]:
    """What differs from the record of a run that is resumed now."""
    now = record_code(settings)
    now.pop("init", None)  # the weights are in the checkpoints
    return [
        change
        for name, files in now.items()
        for change in file_changes(name, before.get(name, {}), files)
    ]


def read_record(plain: Any) -> CodeRecord:
    """Checks the record of a ``run.json``."""
    for files in _check_dict(plain).values():
        _check_dict(files)
    return dict(plain)


def _check_dict(plain: Any) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise ValueError(f"code must be dicts, not {plain!r}")
    return plain


def _own_code(settings: TrainSettings) -> list[tuple[CodeKind, str]]:
    all_settings = (settings, *settings.stage_settings)
    named = [(REWARD, each.reward) for each in all_settings]
    named += [(ENCODER, settings.features), (NETWORK, settings.network or "")]
    named += [(CALLBACK, spec) for spec in settings.callbacks]
    return [(kind, text) for kind, text in named if names_code(text)]

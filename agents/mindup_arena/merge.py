"""Merges the results of arenas that differ only in their seeds and deals into one report."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import PlayedChunk
from mindup_arena.fingerprint import Fingerprints
from mindup_arena.report import Report, make_report
from mindup_arena.schedule import chunks
from mindup_arena.settings import MAX_DEALS, ArenaSettings
from mindup_env.settings.extras import require

OF_A_RUN = "deals", "seed", "agent_seed", "record", "chunk_deals", "names"
"""The settings in which the merged arenas can differ."""


def merge_arenas(folders: Sequence[Path]) -> Report:
    """The report of all deals of several arenas, which were played with other seeds.

    Args:
        folders: The folders of two or more complete arenas, as ``run_arena`` keeps them.

    Returns:
        The report on the deals of all arenas. They are numbered through in the order of the seeds,
        so the order of the folders does not matter.

    Raises:
        ValueError: A folder has no complete arena, two arenas have other bots or another game, or
            two arenas have the same deals.
    """
    require("the arena", "arena", "scipy")
    if len(folders) < 2:
        raise ValueError(f"merge needs the folders of at least 2 arenas, not {len(folders)}")
    found = sorted(
        ((_read_settings(folder), folder) for folder in folders), key=lambda each: each[0].seed
    )
    for (one, folder), (other, other_folder) in combinations(found, 2):
        _check_fit(one, folder, other, other_folder)
    runs = [settings for settings, _ in found]
    deals = sum(run.deals for run in runs)
    if deals > MAX_DEALS:
        raise ValueError(f"a report has at most {MAX_DEALS} deals, and these arenas have {deals}")
    played: list[PlayedChunk] = []
    first_deal = 0
    for settings, folder in found:
        played += _load(settings, folder, first_deal)
        first_deal += settings.deals
    settings = replace(runs[0], deals=deals, record=None)
    return replace(make_report(settings, played, _fingerprints(found)), runs=runs)


def _fingerprints(found: Sequence[tuple[ArenaSettings, Path]]) -> list[Fingerprints | None]:
    """Those of all arenas; refuses arenas between which a bot has changed."""
    all_versions: list[Fingerprints | None] = []
    for _, folder in found:
        for version in ArenaFolder(folder).read_fingerprints():
            first = all_versions[0] if all_versions else version
            if first is not None and version is not None and (changes := first.changes(version)):
                raise ValueError(
                    f"{folder} does not fit to {found[0][1]}, because bots have changed: "
                    + "; ".join(changes)
                )
            if version not in all_versions:
                all_versions.append(version)
    return all_versions


def _read_settings(folder: Path) -> ArenaSettings:
    settings = ArenaFolder(folder).read_settings()
    if settings is None:
        raise ValueError(f"no arena to merge in {folder}")
    return settings


def _check_fit(one: ArenaSettings, folder: Path, other: ArenaSettings, other_folder: Path) -> None:
    """Refuses two arenas whose results do not belong in one report."""
    for each in fields(one):
        had, has = getattr(one, each.name), getattr(other, each.name)
        if each.name not in OF_A_RUN and had != has:
            raise ValueError(
                f"{folder} and {other_folder} do not fit: {each.name} is {_text(had)} in the one, "
                f"and {_text(has)} in the other"
            )
    if one.seed == other.seed:
        shared = min(one.deals, other.deals)
        raise ValueError(
            f"{folder} and {other_folder} both have the deals 0 to {shared - 1} of the seed "
            f"{one.seed}: merge arenas of different seeds"
        )


def _text(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _load(settings: ArenaSettings, path: Path, first_deal: int) -> list[PlayedChunk]:
    """The chunks of an arena, with its deals numbered from ``first_deal``."""
    folder = ArenaFolder(path)
    missing = sum(not folder.has(chunk) for chunk in chunks(settings))
    if missing:
        raise ValueError(
            f"the arena in {path} is not complete, {missing} chunks are missing: "
            f"mindup arena --resume {path}"
        )
    played = [folder.load(chunk, settings) for chunk in chunks(settings)]
    return [each._replace(chunk=each.chunk.shifted(first_deal)) for each in played]

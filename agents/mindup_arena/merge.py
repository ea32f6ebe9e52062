"""Merge arenas that differ only in their seeds and deals into one report.

Example: mindup arena merge runs/seed-0 runs/seed-1
"""

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import PlayedChunk
from mindup_arena.command import add_files, check_files, show
from mindup_arena.report import Report, make_report
from mindup_arena.schedule import chunks
from mindup_arena.settings import MAX_DEALS, ArenaSettings, RankedSettings
from mindup_env.runs.fingerprints import Fingerprints
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.extras import require

Arena = RunFolder[ArenaSettings]
OF_A_RUN = "deals", "seed", "agent_seed", "record", "chunk_deals", "names"
"""The settings in which the merged arenas can differ."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a complete arena")
    add_files(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    check_files(arguments)
    report = merge_arenas(arguments.folders)
    show(report, arguments)
    return report.exit_status


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
    require("mindup arena rank", "arena", "scipy")
    if len(folders) < 2:
        raise ValueError(f"merge needs the folders of at least 2 arenas, not {len(folders)}")
    found = sorted(
        (RunFolder.read(folder, ArenaSettings.kind, ArenaSettings) for folder in folders),
        key=lambda run: run.settings.seed,
    )
    for one, other in combinations(found, 2):
        _check_fit(one, other)
    runs: list[RankedSettings] = [run.settings for run in found]
    deals = sum(settings.deals for settings in runs)
    if deals > MAX_DEALS:
        raise ValueError(f"a report has at most {MAX_DEALS} deals, and these arenas have {deals}")
    played: list[PlayedChunk] = []
    fingerprints: list[Fingerprints] = []
    first_deal = 0
    for run in found:
        played += _load(run, first_deal)
        first_deal += run.settings.deals
        fingerprints += [each for each in run.fingerprints if each not in fingerprints]
    settings = replace(found[0].settings, deals=deals, record=None)
    return replace(make_report(settings, played, fingerprints), runs=runs)


def _check_fit(one: Arena, other: Arena) -> None:
    """Refuses two arenas whose results do not belong in one report."""
    for each in fields(ArenaSettings):
        had, has = (
            " ".join(value) if isinstance(value, tuple) else value
            for value in (getattr(run.settings, each.name) for run in (one, other))
        )
        if each.name not in OF_A_RUN and had != has:
            raise ValueError(
                f"{one.path} and {other.path} do not fit: {each.name} is {had} in the one, and "
                f"{has} in the other"
            )
    if one.settings.seed == other.settings.seed:
        shared = min(one.settings.deals, other.settings.deals)
        raise ValueError(
            f"{one.path} and {other.path} both have the deals 0 to {shared - 1} of the seed "
            f"{one.settings.seed}: merge arenas of different seeds"
        )
    known = [*one.fingerprints, *other.fingerprints]
    for version in known[1:]:
        if changes := known[0].changes(version):
            raise ValueError(
                f"{other.path} does not fit to {one.path}, because bots have changed: "
                + "; ".join(changes)
            )


def _load(run: Arena, first_deal: int) -> list[PlayedChunk]:
    """The chunks of an arena, with its deals numbered from ``first_deal``."""
    folder, expected = ArenaFolder(run.path), chunks(run.settings)
    missing = sum(not folder.has(chunk) for chunk in expected)
    if missing:
        raise ValueError(
            f"the arena in {run.path} is not complete, {missing} chunks are missing: "
            f"{run.resume_command}"
        )
    return [
        folder.load(each)._replace(
            chunk=each._replace(
                deals=range(first_deal + each.deals.start, first_deal + each.deals.stop)
            )
        )
        for each in expected
    ]

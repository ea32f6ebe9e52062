"""Measure how fast the engine and what is built on it are."""

import argparse

from mindup_env.cli import add_commands

BENCHMARKS = "mindup.benchmarks"


def configure(parser: argparse.ArgumentParser) -> None:
    add_commands(parser, BENCHMARKS)

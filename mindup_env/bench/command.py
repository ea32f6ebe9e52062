"""Measure the speed of the engine, the environments and the learners."""

import argparse

from mindup_env.cli import add_commands

BENCHMARKS = "mindup.benchmarks"


def configure(parser: argparse.ArgumentParser) -> None:
    add_commands(parser, BENCHMARKS)

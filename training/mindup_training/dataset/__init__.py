"""Datasets of decisions: bots play, and every decision is a row of a Parquet or npz file.

- ``settings``: what is played and written
- ``seats``: which games a chunk has, and which bot sits where
- ``columns``: the columns, and the files of a chunk
- ``make``: plays and records all chunks that a folder lacks; ``command`` is its command line
- ``card``: the README of a dataset
- ``reader``: a dataset as arrays
"""

from mindup_training.dataset.make import make_dataset
from mindup_training.dataset.reader import Dataset, DecisionChunk, read_dataset
from mindup_training.dataset.settings import DatasetSettings

__all__ = ["Dataset", "DatasetSettings", "DecisionChunk", "make_dataset", "read_dataset"]

"""Datasets of decisions: bots play, and every decision is a row of a Parquet or npz file.

- ``settings``: what is played and written
- ``columns``, ``seats``: the columns, and which bot sits where in a chunk
- ``packing``: what the arrays of a decision are in a file
- ``recorder``, ``player``: games are played and recorded, chunk by chunk, in the arena's processes
- ``parquet_file``, ``npz_file``: one chunk as a file
- ``folder``, ``card``: the files of a dataset, and the README that describes them
- ``make``: plays all chunks that a folder lacks; ``command`` is its command line
- ``reader``: a dataset as arrays
"""

from mindup_training.dataset.make import make_dataset
from mindup_training.dataset.reader import Dataset, DecisionChunk, read_dataset
from mindup_training.dataset.settings import DatasetSettings

__all__ = ["Dataset", "DatasetSettings", "DecisionChunk", "make_dataset", "read_dataset"]

"""Random numbers from the random bits of a row, for bots that draw in whole batches."""

import numpy as np
import numpy.typing as npt


def uniform_numbers(random_bits: npt.NDArray[np.uint64], streams: range) -> npt.NDArray[np.float64]:
    """Numbers (B, streams) between 0 and 1; those of other streams are independent."""
    # SplitMix64: a step of the golden ratio for each stream, then a mixing of the bits.
    steps = np.array(streams, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits = random_bits[:, None] + steps
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    uniform = ((bits ^ (bits >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) + 0.5
    return uniform / 2**53

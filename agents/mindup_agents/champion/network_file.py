"""The files of the champion's networks: one for each number of players in its package.

A file is an npz of NumPy with the weights of each network, such as ``search/table.weight``. The
network ``value`` values positions; each other one imitates a bot that an opponent may be like.
``calibration/odds`` turns the mean values of cards into chances, see ``NetworkEvaluator``.
The comment of the archive says how they were made: ``unzip -z networks.npz`` shows it.
"""

from collections import defaultdict
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from mindup_agents.champion.network import Tensors, tensor_shapes
from mindup_agents.champion.position import position_shape
from mindup_env.checks import InputError
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.files import MOST_BYTES, atomic_write, read_limited

VALUE = "value"
CALIBRATION = "calibration"

Networks = dict[str, Tensors]  # the weights of networks by their names


def load_networks(config: GameConfig, path: Path) -> tuple[Networks, Tensors, float]:
    """The models of opponents, in the order of their names, the values, and the calibration.

    A file without one has odds 1; one that is missing, damaged or for another game is refused.
    """
    published = GameConfig(config.num_players, config.num_objectives)
    refuse_other_config("the game for champion", config, published)
    networks = read_networks(path)
    odds = networks.pop(CALIBRATION, {"odds": np.ones(1, np.float32)}).get("odds")
    if odds is None or odds.shape != (1,) or odds[0] <= 0:
        raise InputError(f"{path}: {CALIBRATION}/odds must be one number above 0")
    expected = tensor_shapes(position_shape(config))
    for name, tensors in networks.items():
        found = {key: tensor.shape for key, tensor in tensors.items()}
        if found != expected:
            raise InputError(
                f"{path}: {name} is no network for {config.num_players} players, as mindup train "
                f"champion --players {config.num_players} writes it"
            )
    if VALUE not in networks:
        raise InputError(f"{path} must have the network {VALUE}, not only {', '.join(networks)}")
    value = networks.pop(VALUE)
    return dict(sorted(networks.items())), value, float(odds[0])


def read_networks(path: Path) -> Networks:
    """The networks in a file; this runs no code from it."""
    file = BytesIO(read_limited(path))
    try:
        with ZipFile(file) as members:
            size = sum(each.file_size for each in members.infolist())
        arrays = dict(np.load(file, allow_pickle=False)) if size <= MOST_BYTES else {}
    except Exception as error:  # noqa: BLE001  # those of zip files have no base class
        raise InputError(f"{path}: it is no npz file that can be read: {error}") from None
    if size > MOST_BYTES:
        raise InputError(f"{path}: it has more than {MOST_BYTES:,} bytes")
    networks = defaultdict[str, dict[str, np.ndarray]](dict)
    for key, array in arrays.items():
        if getattr(array, "dtype", None) != np.float32 or not np.isfinite(array).all():
            raise InputError(f"{path}: {key} must be float32, with finite entries only")
        name, _, tensor = key.rpartition("/")
        networks[name][tensor] = array
    return {**networks}


def save_networks(path: Path, networks: Networks, comment: str = "") -> None:
    """Writes a file that ``read_networks`` reads, with a comment for those who look into it."""
    arrays = {
        f"{name}/{key}": array
        for name, tensors in networks.items()
        for key, array in tensors.items()
    }
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    with ZipFile(buffer, "a") as members:
        members.comment = comment.encode()
    with atomic_write(path) as file:
        file.write(buffer.getbuffer())

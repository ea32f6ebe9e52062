"""Starts two nodes of a Ray cluster, says its address, and ends them with its input."""

import subprocess
import sys

from ray.cluster_utils import Cluster

_TRIES = 5
_ONCE = "--once"


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    print(cluster.address, flush=True)
    sys.stdin.read()
    cluster.shutdown()


def keep_trying() -> None:
    """Ray gives its processes 30 seconds to start, and on a busy machine they may need more."""
    for _ in range(_TRIES):
        if subprocess.run([sys.executable, __file__, _ONCE], check=False).returncode == 0:
            break


if __name__ == "__main__":
    main() if _ONCE in sys.argv else keep_trying()

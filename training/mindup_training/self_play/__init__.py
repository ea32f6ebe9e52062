"""What the learners by self-play in one file share.

All seats of a game share one network, and each seat learns from its own rewards, with the other
seats as a part of its environment. A rollout is one whole game in every environment.

- ``config``: the settings, each also an option of the command line
- ``games``: the games that a learner learns from; ``cuda_games``: those on a GPU
- ``learner``: a network in training
"""

from mindup_training.self_play.config import SelfPlayConfig
from mindup_training.self_play.learner import SelfPlayLearner

__all__ = ["SelfPlayConfig", "SelfPlayLearner"]

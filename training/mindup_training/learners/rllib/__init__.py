"""RLlib as a learner: each worker plays many games, and all seats that learn share one policy."""

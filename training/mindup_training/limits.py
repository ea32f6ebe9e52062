"""The largest numbers that settings of a training accept, each with its reason."""

MAX_TIMESTEPS = 10**12  # years of training
MAX_MINUTES = 365 * 24 * 60  # a year
MAX_THREADS = 1024  # more than machines have cores
MAX_ENVS = 2**16  # observations of that many games fill a gigabyte
MAX_ROLLOUT_GAMES = 2**10
MAX_ROLLOUT = 2**22
"""Decisions of a rollout, which are kept in memory with their features: about 20 gigabytes."""
MAX_EPOCHS = 1000  # a policy has long left the data by then
MAX_LEARNING_RATE = 1.0  # Adam moves each weight by about the learning rate
MAX_CLIP_RANGE = 10.0  # as good as none
MAX_ENT_COEF = 10.0  # the policy then stays uniform
MAX_VF_COEF = 100.0
MAX_GRAD_NORM = 1e6  # as good as none
MAX_TARGET_KL = 100.0  # as good as none
MAX_SNAPSHOTS = 1000  # each is a bot of its own in memory
MAX_PROCESSES = 1024
MAX_EVALUATIONS = 10_000  # each draws a point of the learning curve


def check_rollout(decisions: int) -> None:
    """Refuses a rollout that does not fit into memory, or from which nothing can be learned."""
    if not 2 <= decisions <= MAX_ROLLOUT:
        raise ValueError(
            f"a rollout must have 2 to {MAX_ROLLOUT} decisions, not {decisions}: change num_envs, "
            "rollout_games or the length of the game"
        )


def check_minibatches(decisions: int, batch_size: int) -> None:
    """Refuses a minibatch of one decision, whose advantage cannot be normalized."""
    if batch_size == 1 or decisions % batch_size == 1:
        raise ValueError(
            f"batch_size must not leave a minibatch of a single decision: a rollout has "
            f"{decisions} decisions, in minibatches of {batch_size}"
        )

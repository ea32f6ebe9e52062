"""RLlib as a setting: how the tables are spread, and how many seats of each learn."""

from dataclasses import dataclass

from mindup_env.checks import check_int


@dataclass(frozen=True)
class Rllib:
    env_runners: int = 2  # processes that play; each has a share of the environments
    learning_seats: int = 2  # at each table, all with the one policy; drawn anew for every deal

    def __post_init__(self) -> None:
        check_int("env_runners", self.env_runners, 1)
        check_int("learning_seats", self.learning_seats, 1)

"""The settings of a person's game."""

import shlex

import pytest

from mindup_env.agent import split_specs
from mindup_play.settings import PlaySettings


def test_bots_sit_after_the_person_and_have_distinct_names() -> None:
    settings = PlaySettings(1, players=5, seat=3, opponents=("greedy", "search:simulations=8"))
    assert settings.bots == {
        4: "greedy",
        0: "search:simulations=8",
        1: "greedy",
        2: "search:simulations=8",
    }
    assert settings.names == ["search 1", "greedy 2", "search 2", "You", "greedy 1"]
    assert PlaySettings(1, players=3, opponents=("greedy", "lowest")).names == [
        "You",
        "greedy",
        "lowest",
    ]


def test_the_command_deals_the_same_game() -> None:
    settings = PlaySettings(9, 5, 2, 1, ("search:slip=0,horizon=game", "process:./b '1',2"))
    words = shlex.split(settings.command)
    assert words[:2] == ["mindup", "play"]
    given = dict(zip(words[2::2], words[3::2], strict=True))
    names = ("seed", "players", "objectives", "seat")
    seed, players, objectives, seat = (int(given[f"--{name}"]) for name in names)
    bots = split_specs(given["--opponents"])
    assert PlaySettings(seed, players, objectives, seat, bots) == settings


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"players": 7}, "players must be 2 to 6, not 7"),
        ({"seat": 4}, "seat must be 0 to 3, not 4"),
        ({"opponents": ()}, "opponents must be names of bots"),
        ({"opponents": ("human",)}, "'human' can neither be an opponent"),
        ({"hints": "human"}, "'human' can neither be an opponent nor give hints"),
        ({"hints": ""}, "hints must be the name of a bot"),
    ],
)
def test_invalid_settings_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlaySettings(**{"seed": 1, **values})  # type: ignore[arg-type]


def test_settings_are_plain_data() -> None:
    settings = PlaySettings(2**64 - 1, 3, 1, 2, ("greedy",), "planner")
    assert PlaySettings.from_dict(settings.to_dict()) == settings

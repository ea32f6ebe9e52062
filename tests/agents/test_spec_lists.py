"""Lists of bots in one text: commas separate them, and quotes keep one together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_env.agent import join_specs, split_specs


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("greedy", ("greedy",)),
        ("greedy,planner", ("greedy", "planner")),
        ("greedy, planner ,random", ("greedy", "planner", "random")),
        ("search:simulations=8,slip=0,greedy", ("search:simulations=8,slip=0", "greedy")),
        ("policy:a.safetensors,mybot:Bot:depth=3", ("policy:a.safetensors", "mybot:Bot:depth=3")),
        ("search:slip=0,search:slip=1", ("search:slip=0", "search:slip=1")),
        ("greedy,'process:./bot 1,2', random", ("greedy", "process:./bot 1,2", "random")),
        ("\"process:./bot 'a' b=1,c=2\",x", ("process:./bot 'a' b=1,c=2", "x")),
        ("'process:echo ''a'', b'", ("process:echo 'a', b",)),
        ("process:./bot 'a b'", ("process:./bot 'a b'",)),
        ("'search:slip=0','horizon=game'", ("search:slip=0", "horizon=game")),
    ],
)
def test_commas_separate_bots_and_quotes_keep_one_together(text: str, bots: tuple[str]) -> None:
    assert split_specs(text) == bots


@pytest.mark.parametrize("text", ["greedy,'process:./bot 1,2", "'a'b,greedy", '"'])
def test_wrong_quotes_are_refused_with_where_they_begin(text: str) -> None:
    with pytest.raises(ValueError, match="must have a closing quote, and a comma or nothing") as no:
        split_specs(text)
    assert str(no.value).endswith(text.removeprefix("greedy,"))


@given(st.lists(st.text("ab',\" =:\n"), min_size=1))
def test_joined_specs_are_split_again(specs: list[str]) -> None:
    assert split_specs(join_specs(specs)) == tuple(specs)


def test_only_what_needs_quotes_gets_them() -> None:
    joined = join_specs(["greedy", "search:slip=0,horizon=game", "process:./bot 1,2"])
    assert joined == "greedy,search:slip=0,horizon=game,'process:./bot 1,2'"

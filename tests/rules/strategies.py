"""Rules for Hypothesis: any config that can be played."""

from hypothesis import strategies as st

from mindup_env import GameConfig


@st.composite
def configs(draw: st.DrawFn) -> GameConfig:
    num_players = draw(st.integers(2, 6))
    num_rounds = draw(st.integers(1, 4))
    most_cards = 60 // num_players - num_rounds
    return GameConfig(
        num_players=num_players,
        num_objectives=draw(st.integers(0, 5)),
        num_rounds=num_rounds,
        hand_size=draw(st.integers(2, min(most_cards, 9))),
    )

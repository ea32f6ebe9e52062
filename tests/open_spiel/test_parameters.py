"""The rules and the reward as parameters of an OpenSpiel game, and what is refused."""

import pytest

from mindup_env import OFFICIAL_DECK, Deck, GameConfig
from mindup_env.open_spiel import load_game
from mindup_env.open_spiel.parameters import DEFAULTS, Parameters, deck_text, read_deck
from mindup_env.open_spiel.pyspiel_extra import pyspiel
from mindup_env.rewards import RewardWeights

DECKS = {
    "official": OFFICIAL_DECK,
    "official:14": Deck(tuple(OFFICIAL_DECK)[:14]),
    "orange+1/pink+0/blue-1": read_deck("orange+1/pink/blue-1"),
}


@pytest.mark.parametrize("text", DECKS)
def test_decks_are_texts(text: str) -> None:
    assert read_deck(text) == DECKS[text] and deck_text(DECKS[text]) == text


def test_a_config_goes_through_openspiel() -> None:
    config = GameConfig(3, 1, num_rounds=2, hand_size=3, deck=read_deck("official:30"))
    game = load_game(config, score_order=(2, 4, 1, 5, 3), reward="margin")
    for same in (game, pyspiel.load_game(str(game))):
        assert same.parameters == Parameters(config, (2, 4, 1, 5, 3), RewardWeights(margin=1.0))
    assert load_game().parameters.config == GameConfig()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"players": 7}, "num_players must be 2 to 6, not 7"),
        ({"deck": "official:x"}, "deck must be official, .*official:14"),
        ({"deck": "official:61"}, "the cards of a deck must be 1 to 60, not 61"),
        ({"deck": "orange1"}, "a card of a deck is a colour and points"),
        ({"deck": "red+1"}, "colour must be one of .*, not 'red'"),
        ({"deck": "official:20"}, "but the deck has 20"),
        ({"score_cards": "1/2/3"}, "score_cards must be random, or each of"),
        ({"reward": "money"}, "reward must be a sum of score, margin and win"),
    ],
)
def test_what_cannot_be_played_is_refused(parameters: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Parameters.read({**DEFAULTS, **parameters})

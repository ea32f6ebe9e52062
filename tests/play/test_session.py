"""A person's game with bots: hidden cards, bots with memory, resumed games."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from mindup_play.bots import BotChoice, BotError
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state
from tests.play.hidden import hidden_cards
from tests.play.tables import SETTINGS

OPPONENTS = ("predictor", "random", "search:simulations=8")


def play(session: Session, turns: int) -> None:
    for _ in range(turns):
        session.play(session.game.hand(session.settings.seat)[-1])


def hint_of(session: Session) -> BotChoice:
    pending = session.hint()
    assert pending is not None
    return pending.result(60)


def played_randomly(config: GameConfig, seed: int, turns: int) -> list[Game]:
    """The games before each turn and after the last."""
    chance, games = random.Random(seed), [Game(config, seed=seed)]
    for _ in range(turns):
        game = games[-1].copy()
        game.play([chance.choice(game.hand(player)) for player in range(config.num_players)])
        games.append(game)
    return games


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 6), st.integers(0, 5), st.integers(0, 2**32), st.data())
def test_a_table_state_is_the_same_for_all_hidden_cards(
    players: int, objectives: int, seed: int, data: st.DataObject
) -> None:
    config = GameConfig(players, objectives)
    turns = data.draw(st.integers(1, config.num_turns), "turns")
    seat = data.draw(st.integers(0, players - 1), "seat")
    before, now = played_randomly(config, seed, turns)[-2:]
    hidden = hidden_cards(now, seat)
    others = dict(zip(sorted(hidden), data.draw(st.permutations(sorted(hidden))), strict=True))
    deck = [others.get(card, card) for card in now.deal.deck]
    deal = deck, now.deal.score_orders, now.deal.objectives
    twins = [Game.from_deal(config, *deal) for _ in range(2)]
    for twin, plays in zip(twins, (before.plays, now.plays), strict=True):
        for cards in plays:
            twin.play(cards)
    seen, same = (table_state(game, early, seat) for early, game in ((before, now), twins))
    assert json.dumps(seen) == json.dumps(same)


def test_a_table_state_holds_the_table() -> None:
    session = Session(SETTINGS)
    play(session, 7)
    table, game = session.table_state(), session.game
    assert [place["prize"] for place in table["row"]] == list(game.row)
    for player, state in enumerate(table["players"]):
        assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
        assert state["known"] == list(game.known(player))
        assert len(state["known"]) + len(state["hidden"]) == len(game.hand(player))
        assert state["total"] == game.scores[player] + game.standing_scores[player].total
    assert {*table["players"][0]["known"], *table["players"][0]["hidden"]} == set(game.hand(0))
    plays = table["last_turn"]["plays"]
    assert [each["card"] for each in plays] == sorted(game.plays[-1])
    assert all(game.plays[-1][each["player"]] == each["card"] for each in plays)


def test_the_end_of_a_round_shows_the_scored_tableaux() -> None:
    session = Session(SETTINGS)
    play(session, 5)
    assert session.table_state()["last_turn"]["scored_tableaux"] is None
    play(session, 1)
    tableaux = session.table_state()["last_turn"]["scored_tableaux"]
    assert [tuple(map(tuple, tableau)) for tableau in tableaux] == list(
        session.game.round_tableaux[0]
    )
    assert sum(part["total"] for part in session.table_state()["round_scores"][0]) == sum(
        session.game.scores
    )


def test_hints_are_what_the_bot_plays_there() -> None:
    session = Session(PlaySettings(7, opponents=("greedy",), hints="greedy"))
    twin = Session(PlaySettings(7, seat=1, opponents=("greedy",)))
    twin.play(twin.game.hand(1)[0])
    hint = hint_of(session)
    assert hint.card == twin.game.plays[0][0] and hint.evaluation is not None
    values = hint.evaluation.values
    assert max(values, key=values.__getitem__) == hint.card
    assert sorted(values) == list(session.game.hand(0))
    assert Session(SETTINGS).hint() is None


def test_a_bot_without_evaluations_gives_its_card_alone() -> None:
    assert (
        hint_of(Session(PlaySettings(7, opponents=("greedy",), hints="highest"))).evaluation is None
    )


def test_a_failing_hint_bot_does_not_stop_the_game() -> None:
    failing = "tests.play.bots:Failing"
    session = Session(PlaySettings(7, opponents=("lowest",), hints=failing))
    play(session, 1)
    with pytest.raises(BotError, match="out of ideas"):
        hint_of(session)
    while not session.game.over:
        play(session, 1)
    assert session.hint() is None and not any(map(any, session.record()["weighings"]))


def test_after_a_failure_only_the_missing_choices_are_made() -> None:
    """Asked again, the predictor would learn twice from the same turn."""
    opponents = ("predictor", "tests.play.bots:FailingOnce", "lowest")
    session, twin = (
        Session(PlaySettings(3, opponents=(opponents[0], bot, opponents[2])))
        for bot in (opponents[1], "lowest")
    )
    play(session, 1)
    with pytest.raises(BotError, match="out of ideas"):
        play(session, 1)
    play(session, 20)
    play(twin, 21)
    records = session.record(), twin.record()
    assert [record.pop("names")[1] for record in records] == ["predictor", "predictor"]
    assert records[0] == records[1]


def test_a_resumed_game_continues_exactly(tmp_path: Path) -> None:
    """The predictor learns from what was played."""
    whole = Session(PlaySettings(3, 4, 1, 2, OPPONENTS, "predictor"))
    saved = SavedGames(tmp_path).new()
    for turn in range(whole.settings.config.num_turns):
        if turn == 13:
            saved.save(whole)
            later = saved.load()
            assert later.settings == whole.settings and later.game == whole.game
        play(whole, 1)
    play(later, whole.turns_played - later.turns_played)
    assert later.record() == whole.record()


def test_a_record_holds_the_evaluations_of_the_bots() -> None:
    session = Session(PlaySettings(3, opponents=("greedy", "lowest")))
    while not session.game.over:
        play(session, 1)
    record = json.loads(json.dumps(session.record()))
    assert Game.replay(record) == session.game
    before = Game.replay(record, turns=9)
    you, greedy, lowest, _ = record["weighings"][9]
    assert you is None and lowest is None
    assert greedy["unit"] == "expected points"
    assert sorted(map(int, greedy["values"])) == list(before.hand(1))


@pytest.mark.parametrize(
    ("bot", "turns", "message"),
    [
        ("tests.play.bots:Failing", 1, "Failing at seat 1 failed: RuntimeError: out of ideas"),
        ("tests.play.bots:Cheating", 0, "seat 1 chose a card that is not in its hand: "),
    ],
)
def test_a_bot_that_fails_is_named_and_changes_nothing(bot: str, turns: int, message: str) -> None:
    session = Session(PlaySettings(1, opponents=(bot,)))
    play(session, turns)
    for _ in range(2):
        with pytest.raises(BotError, match=message):
            play(session, 1)
    assert session.turns_played == turns

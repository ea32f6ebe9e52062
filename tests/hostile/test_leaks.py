"""Games that differ only in what a seat does not know give that seat the same bytes.

A view plays a game again from its deal by one API, with the same plays, and yields what the seat
gets.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from mindup_env import BatchEnv, Game, GameConfig, mindup_v0
from mindup_env.cards import OBJECTIVE_INDEX
from mindup_env.game.table import table_text
from mindup_env.observation import layout_of, observation_text
from mindup_env.open_spiel import load_game
from mindup_env.open_spiel.history import CARD, OBJECTIVE, SCORE_ORDER, SCORE_ORDERS
from mindup_play.table_state import table_state
from tests.envs.expected import with_other_secrets
from tests.envs.strategies import games, randoms
from tests.game_origins import play_randomly
from tests.hostile.strategies import attack

Given = Iterator[Any]
View = Callable[[Game, int], Given]


def of_batch(game: Game, seat: int) -> Given:
    env = BatchEnv(game.config, autoreset=False, reward="margin+win")
    env.reset(seed=1)
    seen, results = env.set_game(0, at_its_deal(game)), None
    for cards in (*game.plays, None):
        own = seen["observation"][0, seat]
        yield own, seen["action_mask"][0, seat], results
        yield observation_text(own, game.config)
        yield table_text(env.game(0), seat)
        if cards is not None:
            seen, rewards, over, truncations, info = env.step(np.array([cards]) - 1)
            of_seat = {name: array[0, seat].tolist() for name, array in info.items()}
            results = rewards[0, seat].item(), over[0], truncations[0], of_seat


def of_parallel_env(game: Game, seat: int) -> Given:
    env, agent = mindup_v0.parallel_env(**arguments(game.config)), f"player_{seat}"
    seen, infos = env.reset(seed=1, options={"deal": game.deal.to_dict()})
    yield seen[agent], infos[agent]
    for cards in game.plays:
        step = env.step({f"player_{player}": card - 1 for player, card in enumerate(cards)})
        yield [part[agent] for part in step]
        yield env.observe(agent), env.agents
    if not game.over:
        yield env.reset(seed=1, options={"record": game.record()})[0][agent]


def of_turn_based_env(game: Game, seat: int) -> Given:
    """Also between the choices of a turn: those of the others lie face down."""
    env, agent = mindup_v0.env(**arguments(game.config)), f"player_{seat}"
    env.reset(seed=1, options={"deal": game.deal.to_dict()})
    for turn in range(len(game.plays) + (not game.over)):
        for player in range(game.config.num_players):
            yield env.observe(agent), env.infos[agent], env.rewards[agent]
            yield env.terminations[agent], env.truncations[agent], env.agent_selection
            if player == seat:
                yield env.last()
            hand = env.unwrapped.game.hand(player)
            # What a player holds now may be hidden: then any card of the hand is put down.
            card = game.plays[turn][player] if turn < len(game.plays) else hand[0]
            env.step(card - 1)
            if turn == len(game.plays) and player == game.config.num_players - 2:
                return  # the last card would be revealed


def of_gymnasium(game: Game, seat: int, *, num_games: int = 1) -> Given:
    """One game of ``make``, or several of ``make_vec``; opponents play what they played."""
    make: Any = (
        gymnasium.make if num_games == 1 else partial(gymnasium.make_vec, num_envs=num_games)
    )
    players = game.config.num_players
    opponents = [Scripted(game, (seat + after) % players) for after in range(1, players)]
    env = make("MindUp-v0", seat=seat, opponents=opponents, **arguments(game.config)).unwrapped
    yield env.reset(seed=1)
    batch = env._env if num_games > 1 else env._games._env
    for index in range(num_games):
        batch.set_game(index, at_its_deal(game))
    for cards in game.plays:
        action = cards[seat] - 1
        yield env.step(action if num_games == 1 else np.full(num_games, action))


class Scripted:
    """Plays what its seat played in a game."""

    def __init__(self, game: Game, seat: int) -> None:
        self._cards = [cards[seat] for cards in game.plays]
        self._views, self._size = layout_of(game.config).views, game.config.hand_size

    def act(self, observation: npt.NDArray[np.int8], *_: Any) -> npt.NDArray[np.integer]:
        seen = self._views(observation[0])
        before = sum(self._size + earlier - 1 for earlier in range(int(seen["round"]) - 1))
        return np.full(len(observation), self._cards[before + int(seen["turn"]) - 1] - 1)


def of_play_page(game: Game, seat: int) -> Given:
    """The table that the page shows a person."""
    before, now = None, at_its_deal(game)
    for cards in (*game.plays, None):
        yield table_state(now, before, seat)
        if cards is not None:
            before, now = now, now.copy()
            now.play(cards)


def of_open_spiel(game: Game, seat: int) -> Given:
    """Texts and vectors at every node; OpenSpiel's own methods where players choose."""
    spiel = load_game(game.config)
    kinds = [pyspiel.IIGObservationType(perfect_recall=recall) for recall in (False, True)]
    observers = [spiel.make_py_observer(kind) for kind in kinds]
    state, draws = spiel.new_initial_state(), draws_of(game)
    plays = iter(game.plays)
    while True:
        for observer in observers:
            observer.set_from(state, seat)
            yield observer.tensor, observer.string_from(state, seat)
        yield state.current_player()
        if state.is_chance_node():
            history = state.history_state
            state.apply_action(next(draws[history.chance.draws[len(history.drawn)]]))
            continue
        yield state.legal_actions(seat)
        yield state.observation_string(seat), state.observation_tensor(seat)
        yield state.information_state_string(seat), state.information_state_tensor(seat)
        cards = next(plays, None)
        if cards is None:
            return
        state.apply_actions([card - 1 for card in cards])


def draws_of(game: Game) -> dict[str, Iterator[int]]:
    """All draws of the deal: OpenSpiel deals each hand and the row in ascending order."""
    config, deal = game.config, game.deal
    players, size, rounds = config.num_players, config.hand_size, config.num_rounds
    starts = [*range(0, players * size + 1, size), players * (size + 1)]
    sets = [sorted(deal.deck[start:end]) for start, end in pairwise(starts)]
    later = deal.deck[players * (size + 1) : players * (size + rounds)]
    shown = deal.objectives if config.objectives_renewed else deal.objectives[:1]
    return {
        CARD: (card - 1 for part in (*sets, later) for card in part),
        SCORE_ORDER: (SCORE_ORDERS.index(order) for order in deal.score_orders),
        OBJECTIVE: (OBJECTIVE_INDEX[id_] for ids in shown for id_ in ids),
    }


def at_its_deal(game: Game) -> Game:
    return Game.from_deal(game.config, game.deal)


def arguments(config: GameConfig) -> dict[str, Any]:
    return {field.name: getattr(config, field.name) for field in fields(config)}


VIEWS: dict[str, View] = {
    "batch": of_batch,
    "parallel_env": of_parallel_env,
    "turn_based_env": of_turn_based_env,
    "gymnasium": of_gymnasium,
    "vector_env": partial(of_gymnasium, num_games=2),
    "open_spiel": of_open_spiel,
    "play_page": of_play_page,
}


@pytest.mark.parametrize("api", VIEWS)
@attack(60, game=games, random=randoms)
def test_no_api_tells_a_seat_what_is_hidden_from_it(
    api: str, game: Game, random: np.random.Generator
) -> None:
    seat = int(random.integers(game.config.num_players))
    other = with_other_secrets(game, seat, Random(int(random.integers(2**32))))
    view = VIEWS[api]
    assert plain([*view(game, seat)]) == plain([*view(other, seat)])


def test_the_search_would_find_a_leak() -> None:
    """The other seats do see what is hidden from one."""
    game = play_randomly(Game(GameConfig(3), seed=1), 9, np.random.default_rng(1))
    other = with_other_secrets(game, 0, Random(1))
    for api, view in VIEWS.items():
        assert plain([*view(game, 0)]) == plain([*view(other, 0)]), api
        assert plain([*view(game, 1)]) != plain([*view(other, 1)]), api


def plain(value: Any) -> Any:
    """Arrays as their bytes, so that two values can be compared and printed."""
    if isinstance(value, np.ndarray | np.generic):
        content = value.tolist() if value.dtype == object else value.tobytes()
        return value.shape, str(value.dtype), plain(content)
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value

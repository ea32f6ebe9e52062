"""The studies behind docs/why.md, with few deals and short trainings."""

import json
from dataclasses import replace
from functools import partial
from math import comb, factorial, log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_arena.match import RotatedDeals
from mindup_env import BatchEnv, GameConfig, StateLayout
from mindup_env.observation import layout_of
from mindup_env.variants import VARIANTS
from tools.tables import reports as tables
from tools.tables.learners import learning_curves, point_at
from tools.tables.reports import report
from tools.why import (
    charts,
    cycles,
    exact,
    hyperparameters,
    information,
    learners,
    learning,
    luck,
    simultaneity,
    size,
    study,
)
from tools.why.__main__ import STUDIES, main
from tools.why.learners import LEARNERS

CONFIG = GameConfig()


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the studies write, with runs in the same folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(study, "REPORTS", tmp_path / "why")
    return tmp_path / "why"


def test_entries_of_a_report_are_not_measured_again(reports: Path) -> None:
    measured = []

    def entry(name: str) -> dict[str, Any]:
        measured.append(name)
        if name == "bad":
            raise KeyboardInterrupt
        return {"name": name}

    entries = {name: lambda name=name: entry(name) for name in ("good", "bad")}
    with pytest.raises(KeyboardInterrupt):
        study.measure("own", entries)
    assert json.loads((reports / "own.json").read_text("utf-8")) == {"good": {"name": "good"}}
    with pytest.raises(KeyboardInterrupt):
        study.measure("own", entries)
    assert measured == ["good", "bad", "bad"]


def test_entries_of_several_processes_are_in_the_order_of_the_study(reports: Path) -> None:
    study.measure("own", {name: partial(dict, name=name) for name in "abc"}, workers=2)
    found = json.loads((reports / "own.json").read_text("utf-8"))
    assert [*found.items()] == [(name, {"name": name}) for name in "abc"]


def test_every_study_runs(
    reports: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A few entries of each."""
    monkeypatch.setattr(luck, "REPEATS", {"random": (4, 3), "search": (2, 2)})
    monkeypatch.setattr(information, "DEALS", 2)
    monkeypatch.setattr(simultaneity, "DEALS", 2)
    monkeypatch.setattr(simultaneity, "MIXED_GAMES", 2)
    monkeypatch.setattr(size, "GAMES", 2)
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    for name in LEARNERS.keys() - {"ppo", "imitation"}:
        monkeypatch.delitem(LEARNERS, name)
    for name, own in (("ppo", {"num_envs": 4}), ("imitation", {"widths": [8, 8, 8]})):
        compared = LEARNERS[name]
        short: dict[str, Any] = {
            "decisions": 2_000,
            "seeds": 1,
            "settings": {**compared.settings, **own},
        }
        monkeypatch.setitem(LEARNERS, name, compared._replace(**short))
    monkeypatch.setattr(learners, "DATASET", replace(learners.DATASET, deals=2))
    monkeypatch.setattr(learners, "PASS", 2_000)
    monkeypatch.setattr(hyperparameters, "DECISIONS", 2_000)
    monkeypatch.setattr(hyperparameters, "DEALS", {"greedy": 2})
    for name in ("DEALS", "CHAMPION_DEALS"):
        monkeypatch.setattr(learning, name, {"random": 2})
    monkeypatch.setattr(cycles, "DEALS", 4)
    monkeypatch.setattr(cycles, "SCRIPTED", ("random", "lowest"))
    monkeypatch.setattr(cycles, "SEARCHING", ("greedy",))
    monkeypatch.setattr(cycles, "LEARNED", {("ppo", 0): (-1,)})
    monkeypatch.setattr(exact, "VARIANTS", {"2p-1t": VARIANTS["2p-1t"]})
    monkeypatch.setattr(exact, "PLAYERS", ["lowest"])
    main([])
    found = {name: json.loads((reports / f"{name}.json").read_text("utf-8")) for name in STUDIES}
    curve = found["learning"]["ppo, seed 0"]["curve"]
    assert [point["decisions"] for point in curve] == [0, 336, 672, 1344, 2016]
    tried = found["hyperparameters"]
    chosen = found["learning"]["imitation, seed 0"]["hyperparameters"]
    assert tried[hyperparameters.entry_name("imitation", chosen)]["greedy"] == max(
        share["greedy"] for name, share in tried.items() if "imitation" in name
    )
    table = found["cycles"]["cross table"]
    assert table["bots"] == ["random", "lowest", "greedy", "ppo, seed 0, 2,016"]
    assert sum(value for value, *_ in table["nash_weight"]) == pytest.approx(100, abs=0.05)
    assert table["win_shares"][2][2][0] == 25.0
    shares = np.array([[share for share, *_ in row] for row in table["win_shares"]])
    assert [mean for mean, *_ in table["means"]] == pytest.approx(shares.mean(axis=1), abs=0.01)
    before = (reports / "luck.json").stat().st_mtime_ns
    capsys.readouterr()
    main(["luck"])
    assert "luck.json has all entries" in capsys.readouterr().out
    assert (reports / "luck.json").stat().st_mtime_ns == before
    with pytest.raises(SystemExit):
        main(["luk"])
    assert "there is no study 'luk'; available: size, luck" in capsys.readouterr().err


def test_the_picture_has_the_values_of_the_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(charts, "save_figure", lambda _, figure: drawn.append(figure))
    charts.draw_why(Path("why.svg"))
    known, learned, cross, _ = drawn[0].axes
    points = [line.get_ydata()[0] for line in known.lines if line.get_marker() == "o"]
    entries = report("why/information").values()
    assert points == [each["win_share"][0] for each in entries]
    curves = learning_curves()["ppo"]
    last = np.mean([curve[-1]["greedy"] for curve in curves])
    of_the_legend, curve, *_ = learned.lines
    assert curve.get_ydata()[-1] == pytest.approx(last) and len(of_the_legend.get_ydata()) == 0
    table = np.array(report("why/cycles")["cross table"]["win_shares"])[..., 0]
    means = cross.images[0].get_array().mean(axis=1)
    assert means.tolist() == pytest.approx(sorted(table.mean(axis=1), reverse=True))


def test_wins_that_the_deal_decides_are_explained_and_coins_are_not() -> None:
    random = np.random.default_rng(0)
    decided = np.zeros((50, 4))
    decided[:, 2] = 1  # the same seat wins every time
    between, of_all = luck.variances(decided)
    assert between == pytest.approx(of_all) and of_all == pytest.approx(3 / 16)
    coins = np.eye(4)[random.integers(4, size=(400, 50))]  # (deals, repeats, seats)
    mean = np.mean([luck.variances(deal)[0] for deal in coins])
    assert abs(mean) < 3 * 3 / 16 / 50 / np.sqrt(400)


def test_a_seer_samples_the_true_hands_in_its_rounds_alone() -> None:
    games = RotatedDeals(CONFIG, 3, range(3), num_rotations=1)
    states = games.env.state(per_seat=True)
    hands = StateLayout(CONFIG).views(states)["hands"][:, 0]  # (games, players, cards)
    for rounds, is_true in (((1,), True), ((2, 3), False)):
        seer = information.Seer(CONFIG, rounds)
        seer.hands = hands
        observation = games.env.seen["observation"][:, 0]
        mask = games.env.seen["action_mask"][:, 0]
        seer.act(observation, mask, np.ones(3, bool), np.arange(3, dtype=np.uint64))
        for seer._row in range(3):
            arrays = seer._sampled_games(observation[seer._row], 5, np.random.default_rng(1))
            cards = np.sort(arrays[3][0][:, :7])  # (worlds, cards of the first opponent)
            true = np.flatnonzero(hands[seer._row, 1])
            assert (cards == true).all() == is_true
            # All hidden cards are dealt once, whatever is known.
            assert (np.sort(arrays[3][0]) == np.sort(arrays[3][0][0])).all()


def test_what_was_shown_is_forgotten_in_the_rounds_of_a_forgetful_search() -> None:
    env = BatchEnv(CONFIG, 4, autoreset=False)
    found, _ = env.reset(seed=1)
    for _ in range(CONFIG.turns_of(1)):
        found, *_ = env.step(found["action_mask"].argmax(axis=-1))
    seen = found["observation"][:, 0]
    given = []

    class Spy(information.Forgetful):
        def _choose(self, given_: Any, actions: Any) -> None:
            given.append(layout_of(CONFIG).views(given_.observation))
            super()._choose(given_, actions)

    for rounds in ((2,), (3,)):
        bot = Spy(CONFIG, rounds)
        mask = found["action_mask"][:, 0]
        bot.act(seen, mask, np.ones(4, bool), np.arange(4, dtype=np.uint64))
    forgot, kept = given
    assert not forgot["known"][:, 1:].any() and (forgot["unknown"][:, 1:] == 8).all()
    assert (kept["known"][:, 1:].sum(axis=2) == 7).all() and (kept["unknown"][:, 1:] == 1).all()
    assert layout_of(CONFIG).views(seen)["known"][:, 1:].any()  # what was given did not change


def test_circles_are_cyclic_and_strengths_are_not() -> None:
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], np.float64)
    strengths = np.array([0.3, 0.1, -0.4])
    order = strengths[:, None] - strengths[None]
    assert cycles.cyclic_part(circle) == pytest.approx(circle)
    assert cycles.cyclic_part(order) == pytest.approx(np.zeros((3, 3)))
    won = (circle + order)[..., None] + 0.5
    expected = (circle**2).sum() / ((circle + order) ** 2).sum()
    assert cycles.cyclic_share(won, won) == pytest.approx(expected)


def test_the_numbers_of_hidden_hands_and_plays() -> None:
    env = BatchEnv(CONFIG, 1, autoreset=False)
    found, _ = env.reset(seed=1)
    seen = layout_of(CONFIG).views(found["observation"][:, 0])
    hands = comb(49, 7) * comb(42, 7) * comb(35, 7)
    assert size.log10_hands(seen) == pytest.approx([log10(hands)])
    assert size.log10_plays(seen) == pytest.approx([log10(7 * 49**3)])
    assert size.num_unseen(seen) == [49]
    dealt = factorial(60) // (factorial(7) ** 4 * factorial(4) * factorial(20)) * factorial(5) ** 3
    assert size.log10_deals(CONFIG) == pytest.approx(log10(dealt))


def test_learners_are_compared_after_equally_many_decisions() -> None:
    assert hyperparameters.best("ppo_5M") == hyperparameters.best("ppo")
    curve = learning_curves()["ppo"][0]
    assert point_at(20_000_000, curve) == curve[-1]
    with pytest.raises(ValueError, match="no policy after about 5,000,000 decisions was kept"):
        point_at(5_000_000, curve)

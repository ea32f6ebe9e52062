"""The table before a turn, the help on its signs, the end of a round, and the end of the game."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from rich.text import Text

from mindup_agents.card_evaluation import EXPECTED_POINTS
from mindup_env.cards import COLOURS
from mindup_play.bots import BotChoice
from mindup_play.terminal.lines import (
    BOLD,
    HEIGHT,
    NAME_WIDTH,
    QUIET,
    WIDTH,
    Content,
    Lines,
    TerminalView,
    row,
    rows,
    signed,
    stacked,
)

_PLAY_WIDTH = 15
_LABEL_WIDTH = 10
_HELP = (
    ["terminal.help_bids"],
    ["terminal.help_columns"],
    ["terminal.help_rounds"],
    ["terminal.help_marks", "terminal.help_hands", "terminal.help_objectives"],
    ["terminal.help_answers"],
)
"""The paragraphs; the first of the signs stands below the shapes of the colours."""

Plain = dict[str, Any]


# The table before a turn


def table_screen(
    table: Plain,
    view: TerminalView,
    hand: Mapping[str, int],
    hint: BotChoice | None = None,
    sentence: str = "",
    odds: Sequence[float] = (),
) -> Lines:
    """The lines of the table; there is a line left for the question below.

    ``hand`` has the cards by the keys that play them. The ``sentence`` is about the ``hint``; its
    card takes each prize with the probability in ``odds``.
    """
    values = {name: table[name] for name in ("round", "turn")}
    values |= {"rounds": table["num_rounds"], "turns": table["num_turns"]}
    title = Text.assemble(("Mind Up!", BOLD), f"  {view.texts.get('table.progress', **values)}")
    keys = view.texts.get("terminal.help")
    blocks = [
        [row((title, WIDTH - len(keys)), ((keys, QUIET), len(keys)))],
        _objectives(table["objectives"], view),
        _prizes(table, view, odds),
        [line for player in range(len(view.names)) for line in _player(table, view, player)],
        [*_hand(hand, hint, view), *([row((sentence, WIDTH))] if sentence else [])],
    ]
    return stacked(blocks, HEIGHT - 1)


def _objectives(objectives: Sequence[Plain], view: TerminalView) -> Lines:
    """Points, condition, and the numbers of the players who meet it."""
    lines = []
    for objective in objectives:
        met = " ".join(str(player + 1) for player in objective["met_by"])
        condition = view.texts.get(f"objective.{objective['id']}")
        players = f"({met or view.texts.get('table.no_player')})"
        points = signed(objective["points"]), BOLD
        lines.append(Text.assemble(points, f" {condition}  ", (players, QUIET)))
    return lines


def _prizes(table: Plain, view: TerminalView, odds: Sequence[float]) -> Lines:
    """The prizes, the lowest first, above the players who played them."""
    width = (WIDTH - _LABEL_WIDTH) // len(view.names)
    from_deck = Text(view.texts.get("table.from_deck"), QUIET)
    texts = [f" {each:.0%}" for each in odds] or [""] * len(table["row"])
    prizes = [
        Text.assemble(view.card(each["prize"]), (text, QUIET))
        for each, text in zip(table["row"], texts, strict=True)
    ]
    players = [each["played_by"] for each in table["row"]]
    names = [
        from_deck if player is None else view.name(player, min(NAME_WIDTH, width - 1))
        for player in players
    ]
    label = view.texts.get("terminal.prizes"), BOLD
    return rows([_LABEL_WIDTH, *[width] * len(prizes)], [label, *prizes], ["", *names])


def _player(table: Plain, view: TerminalView, player: int) -> Lines:
    """Points and tableau; below, the last turn and what the others know of the hand."""
    seen, turn = table["players"][player], table["last_turn"]
    tableau = view.tableau(table["score_cards"], seen["tableau"])
    top = row(
        ((str(player + 1), QUIET), 2),
        (view.name(player), 13),
        ((str(seen["total"]), BOLD), -4),
        (f"({signed(seen['round_score']['total'])})", -6),
        ("", 2),
        (tableau, tableau.cell_len),
    )
    play = None if turn is None else _of_player(turn["plays"], player)
    result = "" if play is None else view.play(play["card"], play["prize"])
    hand = Text.assemble((f"{view.texts.get('terminal.hand')}  ", QUIET), view.cards(seen["known"]))
    if seen["hidden"]:
        hand.append(f"{' ' if seen['known'] else ''}{view.signs.hidden}{len(seen['hidden'])}")
    return [top, row(("", 2), (result, _PLAY_WIDTH), (hand, hand.cell_len))]


def _hand(hand: Mapping[str, int], hint: BotChoice | None, view: TerminalView) -> Lines:
    """The cards behind their keys; below, their values if a bot gives hints."""
    hinted, evaluation = (None, None) if hint is None else hint
    keys = [(key, "bold reverse" if card == hinted else BOLD) for key, card in hand.items()]
    cards = [
        Text.assemble(key, " ", view.card(card))
        for key, card in zip(keys, hand.values(), strict=True)
    ]
    widths = [card.cell_len + 2 for card in cards]
    if evaluation is None:
        return rows(widths, cards)
    form = ".1f" if evaluation.unit == EXPECTED_POINTS else ".0%"
    values = [(f"  {evaluation.values[card]:{form}}", QUIET) for card in hand.values()]
    return rows(widths, cards, values)


def help_screen(view: TerminalView) -> Lines:
    texts, signs = view.texts, view.signs
    shapes = "   ".join(
        f"{signs.shapes[colour]} {texts.get(f'colour.{colour}')}" for colour in COLOURS
    )
    paragraphs = [[texts.get(key, hidden=f"{signs.hidden}2") for key in keys] for keys in _HELP]
    paragraphs[-2].insert(0, shapes)
    blocks = (
        [Text(line) for text in texts for line in wrap(text, WIDTH - 1)] for texts in paragraphs
    )
    return stacked(blocks, HEIGHT - 1)


# The end of a round


def round_screen(table: Plain, view: TerminalView) -> Lines:
    """The tableaux of the round that has ended, and how each player's points came."""
    title = view.texts.get("play.round_over", round=len(table["round_scores"]))
    columns = table["round_columns"][-1]
    tableaux = []
    for player, own in enumerate(columns["players"]):
        cards = view.tableau(columns["score_cards"], [column["cards"] for column in own])
        number = str(player + 1), QUIET
        tableaux.append(row((number, 2), (view.name(player), 13), (cards, cards.cell_len)))
    objectives = _objectives(table["round_objectives"][-1], view)
    return stacked([[Text(title, BOLD)], tableaux, _parts(table, view), objectives], HEIGHT - 1)


def _parts(table: Plain, view: TerminalView) -> Lines:
    heads = ["terminal.turn", "terminal.last_card", "terminal.columns", "scores.bonus"]
    heads += ["terminal.objectives", "scores.round", "scores.total"]
    turn = table["last_turn"]
    lines: list[list[Content]] = []
    for player, score in enumerate(table["round_scores"][-1]):
        play = _of_player(turn["plays"], player)
        lines.append(
            [
                Text.assemble((f"{player + 1} ", QUIET), view.name(player)),
                view.play(play["card"], play["prize"]),
                view.card(_of_player(turn["last_cards"], player)["card"]),
                str(score["colour_points"]),
                signed(score["bonus_points"]),
                signed(score["objective_points"]),
                (str(score["total"]), BOLD),
                (str(table["players"][player]["score"]), BOLD),
            ]
        )
    titles = [(view.texts.get(head), QUIET) for head in heads]
    return rows([15, 16, 7, -9, -7, -9, -8, -8], ["", *titles], *lines)


def _of_player(entries: Iterable[Plain], player: int) -> Plain:
    return next(entry for entry in entries if entry["player"] == player)


# The end of the game


def end_screen(table: Plain, view: TerminalView) -> Lines:
    """Who won by how much, and the ranking with the points of each round."""
    result = [Text(line, BOLD) for line in wrap(_result(table, view), WIDTH)]
    margin = [Text(line) for line in wrap(_margin(table, view), WIDTH)]
    return stacked([[*result, *margin], _ranking(table, view)], HEIGHT - 1)


def _ranking(table: Plain, view: TerminalView) -> Lines:
    texts = view.texts
    rounds = [texts.get("scores.round_number", round=n + 1) for n in range(table["num_rounds"])]
    heads = [texts.get("scores.ranking"), *rounds, texts.get("scores.total")]
    lines: list[list[Content]] = []
    for entry in table["ranking"]:
        player, total = entry["player"], (str(entry["total"]), BOLD)
        points = [str(each[player]["total"]) for each in table["round_scores"]]
        lines.append([f"{entry['place']}.", view.name(player), *points, total])
    widths = [4, 14, *[-10] * (len(rounds) + 1)]
    return rows(widths, ["", *((head, QUIET) for head in heads)], *lines)


def _result(table: Plain, view: TerminalView) -> str:
    texts, winners = view.texts, table["winners"]
    others = _listed([player for player in winners if player != view.seat], view)
    if view.seat not in winners:
        return texts.get("table.won", count=len(winners), names=others)
    return texts.get("play.share_victory", names=others) if others else texts.get("play.you_won")


def _margin(table: Plain, view: TerminalView) -> str:
    """How far the person is behind the winners, or ahead of the next."""
    margin = table["margin"]
    if margin is None:
        return ""
    values = dict(margin["values"])
    if "place" in values:
        values["place"] = view.texts.get(f"ordinal.{values['place']}")
    return view.texts.get(margin["key"], names=_listed(margin["names"], view), **values)


def _listed(players: Sequence[int], view: TerminalView) -> str:
    names = [view.names[player] for player in players]
    if len(names) < 2:
        return "".join(names)
    return view.texts.get("terminal.and", first=", ".join(names[:-1]), last=names[-1])

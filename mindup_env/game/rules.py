"""The rules and the cards of a config, for a reader who knows nothing of the game."""

from itertools import groupby

from mindup_env.cards import COLOURS, Card
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.objectives import OBJECTIVES


def rules_text(config: GameConfig) -> str:
    """The rules, the cards and how to read ``observation_text``, for a language model."""
    parts = [
        _introduction(config),
        _turn(config),
        _round(config),
        *([_next_round(config)] if config.num_rounds > 1 else []),
        *([_objectives(config)] if config.num_objectives else []),
        _end(config),
        _cards(config.deck),
        _LEGEND,
    ]
    return "\n\n".join(parts)


def _introduction(config: GameConfig) -> str:
    players, cards = config.num_players, config.num_cards
    order = f"always {_listed(config.score_order)}" if config.score_order else "random"
    return f"""\
You play Mind Up!, a card game of simultaneous bids, against {_number(players - 1, "opponent")}. \
The player with the most points wins.

Set-up. The deck has {_number(cards, "card")}, numbered 1 to {cards}; each has one of \
{len(COLOURS)} colours and a bonus (or a malus) in points. Each of the {players} players is dealt \
{config.hand_size} cards, which only their owner sees. {players} more cards lie face up in \
ascending order: the row of prizes. The score cards {_listed(SCORE_CARDS)} are the heads of \
{len(SCORE_CARDS)} columns in front of each player. Their order, from left to right, is {order}, \
and the same for all players."""


def _turn(config: GameConfig) -> str:
    return f"""\
A turn. All players choose one card of their hand at the same time, and reveal them together. The \
lowest of these cards takes the lowest prize of the row, the second lowest card takes the second \
lowest prize, and so on: the player of the highest card takes the highest prize. Each player adds \
the prize to their own tableau: to the column of its colour or, if the tableau has no card of this \
colour yet, to the leftmost empty column. All cards of a column have the same colour. The \
{config.num_players} cards that were played are, in ascending order, the prizes of the next turn."""


def _round(config: GameConfig) -> str:
    turns = [config.turns_of(round_) for round_ in range(1, config.num_rounds + 1)]
    objectives = ", plus the points of the objectives that are met" * (config.num_objectives > 0)
    lengths = (
        f"The {_number(len(turns), 'round')} have {_listed(turns)} turns."
        if len(turns) > 1
        else f"This game has one round of {_number(turns[0], 'turn')}."
    )
    return f"""\
A round ends when each player has one card left. This card is not played: it goes into its owner's \
tableau, by the same rule of placement. Then each player scores, for each column, the value of its \
score card times the number of cards in the column, plus the bonus or malus of every card in the \
tableau{objectives}. {lengths}"""


def _next_round(config: GameConfig) -> str:
    order = "keep their order" if config.score_order else "get a new random order"
    return f"""\
The next round. Each player takes all cards of their own tableau back: they are the next \
hand, together with one card that is drawn from the deck and that only its owner sees. So a hand \
of round 2 has {config.hand_size + 1} cards, and all of them except the drawn one are known to \
everybody. The tableaux are empty again, the score cards {order}, and the row \
stays: the cards played last are the first prizes."""


def _objectives(config: GameConfig) -> str:
    stay = "They are the same in all rounds. " if config.num_rounds > 1 else ""
    renewed = "Each round has new ones, and one that was shown does not return. "
    letters = groupby(OBJECTIVES, key=lambda objective: objective.letter)
    lines = [
        f"{letter}  " + "; ".join(f"{each.points:+d} {each.condition}" for each in objectives)
        for letter, objectives in letters
    ]
    all_objectives = "\n".join(lines)
    return f"""\
Objectives. The number of objectives on the table is {config.num_objectives}. \
{renewed if config.objectives_renewed and config.num_rounds > 1 else stay}\
At the end of a round, after the last cards are placed, each player who meets the condition of an \
objective scores its points, which can be negative; several players can meet the same one. A tie \
meets "nobody has more" and "nobody has fewer", also with no card of the colour, and equal numbers \
meet "no fewer". A condition on the place of a colour is not met without a card of that colour. \
Two objectives of the same letter are never on the table together. "met by" names the players who \
would score an objective if the round ended now. All objectives by letter:
{all_objectives}"""


def _end(config: GameConfig) -> str:
    if config.num_rounds == 1:
        return "The end. The player with the highest score wins; equal players share the victory."
    return f"""\
The end. After round {config.num_rounds}, the player with the highest total of all rounds wins. In \
a tie, the higher score of round {config.num_rounds} decides; players who are equal in this too \
share the victory."""


def _cards(deck: tuple[Card, ...]) -> str:
    lines = []
    for colour in COLOURS:
        cards = [str(card).replace(f" {colour}", "") for card in deck if card.colour == colour]
        lines.append(f"{colour}: {', '.join(cards) or 'none'}")
    return "The cards by colour, each with its bonus or malus if it has one:\n" + "\n".join(lines)


_LEGEND = """\
How to read the table. You are "you"; the players after you, in seat order, are "you+1", "you+2" \
and so on. "played by" names who played each prize in the last turn. The line "score cards" has \
the value of each column in brackets; below it, each player has a line with the colour and the \
cards of each column (a dot is an empty column), the colour and bonus points of this round so far, \
and the total of the finished rounds. In the lines of hands, a card in parentheses is known to its \
owner alone, and (?) is one that you do not know."""


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _listed(numbers: list[int] | tuple[int, ...]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last

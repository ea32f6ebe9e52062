"""The rules and the cards of a config, for a reader who knows nothing of the game."""

from mindup_env.cards import COLOURS, OBJECTIVES
from mindup_env.config import GameConfig

_RULES = """\
Mind Up! is a card game of simultaneous bids. The player with the most points wins.

This game has {players} players and {rounds}, of {turns}. The deck has {cards} cards, numbered \
from 1; each has one of {colours} colours and a bonus or malus in points. A hand of the first \
round has {hand_size} cards.

Set-up. Each player is dealt a hand, which only its owner sees. As many cards as there are \
players lie face up in ascending order: the row of prizes. The score cards 1 to 5 are the heads \
of five columns in front of each player. Their order, from left to right, is the same for all \
players: {order}.

A turn. All players choose one card of their hand at the same time, and reveal them together. The \
lowest of these cards takes the lowest prize of the row, the second lowest card takes the second \
lowest prize, and so on. Each player adds the prize to their own tableau: to the column of its \
colour or, if the tableau has no card of this colour yet, to the leftmost empty column. The cards \
that were played are, in ascending order, the prizes of the next turn.

A round ends when each player has one card left. This card is not played: it goes into its \
owner's tableau, by the same rule of placement. Then each player scores, for each column, the \
value of its score card times the number of cards in the column, plus the bonus or malus of every \
card in the tableau, plus the points of the objectives that are met if there are objectives.

The next round, if there is one. Each player takes all cards of their own tableau back: they are \
the next hand, together with one card that is drawn from the deck and that only its owner sees. \
So all cards of this hand except the drawn one are known to everybody. The tableaux are empty \
again, and the row stays: the cards played last are the first prizes.

The end. The player with the highest total of all rounds wins. In a tie, the higher score of the \
last round decides; players who are equal in this too share the victory.
"""
_OBJECTIVES = """
Objectives. In each round, {number} of these are on the table, never two of the same letter; \
{renewed}. At the end of a round, after the last cards are placed, each player who meets the \
condition of an objective scores its points, which can be negative; several players can meet the \
same one. A tie meets "nobody has more" and "nobody has fewer", also with no card of the colour, \
and equal numbers meet "no fewer". A condition on the place of a colour is not met without a card \
of that colour. "met by" names the players who would score an objective if the round ended now.
{objectives}
"""
_CARDS = """
The cards by colour, each with its bonus or malus if it has one:
{cards}

How to read the table. You are "you"; the players after you, in seat order, are "you+1", "you+2" \
and so on. "played by" names who played each prize in the last turn. The line "score cards" has \
the value of each column in brackets; below it, each player has a line with the colour and the \
cards of each column (a dot is an empty column), the colour and bonus points of this round so \
far, and the total of the finished rounds. In the lines of hands, a card in parentheses is \
known to its owner alone, and (?) is one that you do not know."""


def rules_text(config: GameConfig) -> str:
    """The rules, the cards and how to read ``observation_text``, for a language model."""
    rounds = range(1, config.num_rounds + 1)
    turns = [str(config.turns_of(round_)) for round_ in rounds]
    order = "a random one in each round"
    text = _RULES.format(
        players=config.num_players,
        rounds=f"{len(rounds)} round{'s' * (len(rounds) > 1)}",
        turns=f"{', '.join(turns)} turns",
        cards=config.num_cards,
        colours=len(COLOURS),
        hand_size=config.hand_size,
        order=", ".join(map(str, config.score_order)) if config.score_order else order,
    )
    if config.num_objectives:
        lines = [f"{each.letter}  {each.points:+d} {each.condition}" for each in OBJECTIVES]
        text += _OBJECTIVES.format(
            number=config.num_objectives,
            renewed="a used one does not return" if config.objectives_renewed else "they stay",
            objectives="\n".join(lines),
        )
    lines = []
    for colour in COLOURS:
        cards = [str(card) for card in config.deck if card.colour == colour]
        own = ", ".join(cards).replace(f" {colour}", "")
        lines.append(f"{colour}: {own or 'none'}")
    return text + _CARDS.format(cards="\n".join(lines))

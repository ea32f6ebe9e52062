"""The rules and the cards of a config, for a reader who knows nothing of the game."""

from pathlib import Path

from mindup_env.cards import COLOURS, OBJECTIVES
from mindup_env.config import GameConfig

# Without a config: the rules, the objectives, and the cards with how to read the table.
_TEXTS = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
_RULES, _OBJECTIVES, _CARDS = _TEXTS.split("====\n")


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
    return text + _CARDS.rstrip().format(cards="\n".join(lines))

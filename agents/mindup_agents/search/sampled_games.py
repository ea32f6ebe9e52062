"""The sampled games of one decision: what the seat knows, completed by a hidden part."""

from typing import Any

from mindup_agents.heuristics.determinization import deal_hidden_cards, write_deck
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.playout import copy_deal, copy_values
from mindup_env.belief.sampling import HiddenPart
from mindup_env.engine.compiler import called
from mindup_env.engine.state import Games, Rules

SearchArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games and KnownCards (what each seat sees), HiddenPart (of the sampled games
of one seat), Games and KnownCards (of one game that is played on), PlayoutState and Workspace."""


@called
def write_sampled_game(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    hidden: HiddenPart,
    sample: int,
    copy: Games,
) -> None:
    """Completes the hands of game ``g``, and the deal of game 0 of ``copy``."""
    deal_hidden_cards(rules, games, known, g, hidden.cards[sample])
    copy_deal(games, g, copy)
    write_deck(rules, games, known, g, hidden.cards[sample], copy)
    next_round = rules.round_at[games.clock[g]] + 1
    for later in range(rules.num_rounds - next_round):
        score_cards, objectives = (
            hidden.score_cards[sample, later],
            hidden.objectives[sample, later],
        )
        copy_values(score_cards, copy.score_cards[0, next_round + later])
        copy_values(objectives, copy.objectives[0, next_round + later])

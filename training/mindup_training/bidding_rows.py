"""What rows of the features raw-1 or memory-1 show, as the network ``bidding-1`` reads them."""

from typing import NamedTuple

import torch
from torch import Tensor

from mindup_agents.policy.bidding.facts import LEAST_POINTS, POINTS, BiddingFacts
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import SCORE_CARDS


class Seen(NamedTuple):
    """What B rows show of the P places of the table and of C cards; the viewer is the first."""

    table: Tensor  # (B, entries) the table of the row
    blocks: Tensor  # (B, P, block) everything public about each player
    hand: Tensor  # (B, C) 1 for each card in the viewer's hand
    known: Tensor  # (B, P, C) 1 for each public card in a hand
    unknown: Tensor  # (B, P) how many other cards are in it
    hidden: Tensor  # (B, C) 1 for each card whose place is not public
    prizes: Tensor  # (B, P) the card at each place of the row
    colours: Tensor  # (B, P, colours, COLOUR_FACTS) what each colour is worth to each player
    models: Tensor  # (B, P - 1, remembered models) how likely each model of an opponent is
    of_hands: Tensor  # (B, P, HAND_FACTS, C) what each card is beside the others of each hand


def read_rows(at: BiddingFacts, rows: Tensor, card_is_colour: Tensor, card_bonus: Tensor) -> Seen:
    """What rows show. No gradient needs it."""
    table = rows[:, : at.size]
    batch, places, cards = len(rows), at.places, at.num_cards
    blocks = table[:, at.players : at.players + places * at.block].contiguous()
    blocks = blocks.view(batch, places, at.block)
    row = table[:, at.row : at.row + cards]
    # The places of the row are entries of 1 / players, 2 / players and so on.
    at_place = (row * places).round().long()
    of_cards = torch.arange(cards, device=rows.device).expand(batch, cards)
    prizes = at_place.new_zeros(batch, places + 1).scatter(1, at_place, of_cards)[:, 1:]
    tableaux = blocks[..., at.tableaux : at.tableaux + cards]
    known = blocks[..., at.known : at.known + cards]
    hidden = 1 - ((tableaux + known).sum(1) + (row > 0)).clamp(max=1)
    columns = (blocks[..., at.columns : at.columns + NUM_COLOURS] * NUM_COLOURS).round().long()
    is_open = columns > 0
    used = is_open.sum(2, keepdim=True)
    column = torch.where(is_open, columns - 1, used).clamp(max=NUM_COLOURS - 1)
    scores = table[:, at.score_cards : at.score_cards + NUM_COLOURS] * max(SCORE_CARDS)
    scores = scores.unsqueeze(1).expand(batch, places, NUM_COLOURS).gather(2, column)
    others = (scores.sum(1, keepdim=True) - scores) / (places - 1)
    opens = (~is_open).float()
    facts = torch.stack([scores / POINTS, opens, opens * scores / POINTS, others / POINTS], 3)
    hand = table[:, at.hand : at.hand + cards]
    worth = scores @ card_is_colour + card_bonus
    models = table[:, at.memory : at.memory + (places - 1) * at.remembered]
    return Seen(
        table,
        blocks,
        hand,
        known,
        blocks[..., at.unknown] * at.most_unknown,
        hidden,
        prizes,
        facts,
        models.reshape(batch, places - 1, at.remembered),
        _hand_facts(hand, known, worth),
    )


def _hand_facts(hand: Tensor, known: Tensor, worth: Tensor) -> Tensor:
    """HAND_FACTS of cards (B, P, HAND_FACTS, C), by their points ``worth`` to each player."""
    held = torch.cat([hand.unsqueeze(1), known[:, 1:]], 1)
    # Points count from the least here, so that a product with 0 or 1 leaves out other cards.
    worth = worth - LEAST_POINTS
    kept = worth * held
    best = kept.amax(2, keepdim=True)
    is_best = held * (worth >= best)
    second = (kept - kept * is_best).amax(2, keepdim=True)
    second = torch.where(is_best.sum(2, keepdim=True) > 1, best, second)
    other = best - is_best * (best - second)
    by_how_many = (worth - other).clamp(min=0)
    return torch.stack([known, by_how_many / POINTS, (other + LEAST_POINTS) / POINTS], 2)

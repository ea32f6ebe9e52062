"""The network ``bidding-1``: it has the shape of the game.

It reads the observation (the features ``raw-1``) and predicts which card each opponent plays. From
that follows exactly how likely each card of the hand takes each prize, and each card is scored by
what it takes.

- ``facts``: where the network finds what it reads, and its sizes
- ``arrays``: the tensors of its weights, and the other arrays of the compiled network
- ``predictions``: which card each opponent plays, in compiled code
- ``compiled``: the whole network in compiled code, to play
"""

from mindup_agents.policy.bidding.arrays import bidding_shapes
from mindup_agents.policy.bidding.facts import BIDDING, BiddingFacts

__all__ = ["BIDDING", "BiddingFacts", "bidding_shapes"]

"""The bot ``champion``: plays every card in sampled games, which trained networks value.

Its networks are the results of ``mindup train champion --players N``.

- ``bot``: how it chooses a card
- ``dropping``: after how many sampled games cards are dropped, and which
- ``evaluation``: the value of each card, from sampled games that are played on
- ``opponents``: what the opponents' cards say about their models; networks as models
- ``last_turn``: the games before the last turn, with the cards that were played in it
- ``networks``: the files of the networks; ``compiled_network`` computes them
- ``seat_networks``: networks that read the position of any seat
- ``position``: the features that they read; ``position_parts`` writes them, in the arrays of
  ``position_workspace``, and ``feature_shape`` says where each is
"""

from mindup_agents.champion.bot import Champion

__all__ = ["Champion"]

"""Bots that play every card in sampled games, which trained networks value.

- ``champion``: such a bot with the networks of its package
- ``bot``: how it chooses a card
- ``network_folder``: where networks are
- ``evaluation``: the value of each card, from sampled games that are played on
- ``opponents``: what the opponents' cards say about their models; networks as models
- ``seat_networks``: networks that read the position of any seat
"""

from mindup_agents.lookahead.champion import Champion

__all__ = ["Champion"]

"""The bot ``champion-2``: sampled games, models of the opponents, and trained networks.

- ``bot``: the bot
- ``network_folder``: where its networks are
- ``lookahead``: the value of each card, from sampled games that are played on
- ``opponents``: what the opponents' cards say about their models; networks as models
- ``seat_networks``: networks that read the position of any seat
"""

from mindup_agents.champion_2.bot import Champion2

__all__ = ["Champion2"]

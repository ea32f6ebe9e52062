"""How champion-2 chooses cards: sampled games, models of the opponents, and trained networks.

- ``bot``: the bot
- ``network_folder``: where its networks are
- ``evaluation``: the value of each card, from sampled games that are played on
- ``opponents``: what the opponents' cards say about their models; networks as models
- ``seat_networks``: networks that read the position of any seat
"""

"""What the thinking bots share, compiled.

- ``observed``: what seats see, as games of their own
- ``workspace``: memory for one decision to be thought through in
- ``worth``: what a card would add to a tableau
- ``odds``: how likely a card takes which prize
- ``worlds``: the hidden cards dealt in one of the ways they could lie
- ``forecast``: what the others are expected to play, learnt from what they played
- ``play_out``: sampled games played on by models of the players
- ``bot``: the form of a bot that thinks
"""

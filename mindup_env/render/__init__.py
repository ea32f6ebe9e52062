"""The table of a game as a picture, drawn by pygame, and a window to watch it in.

- ``picture``: ``draw`` and ``save``; the headline, the prizes, the objectives, the legend
- ``seat``: one player: scores, tableau, hand; the cards and their points
- ``canvas``, ``palette``: smooth shapes and text in any size; the colours
- ``modes``: the render modes of the environments
"""

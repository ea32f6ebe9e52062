"""The table of a game as a picture, drawn by Pillow.

- ``picture``: ``draw``: the headline, the prizes, the objectives, the seats, the legend
- ``canvas``: boxes, symbols and text with smooth edges
- ``modes``: the render modes of the environments
"""

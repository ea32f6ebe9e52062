"""The table of a game as a picture, drawn by Pillow.

- ``picture``: ``draw``: the prizes, the objectives, and a line for each seat
- ``canvas``: boxes, symbols and text with smooth edges
- ``modes``: the render modes of the environments
"""

"""Screenshots of the pages in their states: to look at after a change, and for the documents.

``python -m tools.pictures FOLDER [SCENE ...]`` takes scenes at four sizes; ``make pictures`` draws
the pictures of the documents. Both need Chromium.
"""

from pathlib import Path

IMAGES = Path(__file__).parents[2] / "docs" / "images"

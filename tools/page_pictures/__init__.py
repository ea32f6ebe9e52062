"""Screenshots of the playable page in its states, at four sizes, to look at after a change.

``python -m tools.page_pictures FOLDER [SCENE ...]`` writes them; it needs Chromium.
"""

"""The pages of the browser: a game to play, a recorded one, and what both share."""

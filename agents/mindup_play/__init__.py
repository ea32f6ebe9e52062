"""Playing against bots: in the browser, by a small server on this machine, or at the terminal."""

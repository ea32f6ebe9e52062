"""The game for people: in the browser, from a small server on this machine, or at the terminal.

command.py           ``mindup play``
settings.py          what a game is started with: players, objectives, seed, seat, bots
session.py           one game of a person against bots
bots.py              the bots of a session
background_worker.py the thread in which they choose
session_manager.py   the session that is served, behind a lock
saved.py             an unfinished game on disk
server.py            the HTTP server; routes.py has its routes, served_files.py its files
terminal.py          the game at the terminal
table_state.py       a table as JSON, as the pages draw it
game_log.py          the turns of a game as text
records.py           reading recorded games
replay.py            ``mindup replay``; replay_page.py writes a recorded game as one page
web/                 the pages: HTML, CSS, JavaScript
languages/           the texts of the pages and of terminal play, by language
"""

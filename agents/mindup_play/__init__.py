"""Playing the game: in the browser, from a small server on this machine, or at the terminal.

command.py           ``mindup play``
settings.py          what a game is started with: players, objectives, seed, seat, bots
session.py           one game of a person against bots
bots.py              the bots of a session
background_worker.py the thread in which they choose
preparation.py       compiles hints and reviews once, in a process that runs prepare.py
session_manager.py   the session that is served, behind a lock
offer.py             what the new-game screen offers
measured_bots.py     its bots, the defaults among them; bot_scores.json has their scores
page_state.py        a game as the page is told about it
saved.py             games on disk
recorded_deal.py     a deal to play again, from a record
browser.py           serves a page and opens it, until Ctrl-C
server.py            the HTTP server; routes.py has its routes, served_files.py its files,
                     request_content.py reads requests
terminal/            the game at the terminal
table_state.py       a table as JSON, as the pages draw it
game_log.py          the turns of a game as text
records.py           reading recorded games
replay.py            ``mindup replay``; replay_page.py writes a recorded game as one page
replay_files.py      that page, as one file or from the server
review/              what every choice of a game cost
watch/               games of bots alone
web/                 the pages: HTML, CSS, JavaScript
languages/           the texts of the pages and of terminal play, by language
"""

"""Writes the golden files: ``make golden``. Read the difference before you commit it."""

from mindup_env.runs.files import write_text
from tools.golden import choices, games

for name, config in games.configs().items():
    write_text(games.path_of(name), games.playthrough(config))
    print(f"wrote {games.path_of(name).name}")
for name in choices.BASELINES:
    write_text(choices.path_of(name), choices.all_choices(name))
    print(f"wrote {choices.path_of(name).name}")

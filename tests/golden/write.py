"""Writes the golden games afresh: ``make golden``. Read the difference before you commit it."""

from mindup_env.files import write_text
from tests.golden.games import configs, path_of, playthrough

for name, config in configs().items():
    write_text(path_of(name), playthrough(config))
    print(f"wrote {path_of(name).name}")

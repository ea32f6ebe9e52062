"""What is missing is named, with the command that installs it."""

import pytest

from mindup_env.extras import require


def test_what_is_installed_is_accepted() -> None:
    require("this test", "dev", "json", "pytest")


def test_what_is_missing_is_named() -> None:
    with pytest.raises(
        ValueError, match=r"the arena needs no_such, nor_this: .*mindup-env\[arena\]"
    ):
        require("the arena", "arena", "json", "no_such", "nor_this")

"""What is missing is named, with the command that installs it."""

from importlib import import_module
from importlib.util import find_spec

import pytest

from mindup_env.settings.extras import require


@pytest.mark.skipif(find_spec("torchrl") is not None, reason="TorchRL is installed")
def test_the_environment_of_torchrl_says_what_it_needs() -> None:
    with pytest.raises(ImportError, match=r"needs TorchRL: pip install 'mindup-env\[torchrl\]'"):
        import_module("mindup_env.torchrl")


def test_what_is_installed_is_accepted() -> None:
    require("this test", "dev", "json", "pytest")


def test_what_is_missing_is_named() -> None:
    with pytest.raises(
        ValueError, match=r"the arena needs no_such, nor_this: .*mindup-env\[arena\]"
    ):
        require("the arena", "arena", "json", "no_such", "nor_this")

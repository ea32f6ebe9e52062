"""`mindup doctor`: what is installed and how fast it is, in words."""

from importlib.metadata import version

import pytest

from mindup_env import cli
from mindup_env.bench import doctor


def told(capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["doctor", "--seconds", "0.01"]) == 0
    return capsys.readouterr().out


def test_it_tells_versions_the_cache_and_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys)
    for name in ("mindup-env", "numpy", "numba", "gymnasium", "pettingzoo"):
        assert version(name) in text
    assert "cached in" in text and "decisions/s" in text and "extra train" in text
    assert "extra dev" not in text


def test_an_extra_that_is_missing_is_told_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "scipy" else "1.0")
    lines = dict(doctor.installed())["extra arena"]
    assert lines == "missing scipy: pip install 'mindup-env[arena]'"


def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "cache_folder", lambda _: None)


def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor._settings, "DISABLE_JIT", 1)


def ray_beside_a_newer_gymnasium(monkeypatch: pytest.MonkeyPatch) -> None:
    ray_with(monkeypatch, "1.4.0")


def ray_with(monkeypatch: pytest.MonkeyPatch, gymnasium: str) -> None:
    monkeypatch.setattr(doctor, "_version", {"ray": "2.60", "gymnasium": gymnasium}.get)
    asked = ["click", 'gymnasium==1.2.2; extra == "rllib"']
    monkeypatch.setattr(doctor, "requires", {"ray": asked}.get)


def two_pygames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", {"pygame": "2.6", "pygame-ce": "2.5"}.get)


def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("arrange", "said"),
    [
        (no_cache, "every start compiles"),
        (uncompiled, "without compiled code"),
        (ray_beside_a_newer_gymnasium, "requires gymnasium 1.2.2, but 1.4.0 is installed"),
        (two_pygames, "uninstall pygame"),
        (no_display, "no display found"),
    ],
)
def test_what_is_in_the_way_is_told(
    arrange: object, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(arrange)
    arrange(monkeypatch)
    assert any(said in problem for problem in doctor.problems())


def test_where_nothing_is_in_the_way_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ray_with(monkeypatch, "1.2.2")
    monkeypatch.setattr(doctor._settings, "DISABLE_JIT", 0)
    monkeypatch.setenv("DISPLAY", ":0")
    assert list(doctor.problems()) == []


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_that_cannot_be_measured_is_refused(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["doctor", f"--seconds={seconds}"]) == 2
    assert "seconds must be " in capsys.readouterr().err

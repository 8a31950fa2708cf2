"""Shared by all tests: repeatable examples, drawing without a screen, and the browser that opens pages."""

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and day; HYPOTHESIS_PROFILE=explore searches anew.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

os.environ["MPLBACKEND"] = "Agg"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Path of a Chromium. A machine without one fails the test, unless GAMBOL_TEST_BROWSER=none is set."""
    return _path_of(BROWSERS, "Chromium", "GAMBOL_TEST_BROWSER")


@pytest.fixture(scope="session")
def firefox_path() -> str:
    """Path of a Firefox. A machine without one fails the test, unless GAMBOL_TEST_FIREFOX=none is set."""
    return _path_of(("firefox-esr", "firefox"), "Firefox", "GAMBOL_TEST_FIREFOX")


def _path_of(names: tuple[str, ...], browser: str, variable: str) -> str:
    """The path of the first of some programs, or of that which an environment variable names."""
    expected = os.environ.get(variable, "")
    if expected == "none":
        pytest.skip(f"{variable}=none: no page was opened")
    for name in (expected,) if expected else names:
        if path := shutil.which(name):
            return path
    pytest.fail(f"no {browser} on PATH: install one, name it in {variable}, or set that to none to go without")


@pytest.fixture(scope="session", autouse=True)
def _programs_of_the_run(tmp_path_factory: pytest.TempPathFactory):
    """Programs are compiled once per test run, by whichever process needs one first.

    They are not optimised, which saves two thirds of the time of LLVM, unless GAMBOL_OPTIMISE is 1. Their results have
    the same bits, which tests/lanes compares.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMBOL_CACHE", str(shared / "programs"))
        patch.setenv("GAMBOL_OPTIMISE", os.environ.get("GAMBOL_OPTIMISE", "0"))
        yield

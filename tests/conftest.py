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
    expected = os.environ.get("GAMBOL_TEST_BROWSER", "")
    if expected == "none":
        pytest.skip("GAMBOL_TEST_BROWSER=none: no page was opened")
    for name in (expected,) if expected else BROWSERS:
        if path := shutil.which(name):
            return path
    pytest.fail("no Chromium on PATH: install one, name it in GAMBOL_TEST_BROWSER, or set that to none to go without")


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_run(tmp_path_factory: pytest.TempPathFactory):
    """Programs are compiled once per test run, by whichever process needs one first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMBOL_CACHE", str(shared / "programs"))
        yield

"""Programs compiled by these tests are stored in a separate folder, so that no run depends on an earlier one."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory):
    before = os.environ.get("GAMBOL_CACHE")
    os.environ["GAMBOL_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    del os.environ["GAMBOL_CACHE"]
    if before is not None:
        os.environ["GAMBOL_CACHE"] = before

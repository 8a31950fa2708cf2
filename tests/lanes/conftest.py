"""Programs of these tests are optimised, and stored in a separate folder, so that no run depends on an earlier one."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMBOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("GAMBOL_OPTIMISE", "1")
        yield

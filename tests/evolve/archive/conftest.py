"""A folder for tests of archives with limited permissions."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of an unprivileged user, as whom this test runs."""
    folder = Path(tempfile.mkdtemp(prefix="gambol-test-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(0)
    else:
        yield folder
    shutil.rmtree(folder)

"""Damaged files and bombs: every reader returns a valid result, or refuses them with an error that names the file.

A case that fails is run again, alone, by `python -m fuzzing.running NUMBER`; see tests/fuzzing/running.py.
"""

import os

import pytest
from fuzzing.bombs import BOMBS
from fuzzing.readers import READERS
from fuzzing.running import Tally, run_cases

QUICK, MANY = 2_000, 100_000
ONCE_QUADRATIC = (
    "urdf newlines",
    "urdf 1900 impossible links",
    "figure dotted key",
    "figure dotted header",
    "figure 20000 links",
    "stl sphere",
    "script reads double",
    "script broken lines",
)
"""Bombs that once took ten seconds or more, and now take no longer than other files of their size."""
PROCESSES = min(2, os.cpu_count() or 1)


def check(tally: Tally, count: int) -> None:
    failures = "\n".join(f"case {job}: {message}" for job, message in list(tally.failures.items())[:20])
    assert not tally.failures, f"{len(tally.failures)} cases failed\n{failures}"
    assert tally.counts.total() == count


def test_damaged_files_are_read_or_refused():
    tally = run_cases(list(range(QUICK)), PROCESSES)
    check(tally, QUICK)
    for reader in READERS:  # the damage is neither harmless nor total
        assert tally.counts[reader.name, "read"]
        assert tally.counts[reader.name, "refused"]


def test_what_was_quadratic_is_read_or_refused():
    tally = run_cases(list(ONCE_QUADRATIC), 1)
    check(tally, len(ONCE_QUADRATIC))


@pytest.mark.slow
def test_bombs_are_read_or_refused():
    check(run_cases(list(BOMBS), PROCESSES), len(BOMBS))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_a_hundred_thousand_damaged_files_are_read_or_refused(block: int):
    size = MANY // 10
    check(run_cases(list(range(QUICK + block * size, QUICK + (block + 1) * size)), PROCESSES), size)

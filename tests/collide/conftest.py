"""Tests of a module draw the same random numbers in any order and selection."""

from typing import Any

import pytest

STARTS: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def same_numbers(request: pytest.FixtureRequest) -> None:
    generator = getattr(request.module, "RNG", None)
    if generator is not None:
        state = generator.bit_generator.state
        generator.bit_generator.state = STARTS.setdefault(request.module.__name__, state)

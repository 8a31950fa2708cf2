"""The count of modules that execute: it finds those of a small function, and the counts reached are not exceeded."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.modules_executed import COUNTS, executed_modules
from gambol.spatial import Vector
from gambol.spatial.rotation import Rotation


def turned() -> Vector:
    return Rotation.about_coordinate(0, 0.6, 0.8) @ Vector(0.0, 1.0, 0.0)


def test_only_modules_of_executed_functions_count():
    assert executed_modules(turned) == ["spatial.rotation", "spatial.vector"]
    assert executed_modules(lambda: None) == []


def test_modules_that_execute_in_threads_count():
    def work() -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(turned).result()

    assert executed_modules(work) == executed_modules(turned)


@pytest.mark.parametrize("name", COUNTS)
def test_no_count_exceeds_the_one_reached(name: str):
    modules = COUNTS[name].modules()
    assert len(modules) <= COUNTS[name].most, f"{name} executes {len(modules)} modules: {modules}"

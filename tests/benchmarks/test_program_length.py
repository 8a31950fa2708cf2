"""The largest scene of the benchmarks stays short enough for the optimising compiler, which is 3 to 4 times faster."""

import pytest

from benchmarks.contact.motion import GambolWorlds
from gambol.lanes.cpu import compiler


class Compiled(Exception):
    """Raised in place of compiling."""


def test_a_humanoids_step_is_compiled_optimised(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """One long function prevents optimisation of the program: rarely needed solvers must be separate functions."""
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path))
    longest = []

    def measured(text: str, *_: object, **_options: object) -> bytes:
        longest.append(max(function.count("\n") for function in text.split("\ndefine ")))
        raise Compiled

    monkeypatch.setattr(compiler, "object_code", measured)
    with pytest.raises(Compiled):
        GambolWorlds("humanoid", 3.4e-3, "float32", 4).run()
    assert longest[0] <= compiler.MAX_OPTIMISED_LINES, "the humanoid's step has a function too long to be optimised"

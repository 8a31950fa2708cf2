"""Modules in the cache: the same module as one that is written anew, without a trace of its program."""

from gambol.lanes import ProgramSpec, sin
from gambol.lanes.wasm import stored_module, wasm_module


def test_a_stored_module_is_the_written_one_and_is_not_traced_again(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path))
    traces = []

    def waves(numbers, x):
        traces.append(x)
        return [sin(x) * n for n in numbers], [x]

    spec = ProgramSpec("waves", waves, ([0.0] * 3, 0.0), key="waves")
    written = stored_module(spec, "float32")
    assert stored_module(spec, "float32") == written == wasm_module(spec, "float32", uniform=True)
    assert len(traces) == 2  # by the first call, and for the comparison
    assert stored_module(spec, "float64") == wasm_module(spec, "float64", uniform=True)


def test_a_program_without_a_key_is_not_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path))
    spec = ProgramSpec("sine", lambda x: ([sin(x)],), (0.0,))
    assert stored_module(spec) == wasm_module(spec, uniform=True)
    assert not list(tmp_path.rglob("*.gambol"))

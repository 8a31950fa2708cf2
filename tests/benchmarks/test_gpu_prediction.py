"""The prediction of speeds on a graphics processor: its bounds, worked out by hand, and what it counts."""

from benchmarks import gpu_prediction
from benchmarks.gpu_cases import ARCHITECTURE, landing_case
from gambol.lanes.gpu.ptx import kernel_text
from gambol.lanes.gpu.threads import kernel_source


def test_bounds_of_a_row():
    """132 x 4 x 32 x 1.98e9 = 33,454e9 instructions/s, 132 x 128 x 1.98e9 bytes/s of shared memory, 4.8e12 bytes/s."""
    single = {"fma.f32": 99.0, "div.f32": 1.0, "neg.f32": 7.0, "stack bytes": 1000.0, "shared bytes": 2000.0}
    row = gpu_prediction.row_of("a", "float32", single, 200)  # 99 + 10 cycles
    assert row == "| a | float32 | 100 | 1 | 1.0 | 2.0 | 0.2 | 306,918 | 16,727 | 4,000 |"
    double = {"fma.f64": 99.0, "div.f64": 1.0, "mov.b64": 10.0, "stack bytes": 2000.0}  # 2 x (99 + 10) + 10 cycles
    row = gpu_prediction.row_of("a", "float64", double, 0)
    assert row == "| a | float64 | 110 | 1 | 2.0 | 0.0 | 0.0 | 146,728 | none | 2,400 |"
    assert gpu_prediction.row_of("a", "float32", {"fma.f32": 1.0}, 0).endswith(" | none | none |")


def test_instructions_of_a_falling_quadruped_are_counted_once_for_each_world(monkeypatch):
    """A second world in the same state executes the same instructions: the mean is the count of one."""
    monkeypatch.setattr(gpu_prediction, "TIMES", 1)
    one, two = (landing_case("quadruped", "float32", worlds) for worlds in (1, 2))
    two.start.rows[:] = one.start.rows
    text = kernel_text(kernel_source(one.engine.advance_spec, "float32").text, ARCHITECTURE)
    counts = [gpu_prediction.counted(case, "float32", 0, 0, text) for case in (one, two)]
    assert {name for name in counts[0] if name.startswith("fma")} == {"fma.f32"}
    assert counts[0]["div.f32"] > 10.0
    assert counts[0]["shared bytes"] > 0.0
    assert counts[1] == counts[0]

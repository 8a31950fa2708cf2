"""The prediction of speeds on a graphics processor: its bounds, worked out by hand, and what it counts."""

import numpy as np

from benchmarks import gpu_prediction
from benchmarks.gpu_cases import landing_case


def test_bounds_of_a_row():
    """132 x 4 x 32 x 1.98e9 instructions/s = 33,454 per nanosecond, and 4.8e12 bytes/s."""
    single = {"fma.f32": 99.0, "div.f32": 1.0, "stack bytes": 1000.0}  # 99 + 10 cycles
    assert gpu_prediction.row_of("a", "float32", single) == "| a | float32 | 100 | 1 | 1.0 | 306,918 | 4,800 |"
    double = {"fma.f64": 99.0, "div.f64": 1.0, "mov.b64": 10.0, "stack bytes": 2000.0}  # 2 x (99 + 10) + 10 cycles
    assert gpu_prediction.row_of("a", "float64", double) == "| a | float64 | 110 | 1 | 2.0 | 146,728 | 2,400 |"


def test_instructions_of_a_falling_quadruped_are_counted_once_for_each_world():
    """A second world, which starts with other joint angles, executes nearly the same in the air."""
    one, two = (
        gpu_prediction.counted(landing_case("quadruped", "float32", worlds), "float32", 0, 0) for worlds in (1, 2)
    )
    assert {name for name in one if name.startswith("fma")} == {"fma.f32"}
    assert one["div.f32"] > 10.0
    np.testing.assert_allclose([two[name] for name in one], list(one.values()), rtol=0.02)

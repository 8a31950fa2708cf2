"""The benchmark of graphics processors, with a stand-in for the driver: files made here are measured without peers."""

import subprocess
import sys

import numpy as np
import pytest
from driver_stand_in import stand_in_for_driver

from benchmarks import gpu_cases, gpu_speed
from gambol.lanes.gpu import Device, kernel
from gambol.lanes.gpu.driver import Driver

MISSING = ("mujoco", "glfw", "gymnasium", "farama_notifications", "orjson", "sqlalchemy", "matplotlib")


@pytest.fixture
def processor(monkeypatch):
    """A stand-in, whose machine code is PTX, for few worlds and steps."""
    monkeypatch.setattr(kernel, "assembled", lambda ptx, *_: (ptx.encode(), 255, ()))
    monkeypatch.setattr(gpu_cases, "WORLDS", 2)
    monkeypatch.setattr(gpu_cases, "FEWER_REGISTERS", (128,))
    for module in (gpu_cases, gpu_speed):
        monkeypatch.setattr(module, "CHECKED_STEPS", (1, 2))
    for name, value in {"WORLDS": (3,), "BLOCKS": (32,), "TRIED_WORLDS": 1, "SIMULATED": 1e-9}.items():
        monkeypatch.setattr(gpu_speed, name, value)
    return Device(Driver(stand_in_for_driver(monkeypatch, size=4_000_000)), 0)


def test_bits_are_compared_and_every_row_is_kept(processor, tmp_path):
    gpu_cases.write_case(tmp_path, "quadruped", "float32")
    stored = gpu_speed.Stored.of(tmp_path / "quadruped float32.npz")
    stored.arrays["hold"] = np.array(1)
    rows = [row() for row in gpu_speed.rows_of(stored, processor)]
    assert list(rows[0]) == [
        f"quadruped, float32: 0 bytes of {stored.arrays['start'].nbytes} differ after {n} steps" for n in (1, 2)
    ]
    assert rows[1].startswith("quadruped, float32: 255 registers, 4,096 bytes of stack, 28,160 bytes of shared memory")
    assert rows[1].endswith("; 4 blocks of 64 threads share a multiprocessor")  # as many as registers allow
    assert [row.split(" | ")[2:5] for row in rows[2:]] == [
        ["1", "", "1"], ["3", "", "1"], ["1", "blocks of 32 threads", "1"], ["1", "128 registers", "1"],
        ["1", "values in memory by ptxas", "1"],
    ]  # fmt: skip
    stored.arrays["after 2"][0, 0] += 1e-6
    with pytest.raises(AssertionError, match=r"[1-4] bytes of \d+ differ after 2 steps"):
        list(gpu_speed.bits_rows(stored, processor))


def test_what_fails_is_told_and_what_does_not_fit_is_left_out(processor, tmp_path, monkeypatch):
    """A file whose rows fail, and a time that is over."""
    for name in ("ant", "roach"):
        np.savez(tmp_path / f"{name} float32.npz", programs="[]")
    rows = [lambda: 1 / 0, *(lambda k=k: f"row {k}" for k in (1, 2, 3))]
    monkeypatch.setattr(gpu_speed, "rows_of", lambda stored, on: iter(rows))
    assert gpu_speed.measure(tmp_path, 1e9, processor) == 2
    text = (tmp_path / "results.md").read_text()
    failed = "float32: ZeroDivisionError: division by zero\nrow 1\nrow 2\n"
    assert text.endswith(f"ant {failed}roach {failed}row 3\nrow 3\n")  # the first rows of each file before the others
    monkeypatch.setattr(gpu_speed, "rows_of", lambda stored, on: iter([lambda: "a row"]))
    assert gpu_speed.measure(tmp_path, -1.0, processor) == 0
    assert "ant float32: the time is over; left out from here" in (tmp_path / "results.md").read_text()


def test_the_measurement_needs_no_peer_and_no_archive():
    block = f"import sys; sys.modules.update(dict.fromkeys({MISSING}))"
    code = f"{block}; import benchmarks.gpu_speed, gambol.lanes.gpu.gpu_program; print('imported')"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "imported\n"
    )

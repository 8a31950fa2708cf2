"""The picture of oscillators at work."""

from pathlib import Path

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.view import write_oscillator_picture
from gambol.view.oscillators import step_phases
from gambol.world import Film


def test_the_phase_is_whole_whenever_a_leg_begins_a_step():
    """A leg steps every 0.4 s, the first time at 0.1 s; so the phase is (t - 0.1 s) / 0.4 s."""
    milliseconds = np.arange(1501)
    time, steps = 0.001 * milliseconds, ((milliseconds >= 100) & ((milliseconds - 100) % 400 < 50)).astype(float)
    np.testing.assert_allclose(step_phases(time, steps), (time - 0.1) / 0.4, atol=1e-9)


def test_a_leg_that_steps_once_has_no_phase():
    assert np.isnan(step_phases(np.arange(4.0), np.array([0.0, 1.0, 1.0, 0.0]))).all()


@pytest.mark.usefixtures("renderer")
def test_a_picture_is_written(tmp_path: Path, film: Film):
    path = write_oscillator_picture(film, tmp_path / "wheel.png", times=(0.1, 0.2))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_no_times_are_refused(tmp_path: Path, film: Film):
    with pytest.raises(GambolError, match="no times"):
        write_oscillator_picture(film, tmp_path / "wheel.png", times=())

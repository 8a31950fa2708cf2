"""The share of a rebound that adds no energy, against a search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.solve import allowed_fraction


@given(st.just(0.0) | st.floats(-5.0, -1e-3), st.floats(-5.0, 5.0), st.floats(1e-3, 5.0))
def test_the_share_is_the_largest_that_adds_no_energy(start: float, slope: float, curve: float):
    s = allowed_fraction(start, slope, curve)
    tried = np.linspace(0.0, 1.0, 2001)
    gains = start + slope * tried + curve * tried**2
    last = tried[np.append(gains > 1e-12, True).argmax() - 1] if (gains > 1e-12).any() else 1.0
    assert 0.0 <= s <= 1.0
    assert start + slope * s + curve * s * s <= 1e-9
    assert s >= last - 1e-3

"""Films as tables of pandas and datasets of xarray: numbers, names and units."""

import numpy as np
import pytest

import gambol
from gambol.world import Film


@pytest.fixture(scope="module")
def film() -> Film:
    world = gambol.make_world("roach")
    return gambol.run(world, gambol.start(world, 2, jitter=0.01), 0.02, rate=240.0, coordinates=True)


def test_a_dataset_has_all_numbers_with_axes_units_and_names(film: Film):
    pytest.importorskip("xarray")
    data = film.to_xarray()
    assert set(data.data_vars) == {"position", "quaternion", *film.signals}
    for name, signal in film.signals.items():
        np.testing.assert_array_equal(data[name].values, signal)
    head = data["position"].sel(link="head", xyz="z")
    np.testing.assert_array_equal(head, film.position[:, :, film.link_names.index("head"), 2])
    np.testing.assert_array_equal(
        data["q"].sel(coordinate="leg_fl1").isel(world=1), film.of_worlds([1]).columns()["q.leg_fl1 [rad]"]
    )
    assert data["push"].attrs["units"] == "N"
    assert list(data["push"].coords["foot"].values) == list(film.axes["feet"])
    assert data["time"].attrs["units"] == "s"
    assert np.shares_memory(data["position"].values, film.position)


def test_signals_of_other_sizes_have_axes_of_their_own(film: Film):
    pytest.importorskip("xarray")
    frames = len(film.time)
    signals = {"push": np.zeros((frames, 2, 6)), "feet": np.zeros((frames, 2, 3, 3)), "new": np.zeros((frames, 2, 4))}
    data = Film("a", film.time, film.position, film.quaternion, film.link_names, (), signals=signals).to_xarray()
    assert data["feet"].dims == ("time", "world", "feet foot", "xyz")
    assert data["new"].dims == ("time", "world", "new 0")


def test_a_table_has_the_columns_of_a_film(film: Film):
    pytest.importorskip("pandas")
    table = film.to_pandas(world=1)
    assert list(table.columns) == list(film.columns())
    np.testing.assert_array_equal(table["v.abdomen.wx [rad/s]"], film.signals["v"][:, 1, 0])

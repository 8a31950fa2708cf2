"""Height files."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.formats.heights import read_heights

HEIGHTS = np.array([[0.0, 0.001, 0.002], [0.01, 0.011, 0.012]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_arrays_are_read_as_numbers(tmp_path, dtype):
    np.save(tmp_path / "ground.npy", (1000 * HEIGHTS).astype(dtype))
    heights = read_heights(tmp_path / "ground.npy")
    assert heights.dtype == np.float64
    assert np.allclose(heights, 1000 * HEIGHTS, rtol=1e-7)


def test_rows_of_text_are_read_with_comments_and_blanks(tmp_path):
    (tmp_path / "ground.csv").write_text("# metres\n0, 0.001,2e-3\n\n0.01,0.011,0.012  # last\n", encoding="utf-8-sig")
    assert np.array_equal(read_heights(tmp_path / "ground.csv"), HEIGHTS)


def test_a_pickle_is_never_opened(tmp_path):
    np.save(tmp_path / "ground.npy", np.array([[{}, {}], [{}, {}]]), allow_pickle=True)
    with pytest.raises(GambolError, match=r"cannot be read as numbers"):
        read_heights(tmp_path / "ground.npy")


@pytest.mark.parametrize("text", ["1,2\n3\n", "1,2\nthree,4\n", "1,2,\n3,4,\n"])
def test_rows_that_are_no_rectangle_of_numbers_are_refused(tmp_path, text):
    (tmp_path / "ground.csv").write_text(text)
    with pytest.raises(GambolError, match="cannot be read as numbers"):
        read_heights(tmp_path / "ground.csv")


def test_the_line_of_a_word_is_reported(tmp_path):
    (tmp_path / "ground.csv").write_text("# metres\n1,2\nthree,4\n")
    with pytest.raises(GambolError, match=r"line 3: .*'three'"):
        read_heights(tmp_path / "ground.csv")


@pytest.mark.parametrize("shape", [(5,), (1, 7), (7, 1), (2, 2, 2), (0, 3)])
def test_other_shapes_are_refused(tmp_path, shape):
    np.save(tmp_path / "ground.npy", np.zeros(shape))
    with pytest.raises(GambolError, match="2 x 2"):
        read_heights(tmp_path / "ground.npy")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_position_of_an_invalid_number_is_reported(tmp_path, value):
    holed = HEIGHTS.copy()
    holed[1, 2] = value
    np.save(tmp_path / "ground.npy", holed)
    with pytest.raises(GambolError, match=f"has {value} at row 1, column 2"):
        read_heights(tmp_path / "ground.npy")


def test_complex_numbers_and_several_arrays_are_refused(tmp_path):
    np.save(tmp_path / "ground.npy", HEIGHTS * 1j)
    with pytest.raises(GambolError, match="real numbers"):
        read_heights(tmp_path / "ground.npy")
    with (tmp_path / "ground.npy").open("wb") as file:
        np.savez(file, a=HEIGHTS)
    with pytest.raises(GambolError, match="real numbers"):
        read_heights(tmp_path / "ground.npy")


@pytest.mark.parametrize(("name", "message"), [("none.npy", "there is no height file"), ("ground.txt", "must end in")])
def test_files_that_are_none_are_refused(tmp_path, name, message):
    with pytest.raises(GambolError, match=message):
        read_heights(tmp_path / name)


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"\xff\xfe\x00", b"PK\x03\x04 no zip"])
@pytest.mark.parametrize("kind", [".npy", ".csv"])
def test_broken_files_are_refused(tmp_path, content, kind):
    (tmp_path / f"ground{kind}").write_bytes(content)
    with pytest.raises(GambolError, match="height file"):
        read_heights(tmp_path / f"ground{kind}")

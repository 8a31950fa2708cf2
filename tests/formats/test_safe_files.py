"""Only regular files of readable sizes are opened; arrays have the size of their headers, and hold numbers only."""

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fuzzing.bombs import compressed_film, npy_header

from gambol.errors import GambolError
from gambol.formats.heights import read_heights
from gambol.formats.safe_files import file_bytes, npz_bytes, read_array, read_arrays


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "is a folder"),
        ("pipe", "device, pipe or socket"),
        ("/dev/zero", "device, pipe or socket"),
        ("none", "No such file"),
        ("a" * 300, "File name too long"),
        ("\0", "null"),
        ("large", "has 11 bytes.* 10 at most"),
    ],
)
def test_anything_but_a_file_is_never_opened(tmp_path: Path, name: str, message: str):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(bytes(11))
    with pytest.raises(GambolError, match=message):
        file_bytes(tmp_path / name, "file", 10)


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<f2", "|i1", ">u2", "|b1"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (0, 5), (2, 1, 4)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_come_back(dtype: str, shape: tuple[int, ...], order: str):
    array = np.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape), dtype, order=order)
    file = io.BytesIO()
    np.save(file, array)
    file.seek(0)
    for again in (read_array(file, 1000), read_arrays(io.BytesIO(npz_bytes({"a": array})))["a"]):
        assert again.dtype == array.dtype.newbyteorder("=")
        assert np.array_equal(again, array)
        assert again.flags.writeable


@pytest.mark.parametrize(
    "shape",
    [
        "(2000000000, 2000000000)",
        "(-1,)",
        "(1.5,)",
        "3",
        "(",
        "(" * 9000,
        "(" + "1," * 4000 + ")",
        "(9" + "9" * 400 + ",)",
        "'" * 500,
        "(1)) if (1",
        "\\N{",
        "{" * 300,
    ],
)
def test_headers_are_matched_rather_than_evaluated(tmp_path: Path, shape: str):
    (tmp_path / "ground.npy").write_bytes(npy_header(shape))
    with pytest.raises(GambolError, match=r"ground\.npy.* cannot be read as numbers"):
        read_heights(tmp_path / "ground.npy")


def test_bombs_are_not_expanded():
    with pytest.raises(ValueError, match="bytes more than the file; 512000000 more at most are read"):
        read_arrays(io.BytesIO(compressed_film(700)))


def test_a_member_ends_at_the_length_of_its_header():
    """The size that a header declares is compared with that of the archive before memory is allocated."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("time.npy", npy_header("(100000000000,)"))
    with pytest.raises(ValueError, match=r'"time\.npy": it declares an array of shape \(100000000000,\)'):
        read_arrays(file)


@pytest.mark.parametrize("way", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_only_what_numpy_packs_is_unpacked(way: int):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", way) as archive:
        archive.writestr("time.npy", npy_header("(0,)"))
    with pytest.raises(ValueError, match="in a way that numpy does not use"):
        read_arrays(file)

"""NumPy's files (.npy, .npz) read with bounds: what a header declares is checked before memory is taken for it.

Headers are matched against what numpy writes for plain numbers rather than evaluated, and pickles are never opened.
"""

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

LONGEST_HEADER = 10_000  # bytes; numpy's own limit
LARGEST_SIDE = 2**40
MOST_SIDES = 32  # numpy's limit before 2.0
MOST_ARRAYS = 10_000
EXPANDED = 512_000_000  # bytes by which a compressed file may grow

ENTRY = re.compile(r"\s*'(\w+)'\s*:\s*('[^']*'|True|False|\([^()]*\))\s*(?:,|$)")
SIDE = re.compile(r"\s*(\d{1,19})L?\s*")  # Python 2 wrote an L behind whole numbers
NUMBERS = re.compile(r"[<>|=]?[biuf]\d{1,2}")

Array = NDArray[Any]


def read_array(file: IO[bytes], most: int) -> Array:
    """The array in a .npy stream, of real numbers or truths.

    most: bytes that the stream has, or that are read at most. Raises ValueError, saying what is wrong, for all else.
    """
    version = np.lib.format.read_magic(file)  # pyright: ignore[reportUnknownMemberType]
    form, width = {(1, 0): ("<H", 2), (2, 0): ("<I", 4), (3, 0): ("<I", 4)}.get(version, ("", 0))
    if not form:
        raise ValueError(f"its format has version {version}, which is not known")
    (length,) = struct.unpack(form, _bytes(file, width))
    if length > LONGEST_HEADER:
        raise ValueError(f"its header has {length} bytes; numpy's have {LONGEST_HEADER} at most")
    dtype, order, shape = _header(_bytes(file, length).decode("latin1"))
    size = math.prod(shape) * dtype.itemsize
    if size > most:
        raise ValueError(f"it declares an array of shape {shape}, {size} bytes, but has {most} at most")
    data = np.empty(size // dtype.itemsize, dtype)
    _fill(memoryview(cast(Any, data.view(np.uint8))), file)
    return data.reshape(shape, order=order).astype(dtype.newbyteorder("="), copy=False)


def _header(text: str) -> tuple[np.dtype[Any], Any, tuple[int, ...]]:
    """Type, order and shape of an array, as its header declares them."""
    inside, entries = text.strip().removeprefix("{").removesuffix("}"), dict[str, str]()
    at = 0
    while match := ENTRY.match(inside, at):
        entries[match[1]], at = match[2], match.end()
    if inside[at:].strip() or sorted(entries) != ["descr", "fortran_order", "shape"]:
        raise ValueError("its header is not that of one array of numbers")
    kind, order, sides = entries["descr"].strip("'"), entries["fortran_order"], entries["shape"]
    if not NUMBERS.fullmatch(kind):
        raise ValueError(f"it holds {kind!r}, not real numbers")
    try:
        dtype = np.dtype(kind)
    except TypeError as error:
        raise ValueError(f"it holds {kind!r}, not real numbers") from error
    if order not in ("True", "False"):
        raise ValueError("its header is not that of one array of numbers")
    return dtype, "F" if order == "True" else "C", _shape(sides)


def _shape(text: str) -> tuple[int, ...]:
    """The shape that a text such as "(3, 4)" declares."""
    found = [SIDE.fullmatch(side) for side in text.strip("()").rstrip(", ").split(",")] if text.strip("() ") else []
    sides = [int(match[1]) for match in found if match]
    if len(sides) < len(found) or not text.startswith("(") or len(sides) > MOST_SIDES:
        raise ValueError(f"its shape is declared as {text[:60]}, not as whole numbers in brackets")
    if max(sides, default=0) > LARGEST_SIDE:
        raise ValueError(f"it declares an array of shape {tuple(sides)}, larger than any")
    return tuple(sides)


def _bytes(file: IO[bytes], count: int) -> bytes:
    data = bytearray(count)
    _fill(memoryview(data), file)
    return bytes(data)


def _fill(room: memoryview, file: Any) -> None:
    """Fill memory from a file; ValueError where the file ends before."""
    filled = 0
    while filled < len(room):
        count = file.readinto(room[filled:])
        if not count:
            raise ValueError(f"it ends after {filled} of {len(room)} bytes; it was cut off")
        filled += count


def read_arrays(file: IO[bytes]) -> dict[str, Array]:
    """The arrays of a .npz stream by their names; ValueError as read_array raises it, and for what would grow too far.

    What was compressed may grow by 512 MB.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_members(members, file.seek(0, io.SEEK_END))
            arrays: dict[str, Array] = {}
            for member in members:
                with archive.open(member) as opened:
                    arrays[member.filename.removesuffix(".npy")] = _member(opened, member)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error) as error:
        raise ValueError(f"it is a damaged .npz archive: {error}") from error
    return arrays


def _check_members(members: list[zipfile.ZipInfo], size: int) -> None:
    """Raise ValueError for archives with too many members, of too many bytes, or packed as numpy does not."""
    if len(members) > MOST_ARRAYS:
        raise ValueError(f"it has {len(members)} arrays; {MOST_ARRAYS} at most are read")
    grown = sum(member.file_size for member in members) - size
    if grown > EXPANDED:
        raise ValueError(f"its arrays have {grown} bytes more than the file; {EXPANDED} more at most are read")
    for member in members:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
            raise ValueError(f'"{member.filename}" is packed or encrypted in a way that numpy does not use')


def _member(file: IO[bytes], member: zipfile.ZipInfo) -> Array:
    try:
        return read_array(file, member.file_size)
    except ValueError as error:
        raise ValueError(f'"{member.filename}": {error}') from error


def packed(arrays: Mapping[str, Array]) -> bytes:
    """A .npz file of these arrays."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds
    return file.getvalue()

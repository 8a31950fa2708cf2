"""Reading NumPy files (.npy, .npz) with limits: the size that a header declares is checked before memory is allocated.

Headers are matched against the form that numpy writes for plain numbers, never evaluated; pickles are never opened.
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

MAX_HEADER = 10_000  # bytes; numpy's own limit
MAX_AXIS_LENGTH = 2**40  # also for an array of 0 bytes, which another axis of length 0 allows
MAX_NDIM = 32  # numpy's limit before 2.0
MAX_ARRAYS = 10_000
LOCAL_LENGTHS = 26  # bytes of the header of a member before the lengths of its name and extra field
MAX_EXPANSION = 512_000_000  # bytes by which decompression may enlarge a file

HEADER_ENTRY = re.compile(r"\s*'(\w+)'\s*:\s*('[^']*'|True|False|\([^()]*\))\s*(?:,|$)")
AXIS_LENGTH = re.compile(r"\s*(\d{1,19})L?\s*")  # Python 2 wrote an L after integers
NUMERIC_DTYPE = re.compile(r"[<>|=]?[biuf]\d{1,2}")

Array = NDArray[Any]


def read_array(file: IO[bytes], max_bytes: int) -> Array:
    """Return the array of real numbers or booleans in a .npy stream.

    file: the stream. max_bytes: largest size of the array [bytes]. Raises ValueError, with the reason, for other
    contents.
    """
    dtype, order, shape = _read_header(file, max_bytes)
    data = np.empty(math.prod(shape), dtype)
    _fill(memoryview(cast(Any, data.view(np.uint8))), file)
    return data.reshape(shape, order=order).astype(dtype.newbyteorder("="), copy=False)


def _read_header(file: IO[bytes], max_bytes: int) -> tuple[np.dtype[Any], Any, tuple[int, ...]]:
    """Return dtype, memory order and shape of the array of a .npy stream, which is then positioned at the numbers."""
    version = np.lib.format.read_magic(file)  # pyright: ignore[reportUnknownMemberType]
    struct_format, width = {(1, 0): ("<H", 2), (2, 0): ("<I", 4), (3, 0): ("<I", 4)}.get(version, ("", 0))
    if not struct_format:
        raise ValueError(f"its format has version {version}, which is not known")
    (length,) = struct.unpack(struct_format, _read_bytes(file, width))
    if length > MAX_HEADER:
        raise ValueError(f"its header has {length} bytes; headers of numpy have {MAX_HEADER} at most")
    dtype, order, shape = _parse_header(_read_bytes(file, length).decode("latin1"))
    size = math.prod(shape) * dtype.itemsize
    if size > max_bytes:
        raise ValueError(f"it declares an array of shape {shape}, {size} bytes, but has {max_bytes} at most")
    return dtype, order, shape


def _parse_header(text: str) -> tuple[np.dtype[Any], Any, tuple[int, ...]]:
    """Return the dtype, memory order and shape in the header of an array."""
    body, entries = text.strip().removeprefix("{").removesuffix("}"), dict[str, str]()
    position = 0
    while match := HEADER_ENTRY.match(body, position):
        entries[match[1]], position = match[2], match.end()
    if body[position:].strip() or sorted(entries) != ["descr", "fortran_order", "shape"]:
        raise ValueError("its header is not that of one array of numbers")
    descr, order, axes = entries["descr"].strip("'"), entries["fortran_order"], entries["shape"]
    if not NUMERIC_DTYPE.fullmatch(descr):
        raise ValueError(f"it holds {descr!r}, not real numbers")
    try:
        dtype = np.dtype(descr)
    except TypeError as error:
        raise ValueError(f"it holds {descr!r}, not real numbers") from error
    if order not in ("True", "False"):
        raise ValueError("its header is not that of one array of numbers")
    return dtype, "F" if order == "True" else "C", _parse_shape(axes)


def _parse_shape(text: str) -> tuple[int, ...]:
    """Return the shape in a text such as "(3, 4)"."""
    matches = (
        [AXIS_LENGTH.fullmatch(axis) for axis in text.strip("()").rstrip(", ").split(",")] if text.strip("() ") else []
    )
    axes = [int(match[1]) for match in matches if match]
    if len(axes) < len(matches) or not text.startswith("(") or len(axes) > MAX_NDIM:
        raise ValueError(f"its shape is declared as {text[:60]}, not as whole numbers in brackets")
    if max(axes, default=0) > MAX_AXIS_LENGTH:
        raise ValueError(f"it declares an array of shape {tuple(axes)}, which is too large")
    return tuple(axes)


def _read_bytes(file: IO[bytes], count: int) -> bytes:
    data = bytearray(count)
    _fill(memoryview(data), file)
    return bytes(data)


def _fill(buffer: memoryview, file: Any) -> None:
    """Fill a buffer from a file. Raises ValueError if the file is too short."""
    filled = 0
    while filled < len(buffer):
        count = file.readinto(buffer[filled:])
        if not count:
            raise ValueError(f"it ends after {filled} of {len(buffer)} bytes; it was cut off")
        filled += count


def read_arrays(file: IO[bytes], *, map_above: int | None = None) -> dict[str, Array]:
    """Return the arrays of a .npz stream by name.

    map_above: size [bytes] above which arrays that are not compressed are mapped from a file on the disk, so that they
    may be larger than memory; a change of them does not reach the file. None: all arrays are read. Raises ValueError as
    read_array() does, and for an archive whose arrays are over 512 MB larger than the file.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_members(members, file.seek(0, io.SEEK_END))
            arrays: dict[str, Array] = {}
            for member in members:
                with archive.open(member) as stream:
                    is_mapped = (
                        map_above is not None
                        and member.file_size > map_above
                        and member.compress_type == zipfile.ZIP_STORED
                    )
                    read = _map_member if is_mapped else _read_member
                    arrays[member.filename.removesuffix(".npy")] = read(file, stream, member)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error) as error:
        raise ValueError(f"it is a damaged .npz archive: {error}") from error
    return arrays


def _check_members(members: list[zipfile.ZipInfo], size: int) -> None:
    """Raise ValueError for too many members or bytes, or compression that numpy does not use.

    size: size of the file.
    """
    if len(members) > MAX_ARRAYS:
        raise ValueError(f"it has {len(members)} arrays; {MAX_ARRAYS} at most are read")
    expansion = sum(member.file_size for member in members) - size
    if expansion > MAX_EXPANSION:
        raise ValueError(f"its arrays have {expansion} bytes more than the file; {MAX_EXPANSION} more at most are read")
    for member in members:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
            raise ValueError(f'"{member.filename}" is compressed or encrypted in a way that numpy does not use')


def _read_member(_: IO[bytes], stream: IO[bytes], member: zipfile.ZipInfo) -> Array:
    try:
        return read_array(stream, member.file_size)
    except ValueError as error:
        raise ValueError(f'"{member.filename}": {error}') from error


def _map_member(file: IO[bytes], stream: IO[bytes], member: zipfile.ZipInfo) -> Array:
    """Return an array that is mapped from a file; its numbers are read once, for their checksum."""
    try:
        dtype, order, shape = _read_header(stream, member.file_size)
        offset, count = stream.tell(), 0
        while part := stream.read(2**20):
            count += len(part)
        if count < math.prod(shape) * dtype.itemsize:
            raise ValueError(f"it ends after {count} bytes; it was cut off")
    except ValueError as error:
        raise ValueError(f'"{member.filename}": {error}') from error
    file.seek(member.header_offset + LOCAL_LENGTHS)
    lengths = struct.unpack("<HH", _read_bytes(file, 4))  # of the name and the extra field
    start = member.header_offset + LOCAL_LENGTHS + 4 + sum(lengths) + offset
    mapped = np.memmap(cast(Any, file), dtype, "c", start, shape, order)
    return mapped.view(np.ndarray).astype(dtype.newbyteorder("="), copy=False)


def npz_bytes(arrays: Mapping[str, Array]) -> bytes:
    """Return arrays as the content of a .npz file."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds
    return file.getvalue()

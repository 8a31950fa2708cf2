"""Damage inside of binary files: arrays and description of a film, headers of arrays, rows of an archive."""

import io
import json
import sqlite3
import tempfile
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fuzzing.mutations import BINARY, NUMBERS, WORDS, damaged

HEADERS = (
    "(2000000000,2000000000)",
    "(-1,)",
    "()",
    "(0,)",
    "(3",
    "3",
    "(1,2,3,4,5,6)",
    "(9223372036854775807,)",
    "(0,9999999999)",
    "(True,)",
    "(1.5,)",
    "[3,3]",
    "(" * 200,
    "('a',)",
    "(1e3,)",
    "(3,3,)" * 9,
    "((3,3),)",
    "-(3,)",
    "'\\N{'",
    "(3L, 3L)",
)
TYPES = (
    "|O",
    "<f2",
    "<f16",
    "<c16",
    "<U5",
    "|S9",
    "<M8[s]",
    "|V99999999",
    "<i8",
    ">f8",
    "|b1",
    "f8,f8",
    "[('a','<f8')]",
    "",
    "<f3",
)


def array_file(data: bytes, dice: Random) -> bytes:
    """Damage a .npy file in the text of its header, or anywhere."""
    if dice.random() < 0.5:
        return damaged(data, dice, BINARY)
    header = data[10:128].decode("latin1")
    if dice.random() < 0.6:
        header = header.replace(header[header.find("(") : header.find(")") + 1], dice.choice(HEADERS))
    else:
        header = header.replace(header.split("'")[3], dice.choice(TYPES))
    padded = (header.strip() + " " * 200)[: max(len(header) - 1, 1)] + "\n"
    return data[:8] + len(padded).to_bytes(2, "little") + padded.encode("latin1") + data[128:]


def film_file(data: bytes, dice: Random) -> bytes:
    """Damage a film as an archive, in one of its arrays, or in a value of its description."""
    if dice.random() < 0.25:
        return damaged(data, dice, BINARY)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = dice.choice(list(members))
    if dice.random() < 0.5:
        about = np.load(io.BytesIO(members["about.npy"])).tobytes()
        members["about.npy"] = _npy(np.frombuffer(_json(about, dice), np.uint8))
    elif dice.random() < 0.5:
        members[name] = _npy(_array(np.load(io.BytesIO(members[name])), dice))
    elif dice.random() < 0.2:
        del members[name]
    else:
        members[name] = array_file(members[name], dice)
    file = io.BytesIO()
    with zipfile.ZipFile(
        file, "w", dice.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
    ) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return file.getvalue()


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=True)
    return file.getvalue()


def _array(array: Any, dice: Random) -> Any:
    """Return an array with an unusual value, shape or type."""
    kind = dice.randrange(8)
    if kind < 3 and array.size:
        array = array.copy()
        value = dice.choice((np.nan, np.inf, 0.0, -1.0, 1e308, 5.0))
        array.flat[dice.randrange(array.size)] = value if array.dtype.kind == "f" else 255
        return array
    shapes = (array[None], array[..., None], array.ravel(), array[:0], array[1:], array[::-1])
    types = (object, "U3", complex, bool, "i4", "f2", "M8[s]")
    if kind < 6:
        return dice.choice(shapes)
    with np.errstate(all="ignore"):
        return array.astype(dice.choice(types)) if array.dtype.kind == "f" else array.astype(object)


def _json(text: bytes, dice: Random) -> bytes:
    """Damage a JSON text: replace or remove one value, or damage the text."""
    if dice.random() < 0.15:
        return damaged(text, dice, BINARY)
    document = json.loads(text)
    container, key = None, None
    value_at: Any = document
    while isinstance(value_at, dict | list) and value_at and (container is None or dice.random() < 0.8):
        container, key = value_at, dice.choice(list(value_at) if isinstance(value_at, dict) else range(len(value_at)))
        value_at = container[key]
    if dice.random() < 0.15:
        del container[key]
    else:
        container[key] = dice.choice(
            (
                None,
                True,
                -1,
                0,
                10**30,
                1.5,
                float("nan"),
                "x",
                "",
                [],
                {},
                [[]],
                "\ud800",
                *WORDS,
                value_at,
                [value_at],
            )
        )
    return json.dumps(document).encode()


def archive_file(data: bytes, dice: Random) -> bytes:
    """Damage an SQLite archive in its bytes, by replacing a value, or by removing rows."""
    if dice.random() < 0.4:
        return damaged(data, dice, BINARY[:-1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.db"
        path.write_bytes(data)
        base = sqlite3.connect(path)
        base.execute("pragma ignore_check_constraints = on")
        tables = [row[0] for row in base.execute("select name from sqlite_master where type = 'table'")]
        table = dice.choice(tables)
        column = dice.choice([row[1] for row in base.execute(f'pragma table_info("{table}")')])
        new = dice.choice(
            (None, -1, 0, 2**62, 1.5, float("inf"), "x", "[]", "{}", "null", b"\xff", "[" * 2000, *NUMBERS[:12])
        )
        try:
            if dice.random() < 0.1:
                base.execute(f'delete from "{table}"')
            else:
                base.execute(f'update or ignore "{table}" set "{column}" = ?', (new,))
            base.commit()
        except sqlite3.Error:
            pass  # the schema prevents it
        base.close()
        return path.read_bytes()

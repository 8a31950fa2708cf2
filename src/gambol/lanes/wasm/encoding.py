"""The binary format of WebAssembly: numbers, sections and instructions. [WebAssembly Core Specification 2.0, chapter 5]

Relaxed SIMD instructions are from version 3.0 of the specification.
"""

import struct
from collections.abc import Iterable

MAGIC = b"\0asm\1\0\0\0"
VECTOR_BYTES, INTEGER_BYTES = 16, 4
TYPES, IMPORTS, FUNCTIONS, MEMORIES, EXPORTS, CODE, DATA = 1, 2, 3, 5, 7, 10, 11
"""Numbers of sections."""

NO_RESULT = b"\x40"
"""The type of a block without parameters and results on the stack."""

TYPE_CODES = {"i32": 0x7F, "i64": 0x7E, "f32": 0x7D, "f64": 0x7C, "v128": 0x7B}

PLAIN = {
    "loop": 0x03, "if": 0x04, "end": 0x0B, "br": 0x0C, "br_if": 0x0D, "call": 0x10,
    "local.get": 0x20, "local.set": 0x21, "local.tee": 0x22, "i32.load": 0x28, "i32.store": 0x36, "i32.const": 0x41,
    "i32.eqz": 0x45, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.add": 0x6A, "i32.mul": 0x6C, "i32.shl": 0x74,
}  # fmt: skip

VECTOR = {
    "v128.load": 0, "v128.load32_splat": 9, "v128.load64_splat": 10, "v128.store": 11,
    "i8x16.shuffle": 13, "f64x2.splat": 20, "i32x4.extract_lane": 27, "f64x2.extract_lane": 33,
    "f64x2.replace_lane": 34, "v128.load32_lane": 86, "v128.load64_lane": 87,
    "f32x4.eq": 65, "f32x4.lt": 67, "f32x4.gt": 68, "f32x4.le": 69,
    "f64x2.eq": 71, "f64x2.lt": 73, "f64x2.gt": 74, "f64x2.le": 75,
    "v128.not": 77, "v128.and": 78, "v128.andnot": 79, "v128.or": 80, "v128.xor": 81, "v128.bitselect": 82,
    "v128.any_true": 83, "f32x4.demote_f64x2_zero": 94, "f64x2.promote_low_f32x4": 95,
    "f32x4.floor": 104, "f32x4.nearest": 106, "f64x2.floor": 117, "f64x2.nearest": 148,
    "i32x4.lt_s": 57, "i32x4.shl": 171, "i32x4.shr_u": 173,
    "i64x2.shl": 203, "i64x2.shr_u": 205, "i64x2.add": 206, "i64x2.sub": 209, "i64x2.eq": 214, "i64x2.lt_s": 216,
    "i64x2.all_true": 195,
    "f32x4.abs": 224, "f32x4.neg": 225, "f32x4.sqrt": 227, "f32x4.add": 228, "f32x4.sub": 229, "f32x4.mul": 230,
    "f32x4.div": 231, "f32x4.pmin": 234, "f32x4.pmax": 235,
    "f64x2.abs": 236, "f64x2.neg": 237, "f64x2.sqrt": 239, "f64x2.add": 240, "f64x2.sub": 241, "f64x2.mul": 242,
    "f64x2.div": 243, "f64x2.pmin": 246, "f64x2.pmax": 247,
    "i32x4.trunc_sat_f32x4_s": 248, "i32x4.trunc_sat_f64x2_s_zero": 252,
    "f32x4.relaxed_madd": 0x105, "f32x4.relaxed_nmadd": 0x106,
    "f64x2.relaxed_madd": 0x107, "f64x2.relaxed_nmadd": 0x108,
}  # fmt: skip
"""Instructions of 128-bit vectors; their numbers follow the prefix 0xFD."""


def unsigned(n: int) -> bytes:
    """Return an unsigned integer in LEB128."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def signed(n: int) -> bytes:
    """Return a signed integer in LEB128."""
    out = bytearray()
    while not -64 <= n < 64:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n & 127)
    return bytes(out)


OPCODES = {
    **{name: bytes([code]) for name, code in PLAIN.items()},
    **{name: b"\xfd" + unsigned(code) for name, code in VECTOR.items()},
    "memory.copy": b"\xfc\x0a\0\0",
}
"""The bytes of each instruction by its name, without immediate arguments."""


def local(instruction: str, n: int) -> bytes:
    """Return an instruction on local n: "local.get", "local.set" or "local.tee"."""
    return OPCODES[instruction] + unsigned(n)


def constant_i32(n: int) -> bytes:
    """Return the instruction that pushes an integer."""
    return OPCODES["i32.const"] + signed(n)


ADDRESS_ZERO = constant_i32(0)
"""Pushes address 0: all memory has fixed addresses, which are the offsets of the instructions."""


def access(instruction: str, offset: int, lane: int | None = None) -> bytes:
    """Return an instruction that reads or writes memory, with an offset [bytes] and, if it has one, a lane.

    The address is on the stack. The alignment is only a hint: 4 bytes.
    """
    return OPCODES[instruction] + b"\2" + unsigned(offset) + (b"" if lane is None else bytes([lane]))


def slot(address: int, k: int) -> int:
    """Return the address of vector k of an area."""
    return address + VECTOR_BYTES * k


def load(address: int) -> bytes:
    """Return the instructions that push a vector from memory."""
    return ADDRESS_ZERO + access("v128.load", address)


def store(address: int, value: bytes) -> bytes:
    """Return the instructions that store a vector. value: the instructions that push the value."""
    return ADDRESS_ZERO + value + access("v128.store", address)


def copy(target: int, source: int, count: int) -> bytes:
    """Return the instructions that copy a number of vectors between areas that do not overlap."""
    addresses = constant_i32(target) + constant_i32(source)
    return addresses + constant_i32(VECTOR_BYTES * count) + OPCODES["memory.copy"]


def number_bits(value: float, size: int) -> bytes:
    """Return the bits of a number, rounded to float64 (size 8) or float32 (size 4)."""
    try:
        return struct.pack("<d" if size == 8 else "<f", value)
    except OverflowError:  # beyond the largest float32
        return struct.pack("<f", float("inf") if value > 0 else float("-inf"))


def items(parts: Iterable[bytes]) -> bytes:
    """Return the encoding of a list: its length and its items."""
    listed = list(parts)
    return unsigned(len(listed)) + b"".join(listed)


def section(number: int, content: bytes) -> bytes:
    """Return a section of a module."""
    return bytes([number]) + unsigned(len(content)) + content


def name(text: str) -> bytes:
    """Return the encoding of a name."""
    data = text.encode()
    return unsigned(len(data)) + data


def function_type(parameters: tuple[str, ...], results: tuple[str, ...]) -> bytes:
    """Return the encoding of a function's type."""
    return b"\x60" + b"".join(items(bytes([TYPE_CODES[t]]) for t in types) for types in (parameters, results))


def function_code(locals_of: dict[str, int], code: bytes) -> bytes:
    """Return the body of a function with its size.

    locals_of: number of locals of each type; code: its instructions without the last `end`.
    """
    declared = items(unsigned(n) + bytes([TYPE_CODES[t]]) for t, n in locals_of.items() if n)
    content = declared + code + OPCODES["end"]
    return unsigned(len(content)) + content

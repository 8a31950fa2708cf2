"""Checks of object files before LLVM loads them, since LLVM ends the process when a file is damaged.

ELF64 files (Linux) are checked section by section [System V ABI, chapter 4]; of Mach-O (macOS) and COFF (Windows) files
only the first bytes.
"""

import struct

ELF = b"\x7fELF\x02\x01"  # 64 bits, little-endian
OTHERS = (b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")  # Mach-O, COFF for x86-64, COFF for Arm
HEADER = struct.Struct("<40xQ10xHHH")  # offset of the section table, size and number of its rows, section of names
SECTION = struct.Struct("<4xI16xQQ16xQ")  # kind, offset, size, size of its entries
SYMBOL = struct.Struct("<I2xH16x")  # offset of its name, and the section that defines it, 0 for none
SYMBOLS, RELOCATIONS, NO_BITS = 2, 4, 8  # kinds of sections; the last has no bytes in the file


def is_complete(code: bytes) -> bool:
    """True where bytes are an object file, and all its sections are within it."""
    if not code.startswith(ELF):
        return code.startswith(OTHERS) and len(code) > HEADER.size
    if len(code) < HEADER.size:
        return False
    start, row, count, names = HEADER.unpack_from(code)
    if row != SECTION.size or not 0 < start <= len(code) - count * row or not names < count:
        return False
    return all(_fits(code, *section) for section in _sections(code))


def is_self_contained(code: bytes) -> bool:
    """True where a whole object file is an ELF file without external symbols, such as memcpy."""
    if not code.startswith(ELF):
        return False
    tables = [(offset, size) for kind, offset, size, _ in _sections(code) if kind == SYMBOLS]
    symbols = [pair for offset, size in tables for pair in SYMBOL.iter_unpack(code[offset : offset + size])]
    return not any(name and section == 0 for name, section in symbols)


def _sections(code: bytes) -> list[tuple[int, int, int, int]]:
    """Return kind, offset, size and entry size of each section."""
    start, row, count, _ = HEADER.unpack_from(code)
    return [SECTION.unpack_from(code, start + k * row) for k in range(count)]


def _fits(code: bytes, kind: int, offset: int, size: int, entry: int) -> bool:
    """True where a section is within the file, and its size is a multiple of its entry size."""
    if kind == NO_BITS:
        return True
    if kind == SYMBOLS and entry != SYMBOL.size:
        return False
    return offset + size <= len(code) and not (kind in (SYMBOLS, RELOCATIONS) and (entry == 0 or size % entry))

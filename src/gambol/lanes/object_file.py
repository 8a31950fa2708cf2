"""What must be known of object files before LLVM loads them: LLVM ends the process when it is given anything else.

ELF64 files (Linux) are checked section by section [System V ABI, chapter 4]; of Mach-O (macOS) and COFF (Windows) files
only the first bytes.
"""

import struct

ELF = b"\x7fELF\x02\x01"  # 64 bits, low byte first
OTHERS = (b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")  # Mach-O, COFF for x86-64, COFF for Arm
HEADER = struct.Struct("<40xQ10xHHH")  # of a file: where its sections are listed, a row's size, rows, names' section
SECTION = struct.Struct("<4xI16xQQ16xQ")  # of a section: kind, offset, size, size of its entries
SYMBOL = struct.Struct("<I2xH16x")  # of a symbol: where its name is, and the section that defines it, 0 for none
SYMBOLS, RELOCATIONS, NO_BITS = 2, 4, 8  # kinds of sections; the last has no bytes in the file


def is_whole(code: bytes) -> bool:
    """Whether bytes are an object file, all of whose sections lie within it."""
    if not code.startswith(ELF):
        return code.startswith(OTHERS) and len(code) > HEADER.size
    if len(code) < HEADER.size:
        return False
    start, row, count, names = HEADER.unpack_from(code)
    if row != SECTION.size or not 0 < start <= len(code) - count * row or not names < count:
        return False
    return all(_fits(code, *section) for section in _sections(code))


def is_complete(code: bytes) -> bool:
    """Whether a whole object file is an ELF file that needs no function of others, such as memcpy."""
    if not code.startswith(ELF):
        return False
    tables = [(offset, size) for kind, offset, size, _ in _sections(code) if kind == SYMBOLS]
    symbols = [pair for offset, size in tables for pair in SYMBOL.iter_unpack(code[offset : offset + size])]
    return not any(name and section == 0 for name, section in symbols)


def _sections(code: bytes) -> list[tuple[int, int, int, int]]:
    """Kind, offset, size and size of entries of each section."""
    start, row, count, _ = HEADER.unpack_from(code)
    return [SECTION.unpack_from(code, start + k * row) for k in range(count)]


def _fits(code: bytes, kind: int, offset: int, size: int, entry: int) -> bool:
    """Whether a section lies within a file, and its entries fill it."""
    if kind == NO_BITS:
        return True
    if kind == SYMBOLS and entry != SYMBOL.size:
        return False
    return offset + size <= len(code) and not (kind in (SYMBOLS, RELOCATIONS) and (entry == 0 or size % entry))

"""Checks of object files before LLVM loads them, since LLVM aborts the process when a file is damaged.

ELF64 files (Linux) are checked section by section [System V ABI, chapter 4]. Of Mach-O (macOS) and COFF (Windows) files
only the first bytes are checked.
"""

import struct

ELF = b"\x7fELF\x02\x01"  # 64 bits, little-endian
OTHER_FORMATS = (b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")  # Mach-O, COFF for x86-64, COFF for Arm
HEADER = struct.Struct("<40xQ10xHHH")  # section table: offset, size of an entry, number of entries; section of names
SECTION = struct.Struct("<4xI16xQQ16xQ")  # type, offset, size, size of an entry
SYMBOL = struct.Struct("<I2xH16x")  # offset of its name; index of the section that defines it, 0 if external
SYMBOLS, RELOCATIONS, NO_BITS = 2, 4, 8  # types of sections; NO_BITS has no bytes in the file


def is_complete(code: bytes) -> bool:
    """Return True if the bytes are an object file that contains all its sections."""
    if not code.startswith(ELF):
        return code.startswith(OTHER_FORMATS) and len(code) > HEADER.size
    if len(code) < HEADER.size:
        return False
    start, entry_size, count, names = HEADER.unpack_from(code)
    if entry_size != SECTION.size or not 0 < start <= len(code) - count * entry_size or not names < count:
        return False
    return all(_is_valid_section(code, *section) for section in _sections(code))


def is_self_contained(code: bytes) -> bool:
    """Return True if a complete object file is an ELF file without external symbols, such as memcpy."""
    if not code.startswith(ELF):
        return False
    tables = [(offset, size) for section_type, offset, size, _ in _sections(code) if section_type == SYMBOLS]
    symbols = [pair for offset, size in tables for pair in SYMBOL.iter_unpack(code[offset : offset + size])]
    return not any(name and section == 0 for name, section in symbols)


def _sections(code: bytes) -> list[tuple[int, int, int, int]]:
    """Return type, offset, size and entry size of each section."""
    start, entry_size, count, _ = HEADER.unpack_from(code)
    return [SECTION.unpack_from(code, start + k * entry_size) for k in range(count)]


def _is_valid_section(code: bytes, section_type: int, offset: int, size: int, entry_size: int) -> bool:
    """Return True if a section is within the file and its size is a multiple of its entry size."""
    if section_type == NO_BITS:
        return True
    if section_type == SYMBOLS and entry_size != SYMBOL.size:
        return False
    return offset + size <= len(code) and not (
        section_type in (SYMBOLS, RELOCATIONS) and (entry_size == 0 or size % entry_size)
    )

"""MJCF out: bodies, shapes and closures as MuJoCo has them."""

from gambol.formats.mjcf.writing.file import LACKS, write_mjcf

__all__ = ["LACKS", "write_mjcf"]

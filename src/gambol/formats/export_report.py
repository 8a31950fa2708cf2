"""The report of an export: errors for what a format cannot hold, notes on what was left out or approximated."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError, did_you_mean

UNLIMITED = 1e9
"""The number that stands for infinity, as of a limit [rad or m], in formats that have none."""

HOLLOW_SHAPES = ("pipe", "height_field")
"""Kinds of hollow shapes, which neither MJCF nor URDF has for links."""

DISC_LENGTH = 1e-3
"""Length, in radii, of the cylinder that replaces a disc: the formats have no cylinder of zero length."""

DISC_NOTE = "Discs become cylinders as long as a thousandth of their radius."


@dataclass
class ExportReport:
    """The report of one export: what is left out or approximated.

    format: name of the file format. unsupported: what the format lacks, a description by name. leave_out: names of what
    to leave out instead of raising an error. notes: sentences on what was left out or approximated. Raises GambolError
    for an unknown name in leave_out.
    """

    format: str
    unsupported: Mapping[str, str]
    leave_out: Collection[str] = ()
    notes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        for name in self.leave_out:
            if name not in self.unsupported:
                hint = did_you_mean(name, self.unsupported)
                raise GambolError(f'"{name}" cannot be left out of {self.format}; {hint}')

    def omit(self, name: str, owner: str) -> None:
        """Leave out something that the format lacks, with a note; GambolError where leave_out does not allow it.

        name: in unsupported. owner: what has it, for the message.
        """
        what = self.unsupported[name]
        if name not in self.leave_out:
            raise GambolError(
                f"{owner} has {what}, which {self.format} cannot hold; leave_out=['{name}'] writes it without"
            )
        self.note(f"Left out: {what} of {owner}.")

    def note(self, sentence: str) -> None:
        """Add a sentence to the notes, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

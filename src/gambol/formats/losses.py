"""What a format cannot hold: an error, unless it is to be left out; what is only approximated, a note."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError, did_you_mean

ENDLESS = 1e9
"""What stands for a limit at infinity [rad or m] in formats without one: farther than anything goes."""

HOLLOW = ("pipe", "height_field")
"""Kinds of shapes that others can be inside of, which neither MJCF nor URDF has as a shape of any link."""

THIN = 1e-3
"""Length of the cylinder that stands for a disc, of its radius: the formats have no cylinder without a length."""

DISC = "Discs become cylinders as long as a thousandth of their radius."


@dataclass
class Losses:
    """The losses in writing one file.

    format: its name. known: what the format lacks, by name, with what it is. leave_out: names to write the file
    without. Raises GambolError for a name to leave out that is not known.
    """

    format: str
    known: Mapping[str, str]
    leave_out: Collection[str] = ()
    notes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        for name in self.leave_out:
            if name not in self.known:
                raise GambolError(f'"{name}" cannot be left out of {self.format}; {did_you_mean(name, self.known)}')

    def lose(self, name: str, of: str) -> None:
        """Raise GambolError for something that the format lacks, or note that it was left out; of: what has it."""
        what = self.known[name]
        if name not in self.leave_out:
            raise GambolError(
                f"{of} has {what}, which {self.format} cannot hold; leave_out=['{name}'] writes it without"
            )
        self.note(f"Left out: {what} of {of}.")

    def note(self, sentence: str) -> None:
        """Say once what was left out or approximated."""
        if sentence not in self.notes:
            self.notes.append(sentence)

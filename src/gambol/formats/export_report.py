"""The report of an export: errors for features that a format lacks, notes on omitted and approximated features."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError, did_you_mean

UNLIMITED = 1e9
"""The number that means infinity, as for a joint limit [rad or m], in formats that lack infinity."""

HOLLOW_SHAPES = ("pipe", "height_field")
"""Kinds of hollow shapes, which MJCF and URDF do not have for links."""

DISC_LENGTH = 1e-3
"""Length of the cylinder that replaces a disc, in radii: the formats have no cylinder of zero length."""

DISC_NOTE = "Discs become cylinders whose length is a thousandth of their radius."


@dataclass
class ExportReport:
    """The report of one export: omitted and approximated features.

    format: name of the file format. unsupported: the features that the format lacks, a description for each name.
    leave_out: names of features to leave out; other unsupported features raise an error. notes: sentences on omitted
    and approximated features. Raises GambolError for an unknown name in leave_out.
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
        """Leave out a feature that the format lacks, and add a note.

        name: a key of unsupported. owner: the joint, motor or shape with the feature, for the message. Raises
        GambolError if leave_out does not name the feature.
        """
        description = self.unsupported[name]
        if name not in self.leave_out:
            raise GambolError(
                f"{owner} has {description}, which {self.format} cannot hold; "
                f"leave_out=['{name}'] writes the file without it"
            )
        self.note(f"Left out: {description} of {owner}.")

    def note(self, sentence: str) -> None:
        """Add a sentence to the notes, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

"""Attachments of scripts: breakable springs between two bodies, of one corpus or of two, or a body and the world."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gambol.contact import Attachment
from gambol.errors import GambolError

STEPS = 200
"""Number of bisections that find the length at which a spring has a force: enough for every length from 0 to 1e6 m."""

MAX_LENGTH = 1e6
"""Maximum length of a spring in the search for the length of a breaking force [m]."""


@dataclass(eq=False, slots=True)
class ScriptAttachment:
    """An attachment of a script.

    corpus, other_corpus: names of the corpora of its two ends; the second is None for the world. attachment: the
    attachment, with names of bodies. line: line of the script.
    """

    corpus: str
    other_corpus: str | None
    attachment: Attachment
    line: str = field(default="")

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora of its ends."""
        return (self.corpus,) if self.other_corpus is None else (self.corpus, self.other_corpus)

    def in_world(self, links: Mapping[str, Mapping[str, str]]) -> Attachment:
        """Return the attachment with the names of links in the world; links: by corpus and body."""
        other = self.attachment.other
        return replace(
            self.attachment,
            link=links[self.corpus][self.attachment.link],
            other=None if other is None else links[self.other_corpus or self.corpus][other],
        )

    def __str__(self) -> str:
        other = self.attachment.other
        return f'the attachment of "{self.attachment.link}" to ' + ("the world" if other is None else f'"{other}"')


def breaking_length(attachment: Attachment, force: float) -> float:
    """Return the length at which the spring of an attachment has a force [N].

    Raises GambolError for a spring that never has this force.
    """

    def pull(length: float) -> float:
        exponent = min(attachment.beta * length, 700.0)  # e^709 is the largest double
        return attachment.stiffness * length + attachment.alpha * math.expm1(exponent)

    lower, upper = 0.0, MAX_LENGTH
    if not 0.0 < force <= pull(upper):
        raise GambolError(
            f"a force of {force:g} N does not break it: give more than 0 N, and a spring (k, or ea and eB) that "
            "reaches this force"
        )
    for _ in range(STEPS):
        middle = 0.5 * (lower + upper)
        lower, upper = (middle, upper) if pull(middle) < force else (lower, middle)
    return upper

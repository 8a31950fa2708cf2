"""A page in which a person chooses among moving creatures, served to the machine's own browser alone."""

from gambol.view.choice.server import Booth, Candidate

__all__ = ["Booth", "Candidate"]

"""A page in which a person chooses among moving creatures, served to browsers on this machine only."""

from gambol.view.choice.server import Candidate, ChoiceServer

__all__ = ["Candidate", "ChoiceServer"]

"""The archive of evolution: every evaluated individual, in SQLite or any database that SQLAlchemy supports."""

from gambol.evolve.archive.archive import Archive
from gambol.evolve.archive.records import GenerationRecord, IndividualRecord, RunRecord

__all__ = ["Archive", "GenerationRecord", "IndividualRecord", "RunRecord"]

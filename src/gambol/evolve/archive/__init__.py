"""The archive of evolution: every individual that ever lived, in SQLite or any database that SQLAlchemy knows."""

from gambol.evolve.archive.archive import Archive
from gambol.evolve.archive.records import GenerationRecord, IndividualRecord, RunRecord

__all__ = ["Archive", "GenerationRecord", "IndividualRecord", "RunRecord"]

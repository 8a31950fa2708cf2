"""A PostgreSQL server for the tests of archives, created for one test run and removed after it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

USERS = ("postgres", "nobody")  # the user of the server, which refuses to run as root


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server, but for the name of a database.

    GAMBOL_TEST_POSTGRES names a server that is there, such as postgresql+psycopg://user:word@host, whose user may make
    databases; else one is made, in a folder of its own that nothing but its socket leads to. A machine without the
    programs of PostgreSQL fails the tests, unless it was said aloud: GAMBOL_TEST_POSTGRES=none.
    """
    expected = os.environ.get("GAMBOL_TEST_POSTGRES", "")
    if expected == "none":
        pytest.skip("GAMBOL_TEST_POSTGRES=none: no archive was kept in PostgreSQL")
    if expected:
        yield expected
        return
    programs = programs_of_postgres()
    user = next((name for name in USERS if _exists(name)), None) if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="gambol-postgres-"))
    if user:
        shutil.chown(folder, user)
    data, options = folder / "data", f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"

    def call(program: str, *words: str) -> None:
        command = [programs / program, "-D", data, *words]
        reported = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True, timeout=60)
        assert reported.returncode == 0, reported.stdout + reported.stderr

    try:
        call("initdb", "-U", "breeder", "-A", "trust", "-E", "UTF8", "--no-sync")
        call("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        yield f"postgresql+psycopg://breeder@/{{}}?host={folder}"
        call("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_server: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database."""
    from sqlalchemy import create_engine, text

    if "{}" not in postgres_server:
        postgres_server += "/{}"
    name = f"gambol_test_{os.getpid()}_{abs(hash(request.node.nodeid))}"
    engine = create_engine(postgres_server.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield postgres_server.format(name)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new archive, in each kind of database in turn."""
    return str(tmp_path / "evolve.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


def programs_of_postgres() -> Path:
    """The folder of a PostgreSQL server's programs; the test fails where there are none."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    for folder in reversed(folders):
        if (folder / "initdb").exists():
            return folder
    pytest.fail("no PostgreSQL: install one, name a server in GAMBOL_TEST_POSTGRES, or set that to none to go without")


def _exists(user: str) -> bool:
    import pwd

    return any(entry.pw_name == user for entry in pwd.getpwall())

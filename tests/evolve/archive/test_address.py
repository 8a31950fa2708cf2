"""Addresses of databases: errors from any place show no secret of theirs."""

import base64
import gzip
import re
import traceback

import pytest
from invoked import TINY, invoke
from sqlalchemy import text
from sqlalchemy.engine import make_url

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.archive.address import mask_secrets, printable

SECRET = "s3cret"
NOBODY = "postgresql+psycopg://ann@127.0.0.1:1/runs"

REFUSED = [
    "postgresql+psycopg://ann:s3cret@127.0.0.1:1/runs",
    "postgresql+psycopg://ann:pa@s3cret@127.0.0.1:1/runs",
    "postgresql+psycopg://ann:pa@ss/s3cret@127.0.0.1:1/runs",
    "postgresql+psycopg://ann:%733cret@127.0.0.1:1/runs",
    "postgresql+psycopg://127.0.0.1:1/runs%3Fpassword%3Ds3cret",
    *(
        f"{NOBODY}?{name}={SECRET}"
        for name in (
            "password", "sslpassword", "passfile", "options", "sslmode", "sslkey", "connect_timeout", "nonsense",
            "client_encoding", "plugin", "autocommit", "prepare_threshold", "application_name", "channel_binding",
        )
    ),
    f"{NOBODY}?password=%733cret",
    f"{NOBODY}?options=-c%20search_path%3Ds3cret",
    f"{NOBODY}?connect_timeout=1&password=s3cret&password=s3cret",
    "postgresql+psycopg://ann@127.0.0.1:s3cret/runs",
    "postgresql+psycopg://[::1/runs?password=s3cret",
    "postgres ql://ann:s3cret@host/runs",
    "postgresql:/ann:s3cret@host/runs",
    "host=127.0.0.1 dbname=runs password=s3cret",
    "tape://ann:s3cret@host?password=s3cret",
    "mysql+mysqldb://ann:s3cret@host/runs?passwd=s3cret",
    "sqlite://?password=s3cret",
    "sqlite:///:memory:?password=s3cret",
    "sqlite:///absent/evolve.db?password=s3cret",
    "sqlite:///evolve.db?timeout=s3cret",
    "sqlite:///file:/absent/evolve.db?uri=true&vfs=s3cret",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Query string:sqlalchemy.exc.SAWarning")
@pytest.mark.parametrize("where", REFUSED)
def test_no_error_and_no_traceback_shows_a_secret(where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EvolveError) as refused:
        Archive(where)
    assert SECRET not in str(refused.value)
    messages = [line for line in traceback.format_exception(refused.value) if not line.startswith("  ")]
    assert SECRET not in "".join(messages)
    assert SECRET not in printable(where)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("postgresql+psycopg://ann:sesame@host:5433/runs", "postgresql+psycopg://ann:***@host:5433/runs"),
        ("postgresql+psycopg://ann@host/runs?password=a&x=b", "postgresql+psycopg://ann@host/runs?password=***&x=***"),
        ("postgresql+psycopg:///runs?host=/run/pg&port=1", "postgresql+psycopg:///runs?host=/run/pg&port=1"),
        ("postgresql+psycopg://?service=lab", "postgresql+psycopg:///?service=lab"),
        ("postgresql+psycopg://[::1]:5433/runs", "postgresql+psycopg://[::1]:5433/runs"),
        ("postgresql+psycopg://ann:a@b@host/runs", "postgresql+psycopg://***"),
        ("sqlite:///runs/evolve.db?key=sesame", "runs/evolve.db"),
        ("runs/evolve.db", "runs/evolve.db"),
        ("postgresql://host:port/runs", "postgresql://***"),
    ],
)
def test_what_finds_a_database_is_shown(where, expected):
    assert printable(where) == expected


def test_a_driver_that_repeats_parts_of_an_address_is_masked():
    url = make_url(f"{NOBODY}?password=open%20sesame&options=-c%20work_mem%3D64MB")
    message = 'bad option "work_mem" for "open sesame", or open+sesame, open%20sesame: sesame on 127.0.0.1 of opener'
    assert mask_secrets(message, url) == 'bad option "***" for "***", or ***, ***: *** on 127.0.0.1 of opener'


def test_a_connection_string_is_no_name_of_a_file():
    with pytest.raises(EvolveError, match="neither a file nor an address of a database; give a file, such as"):
        Archive("host=somewhere dbname=runs password=sesame")


def test_a_refused_login_does_not_show_the_password(postgres):
    with Archive(postgres) as archive, archive._engine.begin() as connection:
        connection.execute(text("DROP ROLE IF EXISTS locked"))
        connection.execute(text("CREATE ROLE locked NOLOGIN"))
    for address in (
        f"{postgres}&password={SECRET}".replace("breeder@", "locked@"),
        postgres.replace("breeder@", f"locked:{SECRET}@"),
    ):
        with pytest.raises(EvolveError, match='"locked" is not permitted to log in') as refused:
            Archive(address)
        assert SECRET not in "".join(traceback.format_exception(refused.value, limit=0))


def test_a_server_that_refuses_an_option_does_not_repeat_it(postgres):
    with pytest.raises(EvolveError, match="unrecognized configuration parameter") as refused:
        Archive(f"{postgres}&options=-c%20{SECRET}%3D1")
    assert SECRET not in "".join(traceback.format_exception(refused.value, limit=0))


def test_an_archive_with_a_secret_in_its_address_works_and_its_errors_do_not_show_it(postgres):
    with Archive(f"{postgres}&application_name={SECRET}") as archive:
        run = archive.begin({}, 0, {})
        assert SECRET not in archive.location
        with pytest.raises(EvolveError, match=r"application_name=\*\*\*: there is no run 9") as refused:
            archive.run(run + 8)
    assert SECRET not in str(refused.value)


def test_neither_the_commands_nor_the_page_of_a_lineage_show_a_secret(postgres, tmp_path):
    address, page = f"{postgres}&application_name={SECRET}", tmp_path / "lineage.html"
    evolved = invoke("evolve", *TINY, "--seed", "3", "--db", address, "--out", tmp_path)
    drawn = invoke("lineage", "--films", 0, "--db", address, "--out", page)
    assert (evolved.exit_code, drawn.exit_code) == (0, 0), evolved.output + drawn.output
    (packed,) = re.findall(r'<script id="lineage"[^>]*>([^<]*)<', page.read_text())
    shared = page.read_text() + gzip.decompress(base64.b64decode(packed)).decode()
    assert "--db ARCHIVE" in shared
    assert not [word for word in (SECRET, "postgresql", make_url(postgres).database) if word in shared]
    assert SECRET not in evolved.output + drawn.output

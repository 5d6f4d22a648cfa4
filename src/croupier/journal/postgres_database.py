"""A PostgreSQL database that holds journals: connected so that commits last, its schema brought forward."""

import re
from typing import Final, LiteralString

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from croupier.journal.postgres_limit import answered_within
from croupier.journal.postgres_schema import MADE, schema_faults
from croupier.journal.store import NewerSchema, StoreError

MIGRATIONS: Final[tuple[LiteralString, ...]] = (
    """
    CREATE TABLE croupier.records (
        table_id text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        at_ms bigint NOT NULL,
        actor text NOT NULL,
        sender text COLLATE "C" NOT NULL,
        number bigint NOT NULL,
        part bigint NOT NULL,
        kind text NOT NULL,
        version bigint NOT NULL,
        payload bytea NOT NULL,
        previous bytea NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT records_by_sequence PRIMARY KEY (table_id, sequence),
        CONSTRAINT records_by_sender UNIQUE (table_id, sender, number, part)
    );
    CREATE TABLE croupier.heads (
        table_id text COLLATE "C" PRIMARY KEY,
        sequence bigint NOT NULL,
        hash bytea NOT NULL
    );
    CREATE TABLE croupier.claims (
        key text COLLATE "C" NOT NULL,
        table_id text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        CONSTRAINT claims_by_key PRIMARY KEY (key)
    );
    CREATE TABLE croupier.snapshots (
        table_id text COLLATE "C" PRIMARY KEY,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        format text NOT NULL,
        content bytea NOT NULL
    );
    CREATE TABLE croupier.beats (table_id text COLLATE "C" PRIMARY KEY, at_ms bigint NOT NULL);
    """,
)
"""The schema, one step for each version; the database remembers how many it has gone through."""

OLDEST: Final = 15
_MIGRATING: Final = int.from_bytes(b"croupier")
"""The advisory lock that whoever brings the schema forward holds."""

_WHERE_NOT_GIVEN: Final = {
    "application_name": "croupier",
    # A server that has gone silent is an error within seconds, never a table that hangs.
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


class Address:
    """Where a database is, with what it takes to get in; only the place is ever shown."""

    def __init__(self, address: str) -> None:
        try:
            self._parameters = {name: str(value) for name, value in conninfo_to_dict(address).items()}
        except psycopg.ProgrammingError:
            self._parameters = {}
        host, port, name = (self._parameters.get(part, "") for part in ("host", "port", "dbname"))
        # Parts of a password that was not written as it should be turn up in the other parts, and in what the
        # parser says: none of it is repeated.
        if not self._parameters or "@" in f"{host}{name}" or not re.fullmatch("[0-9,]*", port):
            raise StoreError(
                "That is not the address of a PostgreSQL database: it has the form postgresql://"
                "user:password@host:port/database, with %40 for an @ and %2F for a / in the password."
            )
        if host.startswith("/"):
            self.place = f"postgresql:///{name}?host={host}"
        else:
            self.place = f"postgresql://{host}{f':{port}' if port else ''}/{name}"

    def connect(self) -> psycopg.Connection[TupleRow]:
        """A connection whose commits wait for the server's disk."""
        # Whatever the environment says, texts travel as Unicode.
        parameters = _WHERE_NOT_GIVEN | self._parameters | {"client_encoding": "utf8"}
        connection = psycopg.connect(make_conninfo("", **parameters), autocommit=True)
        try:
            with answered_within(connection):
                self._make_durable(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def sentence(self, error: psycopg.Error) -> str:
        """What went wrong in one line, without a password even where the server repeats one."""
        said = " ".join((error.diag.message_primary or str(error) or type(error).__name__).split())
        for secret in ("password", "sslpassword"):
            if self._parameters.get(secret):
                said = said.replace(self._parameters[secret], "***")
        return said.removesuffix(".")

    def _make_durable(self, connection: psycopg.Connection[TupleRow]) -> None:
        version = connection.info.server_version // 10_000
        if version < OLDEST:
            raise StoreError(f"{self.place} is PostgreSQL {version}; journals need {OLDEST} or a newer one.")
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreError(f"{self.place} keeps texts as {encoding}; journals need UTF8.")
        if connection.execute("SHOW fsync").fetchone() != ("on",):
            raise StoreError(f"{self.place} runs with fsync off, and would lose what it has confirmed.")
        # A role or a database may have been given other defaults; a stricter one is kept. The level of
        # isolation is the one in which a writer that waited for another sees what that one wrote.
        connection.execute(
            """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
            SET default_transaction_isolation = 'read committed';
            SET lock_timeout = '5s';
            """
        )


def bring_forward(connection: psycopg.Connection[TupleRow], place: str, *, must_exist: bool) -> None:
    """Brings the schema forward; of processes that start at once one does it. Up to date, it only looks."""
    version = _version(connection, place)
    if must_exist and version == 0:
        raise StoreError(f"There is no journal in {place}.")
    if version == len(MIGRATIONS):
        return
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        if connection.execute("SELECT to_regnamespace('croupier')").fetchone() == (None,):
            connection.execute("CREATE SCHEMA croupier")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS croupier.schema_versions"
            " (version integer PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())"
        )
        for number, step in enumerate(MIGRATIONS, start=1):
            if number > _version(connection, place):
                connection.execute(step)
                connection.execute("INSERT INTO croupier.schema_versions (version) VALUES (%s)", (number,))


def refuse_another_schema(connection: psycopg.Connection[TupleRow], place: str) -> None:
    """Refuses to write where somebody has changed keys or triggers."""
    if faults := schema_faults(connection.execute(MADE).fetchall()):
        raise StoreError(
            f"The journal in {place} is not as croupier makes it, and nothing is written to it: "
            f"{', '.join(faults)}. Find out who changed it; 'croupier restore' makes one from a backup."
        )


def _version(connection: psycopg.Connection[TupleRow], place: str) -> int:
    """How many steps the schema has gone through; 0 where there is none."""
    if connection.execute("SELECT to_regclass('croupier.schema_versions')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM croupier.schema_versions").fetchone()
    version = int(row[0]) if row else 0
    if version > len(MIGRATIONS):
        raise NewerSchema(
            f"The journal in {place} was written by a newer croupier: its schema is version {version}, "
            f"and this one knows {len(MIGRATIONS)}. Install a newer croupier."
        )
    return version

"""What the journal's tables in a PostgreSQL database consist of, and what of it was changed."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, LiteralString

from croupier.journal.schema_parts import Part, differences

MADE: Final[LiteralString] = """
    WITH named (name) AS (VALUES
        ('records'), ('heads'), ('claims'), ('snapshots'), ('beats'), ('schema_versions')
    ), ours AS (
        SELECT class.* FROM named
        JOIN pg_catalog.pg_class AS class ON class.relname = named.name AND class.relkind <> 'i'
        JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
        WHERE space.nspname = 'croupier'
    )
    SELECT 'table', relname::text, concat_ws(' ',
        CASE WHEN relkind <> 'r' THEN 'kind ' || relkind::text END,
        CASE WHEN relpersistence <> 'p' THEN 'not logged' END,
        CASE WHEN relrowsecurity OR relforcerowsecurity THEN 'with row security' END,
        CASE WHEN EXISTS (
            SELECT FROM pg_catalog.pg_inherits WHERE ours.oid IN (inhparent, inhrelid)
        ) THEN 'with inheritance' END
    ) FROM ours
    UNION ALL
    SELECT 'column', relname::text || '.' || attname::text, concat_ws(' ',
        pg_catalog.format_type(atttypid, atttypmod),
        (SELECT 'collate ' || collname::text FROM pg_catalog.pg_collation
            WHERE pg_collation.oid = attcollation AND collname <> 'default'),
        CASE WHEN attnotnull THEN 'not null' END,
        CASE WHEN attgenerated <> '' OR attidentity <> '' THEN 'generated' END,
        (SELECT 'default ' || pg_catalog.pg_get_expr(adbin, adrelid) FROM pg_catalog.pg_attrdef
            WHERE adrelid = attrelid AND adnum = attnum)
    ) FROM ours JOIN pg_catalog.pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT 'constraint', relname::text || '.' || conname::text,
        pg_catalog.pg_get_constraintdef(pg_constraint.oid)
    FROM ours JOIN pg_catalog.pg_constraint ON conrelid = ours.oid AND contype <> 'n'
    UNION ALL
    SELECT 'index', ours.relname::text || '.' || own.relname::text, pg_catalog.pg_get_indexdef(indexrelid)
    FROM ours JOIN pg_catalog.pg_index ON indrelid = ours.oid
    JOIN pg_catalog.pg_class AS own ON own.oid = indexrelid
    WHERE (indisunique OR indexprs IS NOT NULL OR indpred IS NOT NULL) AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid
    )
    UNION ALL
    SELECT 'trigger', relname::text || '.' || tgname::text, pg_catalog.pg_get_triggerdef(pg_trigger.oid)
    FROM ours JOIN pg_catalog.pg_trigger ON tgrelid = ours.oid AND NOT tgisinternal
    UNION ALL
    SELECT 'rule', relname::text || '.' || rulename::text, pg_catalog.pg_get_ruledef(pg_rewrite.oid)
    FROM ours JOIN pg_catalog.pg_rewrite ON ev_class = ours.oid
    UNION ALL
    SELECT 'policy', relname::text || '.' || polname::text, '' FROM ours
    JOIN pg_catalog.pg_policy ON polrelid = ours.oid
    ORDER BY 1, 2
"""
"""Asks a database what the journal's tables consist of: the kind, the name and the content of each part.

Ordinary indexes, views and further tables beside them change nothing about a journal and are left alone. A
column that may not be empty is a constraint of its own from PostgreSQL 18 on; the column says it everywhere.
"""

_NAME: Final = "text collate C not null"
_TEXT: Final = "text not null"
_WHOLE: Final = "bigint not null"
_BYTES: Final = "bytea not null"

_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "records": {
        "table_id": _NAME,
        "sequence": _WHOLE,
        "at_ms": _WHOLE,
        "actor": _TEXT,
        "sender": _NAME,
        "number": _WHOLE,
        "part": _WHOLE,
        "kind": _TEXT,
        "version": _WHOLE,
        "payload": _BYTES,
        "previous": _BYTES,
        "hash": _BYTES,
    },
    "heads": {"table_id": _NAME, "sequence": _WHOLE, "hash": _BYTES},
    "claims": {"key": _NAME, "table_id": _NAME, "sequence": _WHOLE},
    "snapshots": {
        "table_id": _NAME,
        "sequence": _WHOLE,
        "hash": _BYTES,
        "format": _TEXT,
        "content": _BYTES,
    },
    "beats": {"table_id": _NAME, "at_ms": _WHOLE},
    "schema_versions": {
        "version": "integer not null",
        "since": "timestamp with time zone not null default now()",
    },
}

_KEYS: Final[Mapping[str, str]] = {
    "records.records_by_sequence": "PRIMARY KEY (table_id, sequence)",
    "records.records_by_sender": "UNIQUE (table_id, sender, number, part)",
    "heads.heads_pkey": "PRIMARY KEY (table_id)",
    "claims.claims_by_key": "PRIMARY KEY (key)",
    "snapshots.snapshots_pkey": "PRIMARY KEY (table_id)",
    "beats.beats_pkey": "PRIMARY KEY (table_id)",
    "schema_versions.schema_versions_pkey": "PRIMARY KEY (version)",
}

_EXPECTED: Final[Mapping[Part, str]] = {
    **{("table", table): "" for table in _COLUMNS},
    **{
        ("column", f"{table}.{column}"): content
        for table, columns in _COLUMNS.items()
        for column, content in columns.items()
    },
    **{("constraint", name): content for name, content in _KEYS.items()},
}
"""What a database of the one version that there is consists of."""


def schema_faults(rows: Iterable[tuple[Any, ...]]) -> list[str]:
    """What is not as croupier makes it, by what `MADE` gives: each as half a sentence.

    Whoever takes a key away can put in what no key would have taken, and what is written behind a trigger
    goes wherever that one says.
    """
    found = {(str(kind), str(name)): str(content) for kind, name, content in rows}
    # Of a table that is not there, nothing else is said.
    made = {
        (kind, name): content
        for (kind, name), content in _EXPECTED.items()
        if kind == "table" or ("table", name.split(".")[0]) in found
    }
    return differences(made, found)

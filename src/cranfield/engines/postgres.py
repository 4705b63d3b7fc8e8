"""Full-text search in PostgreSQL."""

from __future__ import annotations

import contextlib
import queue
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, LiteralString

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.environment import Given, value_of
from cranfield.engines.fields import Fields, encodable
from cranfield.engines.parameters import choice, number, text, whole_number
from cranfield.engines.patience import pause
from cranfield.errors import EngineError, MissingExtraError, ParameterError

if TYPE_CHECKING:
    import psycopg
    from psycopg import sql

_QUERIES: dict[str, LiteralString] = {
    # Lexemes have no blanks, so ' & ' is the operator wherever it stands.
    "any": "replace(plainto_tsquery(%(language)s, %(query)s)::text, ' & ', ' | ')::tsquery",
    "all": "plainto_tsquery(%(language)s, %(query)s)",
    "web": "websearch_to_tsquery(%(language)s, %(query)s)",
}
_OURS = "documents of a collection, made by cranfield"


class _LostError(EngineError):
    """The connection went away, which may pass."""


class PostgresEngine(Engine):
    """A table with a `tsvector` and a GIN index on it, filled by COPY.

    `match` says which documents are found: those with any word of the query, those with all, or what the words mean in
    the language of web searches (`"quoted phrases"`, `or`, `-not`). `rank` and `normalization` are PostgreSQL's ranking
    function and what it does about the length of documents. Its functions know nothing of how rare a word is.
    """

    kind: ClassVar[str] = "postgres"
    embedded: ClassVar[bool] = False
    free: ClassVar[frozenset[str]] = frozenset({"match", "rank", "normalization", "timeout", "retries", "concurrency"})

    immaterial: ClassVar[frozenset[str]] = frozenset({"timeout", "retries", "concurrency"})

    @classmethod
    def place(cls, settings: Mapping[str, Any]) -> tuple[Any, ...]:
        """The table of the database."""
        found = cls.complete(settings)
        return str(found.get("dsn")), found["table"]

    def __init__(
        self,
        *,
        dsn: Given,
        table: str = "cranfield_documents",
        fields: Sequence[str] | None = None,
        language: str = "english",
        match: str = "any",
        rank: str = "ts_rank",
        normalization: int = 1,
        timeout: float = 30.0,
        retries: int = 4,
        concurrency: int = 4,
    ) -> None:
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("the engine postgres", "postgres") from None
        self._dsn = value_of("dsn", dsn)
        try:
            place = psycopg.conninfo.conninfo_to_dict(self._dsn)
        except psycopg.Error:
            raise ParameterError(
                "dsn is no connection string of PostgreSQL, such as postgresql://host:5432/database"
            ) from None
        if isinstance(dsn, str) and place.get("password"):
            raise ParameterError(
                'dsn holds a password: put it in an environment variable and write dsn = {env = "NAME"}'
            )
        self._where = f"{place.get('host', 'localhost')}:{place.get('port', 5432)}/{place.get('dbname', '')}"
        self._secret = str(place.get("password") or "")
        self._table = text("table", table)
        self._fields = Fields(fields, weighted=False)
        self._language = text("language", language)
        self._match = choice("match", match, _QUERIES)
        self._rank = choice("rank", rank, ("ts_rank", "ts_rank_cd"))
        self._normalization = whole_number("normalization", normalization, least=0, most=63)
        self._timeout = number("timeout", timeout, least=0.001)
        self._retries = whole_number("retries", retries, least=0)
        self._answered = False
        self.concurrency = whole_number("concurrency", concurrency, least=1, most=1000)
        self._idle: queue.SimpleQueue[psycopg.Connection] = queue.SimpleQueue()
        self._statement = self._search_statement()

    def index(self, documents: Iterable[Document]) -> None:
        """Make the table anew, in one transaction: until all is there, and if anything fails, the old one stays."""
        from psycopg import sql

        table = self._name()
        with self._connection() as connection, connection.transaction(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            self._check_ours(cursor)
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
            cursor.execute(
                sql.SQL(
                    "CREATE TABLE {} (id text NOT NULL, content text NOT NULL, "
                    "terms tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector({}::regconfig, content)) STORED)"
                ).format(table, sql.Literal(self._language))
            )
            with cursor.copy(sql.SQL("COPY {} (id, content) FROM STDIN").format(table)) as copy:
                for document in self._fields.checked(documents):
                    copy.write_row((document.id, self._fields.texts(document)[0].replace("\0", " ")))
            cursor.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(table))
            cursor.execute(sql.SQL("CREATE INDEX ON {} USING gin (terms)").format(table))
            cursor.execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(table, sql.Literal(_OURS)))
            cursor.execute(sql.SQL("ANALYZE {}").format(table))

    def _check_ours(self, cursor: psycopg.Cursor) -> None:
        cursor.execute("SELECT obj_description(oid) FROM pg_class WHERE oid = to_regclass(%s)", [self._quoted()])
        found = cursor.fetchone()
        if found is not None and found[0] != _OURS:
            raise self._error(
                f"has a table {self._table} that Cranfield did not make. Choose another name, or drop it yourself"
            )

    def search(self, query: str, k: int) -> Hits:
        """The best k documents; those with the same score by their identifiers."""
        asked = {"language": self._language, "query": encodable(query).replace("\0", " "), "k": k}
        return self._ask(self._statement, asked)

    def _search_statement(self) -> sql.Composed:
        from psycopg import sql

        return sql.SQL(
            "SELECT id, {rank}(terms, asked, {normalization})::float8 AS score "
            "FROM {table}, (SELECT {query} AS asked) AS q "
            "WHERE terms @@ asked ORDER BY score DESC, id LIMIT %(k)s"
        ).format(
            rank=sql.Identifier(self._rank),
            normalization=sql.Literal(self._normalization),
            table=self._name(),
            query=sql.SQL(_QUERIES[self._match]),
        )

    def count(self) -> int:
        """How many documents are in the table."""
        from psycopg import sql

        return self._number(sql.SQL("SELECT count(*) FROM {}").format(self._name()))

    def size_on_disk(self) -> int:
        """The bytes of the table with its texts and indexes."""
        from psycopg import sql

        return self._number(sql.SQL("SELECT pg_total_relation_size({})").format(sql.Literal(self._quoted())))

    def _number(self, statement: sql.Composed) -> int:
        ((number,),) = self._ask(statement)
        return int(number)

    def _ask(self, statement: sql.Composed, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of an answer; asked again where the connection was lost on the way."""
        attempt = 1
        while True:
            try:
                with self._connection() as connection:
                    return connection.execute(statement, values).fetchall()
            except _LostError:
                if attempt > self._retries:
                    raise
            time.sleep(pause(attempt))
            attempt += 1

    def description(self) -> Mapping[str, Any]:
        """The table and how it is searched, and the version of the server."""
        with self._connection() as connection:
            version = connection.info.server_version
        return {
            "parameters": {
                "server": self._where,
                "table": self._table,
                "fields": self._fields.recorded(),
                "language": self._language,
                "match": self._match,
                "rank": self._rank,
                "normalization": self._normalization,
            },
            "versions": {"postgresql": f"{version // 10000}.{version % 10000}"},
        }

    def close(self) -> None:
        """Let go of the connections; the table stays."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    @contextlib.contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        """A connection that nobody else uses meanwhile; what goes wrong with it is an `EngineError`."""
        import psycopg

        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = self._connect()
        try:
            yield connection
        except psycopg.Error as error:
            kind = _LostError if connection.closed else EngineError
            raise self._error(self._explained(error), kind) from None
        finally:
            if not connection.closed:
                self._idle.put(connection)

    def _connect(self) -> psycopg.Connection:
        import psycopg

        limit = f"-c statement_timeout={int(self._timeout * 1000)}"
        try:
            connection = psycopg.connect(
                self._dsn, autocommit=True, connect_timeout=5, options=limit, application_name="cranfield"
            )
        except psycopg.OperationalError as error:
            # A server that was never there is not waited for.
            kind = _LostError if self._answered else EngineError
            said = _line(error).partition(" Is the server running")[0]  # libpq asks the same
            problem = f"cannot be reached: {said}. Is it running, and is the dsn right?"
            raise self._error(problem, kind) from None
        self._answered = True
        return connection

    def _explained(self, error: psycopg.Error) -> str:
        from psycopg import errors

        if isinstance(error, errors.QueryCanceled):
            return f"took more than {self._timeout:g} seconds to answer. timeout says how long to wait"
        if isinstance(error, errors.UndefinedTable):
            return f"has no table {self._table}. Index documents first"
        if isinstance(error, errors.UniqueViolation):
            return f"got a document twice: {error.diag.message_detail}"
        if isinstance(error, errors.UndefinedObject):
            return f"does not know the language {self._language!r} ({_line(error)}). \\dF in psql lists what it knows"
        if isinstance(error, errors.ProgramLimitExceeded):
            return f"cannot take a document of this length: {_line(error)}"
        return f"refused: {_line(error)}"

    def _error(self, problem: str, kind: type[EngineError] = EngineError) -> EngineError:
        shown = problem.replace(self._secret, "***") if self._secret else problem
        return kind(f"postgres at {self._where} {shown}")

    def _name(self) -> sql.Identifier:
        from psycopg import sql

        return sql.Identifier(*self._table.split("."))

    def _quoted(self) -> str:
        return ".".join('"' + part.replace('"', '""') + '"' for part in self._table.split("."))


def _line(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error)).strip().removesuffix(".")

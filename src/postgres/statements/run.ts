import type { BranchAddress } from "../../catalog/address.js";
import { pointer, refuse, shorten, TwinbaseError } from "../../errors.js";
import { formatArray } from "../../sql/arrays.js";
import type { Row } from "../../sql/project.js";
import { StatementWriter, statementOf } from "../../sql/statement.js";
import { utf8Length } from "../../value/text.js";
import { type Backend, type OpenBranch, openBranch, requireRevision } from "../backend.js";
import { type Description, plain, type Transaction } from "../driver.js";
import { codeOf, withoutPlaces } from "../failure.js";
import { GUARDED, requireAdmitted, STATEMENT } from "./admit.js";
import { applyViewChanges, readChanges } from "./changes.js";
import { MAX_MESSAGE, refuseFailure, refuseLate, refuseReading, refuseTimeout } from "./failure.js";
import type { GivenStatement, SqlRequest } from "./request.js";
import { LIMIT_FILES, requireRole } from "./role.js";
import {
  type AnswerColumn,
  answerRows,
  encodeParameter,
  type SqlType,
  writeName,
} from "./values.js";
import { captureWrites, literal, type ShownTable, SQL_ROLE, shownTables, viewOf } from "./views.js";

/** Maximum bytes of all rows of a request as JSON. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes added for each row and value, for their overhead; objects also repeat the names. */
const ROW_BYTES = 64;
const VALUE_BYTES = 32;
const MAX_PARAMETERS = 100;
/** Ids that a statement takes before it runs beside others. */
const FEW_IDS = 64;

interface StatementRun {
  readonly session: Transaction;
  readonly backend: Backend;
  readonly branch: OpenBranch;
  readonly now: number;
  readonly asArrays: boolean;
  /** Time of `performance.now()` at which the request ends (L-10). */
  readonly until: number;
  bytesLeft: number;
}

/**
 * Runs SQL statements over the tables of a branch, in one transaction, and returns the results as
 * JSON text. Throws `invalid_request` with the database's message, the engine's errors of writes,
 * `query_timeout`, `not_implemented`, `unavailable`.
 */
export async function runStatements(
  backend: Backend,
  address: BranchAddress,
  { statements, asArrays, until }: SqlRequest & { readonly until: number },
): Promise<string[]> {
  const { catalog, driver } = backend;
  const { limitsFiles } = await requireRole(backend);
  const now = catalog.context.clock.now();
  await backend.ids.lease(now);
  return driver.transact("revision", async (session) => {
    const { placement } = openBranch(backend, address);
    await requireRevision(session, placement);
    if (limitsFiles) await session.query(LIMIT_FILES);
    const results: string[] = [];
    let bytesLeft = MAX_BYTES;
    for (const statement of statements) {
      const branch = openBranch(backend, address);
      const running = { session, backend, branch, now, asArrays, until, bytesLeft };
      const { columns, rows } = await runStatement(running, statement);
      results.push(answerRows(columns, rows, asArrays));
      bytesLeft = running.bytesLeft;
    }
    return results;
  });
}

interface Result {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly Row[];
}

/** Rolls the statement back with all temporary objects; the engine then applies its changes. */
async function runStatement(running: StatementRun, statement: GivenStatement): Promise<Result> {
  const { session, backend, branch, now } = running;
  const { text } = statement;
  const path = pointer(statement.path, "statement");
  const { profile } = backend.catalog.context;
  const tables = shownTables(branch, text, profile);
  // SQL keywords have no other spelling.
  const writes = /insert|update|delete|merge/i.test(text);
  await session.query(plain("savepoint statement"));
  await limitTime(running, path);
  // A table may have the name of a PostgreSQL type.
  await session.query(plain("set local search_path = pg_catalog, pg_temp"));
  for (const create of tables.flatMap((table) => table.create)) await session.queryOnce(create);
  const nextId = backend.ids.next(now);
  if (writes) {
    backend.ids.commit(nextId + FEW_IDS);
    const givens = { nextId, tail: branch.context.streams.recordTail, now: { ms: now, micros: 0 } };
    for (const made of captureWrites(tables, profile, givens)) await session.queryOnce(made);
  }
  await grantViews(session, tables);
  await session.query(plain(`set local role ${SQL_ROLE}`));
  const prepared = await refuseReading(path, text, () => createFunction(running, statement));
  await limitTime(running, path);
  const result = await refuseFailure(path, () => callFunction(running, statement, prepared));
  await session.query(plain("reset role"));
  const changes = writes ? await refuseTimeout(path, () => readChanges(session, tables)) : [];
  await session.query(plain("rollback to savepoint statement"));
  if (changes.length > 0) {
    await limitTime(running, path);
    await refuseTimeout(path, () =>
      applyViewChanges(session, [backend, branch], changes, { now, path }),
    );
  }
  backend.ids.commit(nextId + changes.filter(({ verb }) => verb === "INSERT").length);
  return result;
}

/** Limits the next steps to the time that is left. */
async function limitTime({ session, until }: StatementRun, path: string): Promise<void> {
  const left = Math.ceil(until - performance.now());
  if (left <= 0) refuseLate(path);
  if (left < Infinity) await session.queryOnce(plain(`set local statement_timeout = ${left}`));
}

async function grantViews(session: Transaction, tables: readonly ShownTable[]): Promise<void> {
  if (tables.length === 0) return;
  const views = tables.map(({ label }) => viewOf(label)).join(", ");
  await session.queryOnce(plain(`grant select, insert, update, delete on ${views} to ${SQL_ROLE}`));
}

interface PreparedStatement {
  readonly parameters: readonly SqlType[];
  readonly columns: readonly AnswerColumn[];
  /** Types of the function's parameters and of its result, in SQL. */
  readonly takes: string;
  readonly gives: string;
  /** Bytes of the columns' names as JSON. */
  readonly nameBytes: number;
}

/**
 * Makes a statement the body of a function owned by the role, created from the parsed form: the
 * statement that is checked is the one that runs, and it cannot change the role.
 */
async function createFunction(
  running: StatementRun,
  statement: GivenStatement,
): Promise<PreparedStatement> {
  const { session } = running;
  const { text, params, path } = statement;
  session.leave(STATEMENT_BYTES + CHARACTER_BYTES * text.length);
  const description = await session.describe(text).catch((error: unknown) => {
    if (codeOf(error) === SYNTAX_ERROR && params.length > 0) refuseUnused(statement, 0, error);
    throw error;
  });
  const types = await readTypes(session, description);
  const parameters = description.parameters.map((type) => typeIn(types, type));
  if (parameters.length < params.length) refuseUnused(statement, parameters.length);
  if (parameters.length > params.length) {
    const counts = `expected ${parameters.length} values, found ${params.length}`;
    refuse("invalid_request", `params: ${counts}`, { path: pointer(path, "params"), rule: "E-3" });
  }
  if (params.length > MAX_PARAMETERS) {
    const most = `params: expected at most ${MAX_PARAMETERS} values, found ${params.length}`;
    refuse("invalid_request", most, { path: pointer(path, "params"), rule: "E-3" });
  }
  const columns = description.columns.map(({ name, type }) => ({
    name,
    type: typeIn(types, type),
  }));
  const nameBytes = columns.reduce((sum, { name }) => sum + utf8Length(writeName(name)), 0);
  takeBytes(running, nameBytes, path);
  const takes = parameters.map(({ full }) => full).join(", ");
  const gives = columns.length === 0 ? "void" : "setof record";
  await session.queryOnce(
    plain(
      `create function ${STATEMENT}(${takes}) returns ${gives} language sql security definer begin atomic ${text}\n; end`,
    ),
  );
  const treeLength = await requireAdmitted(session, pointer(path, "statement"));
  session.leave(COLUMN_BYTES * columns.length + TREE_BYTES * treeLength);
  return { parameters, columns, takes, gives, nameBytes };
}

const SYNTAX_ERROR = "42601";

/** A statement that does not parse uses no parameters, in the words of the service. */
function refuseUnused({ params, path }: GivenStatement, used: number, fault?: unknown): never {
  const counts = `used ${used} of ${params.length} parameters`;
  refuse("invalid_request", `invalid SQL: unused parameters: ${counts}`, {
    path: pointer(path, "params"),
    rule: "E-3",
    hint: fault instanceof Error ? shorten(withoutPlaces(fault.message), MAX_MESSAGE) : undefined,
  });
}

/** Bytes that a statement leaves in its connection, even if it is rolled back: measured, rounded up. */
const STATEMENT_BYTES = 350_000;
const CHARACTER_BYTES = 200;
const COLUMN_BYTES = 10_000;
/** For each character of its parse tree. */
const TREE_BYTES = 10;

async function callFunction(
  running: StatementRun,
  { params, path }: GivenStatement,
  { parameters, columns, takes, gives, nameBytes }: PreparedStatement,
): Promise<Result> {
  const { session } = running;
  const placeholders = parameters.map((_, i) => `$${i + 1}`).join(", ");
  const run = `${STATEMENT}(${placeholders})`;
  const body =
    columns.length === 0
      ? `perform ${run}`
      : `return query ${selectRows(run, columns, running.asArrays ? 0 : nameBytes, running.bytesLeft)}`;
  const message = `raise exception using errcode = sqlstate, message = left(sqlerrm, ${MAX_MESSAGE})`;
  const guarded = literal(`begin ${body}; exception when others then ${message}; end`);
  await session.queryOnce(
    plain(`create function ${GUARDED}(${takes}) returns ${gives} language plpgsql as ${guarded}`),
  );
  const writer = new StatementWriter();
  const values = parameters.map((type, i) =>
    writer.bind(encodeParameter(params[i], type), type.full),
  );
  const call = `${GUARDED}(${values.join(", ")})`;
  if (columns.length === 0) {
    await session.queryOnce(writer.finish(`select ${call}`));
    return { columns, rows: [] };
  }
  const definitions = columns.map((_, i) => `j${i} text`).join(", ");
  const rows = await session.queryOnce(
    writer.finish(`select * from ${call} r(${definitions}, size bigint)`),
  );
  takeBytes(running, Number(rows.at(-1)?.[columns.length] ?? 0), path);
  return { columns, rows };
}

/** Throws if an answer becomes too long, before its writes are committed. */
function takeBytes(running: StatementRun, bytes: number, path: string): void {
  running.bytesLeft -= bytes;
  if (running.bytesLeft >= 0) return;
  const most = `the answer is longer than ${MAX_BYTES} bytes`;
  refuse("invalid_request", `${most}: ask for fewer rows or columns`, {
    path: pointer(path, "statement"),
    rule: "L-11",
  });
}

/** Each value as JSON, with the running size; stops after the first row that exceeds it. */
function selectRows(
  call: string,
  columns: readonly AnswerColumn[],
  nameBytes: number,
  mostBytes: number,
): string {
  const declared = columns.map(({ type }, i) => `c${i} ${type.full}`).join(", ");
  // Times as PostgreSQL writes them, which drizzle reads with and without `withTimezone`.
  const cellOf = ({ type }: AnswerColumn, i: number): string =>
    type.name.startsWith("timestamp") ? `c${i}::text` : `c${i}`;
  const json = columns
    .map((column, i) => `to_json(${cellOf(column, i)})::text as j${i}`)
    .join(", ");
  const bytes = sumOf(columns.map((_, i) => `coalesce(octet_length(j${i}), 4)`));
  const besides = ROW_BYTES + nameBytes + VALUE_BYTES * columns.length;
  const shown = columns.map((_, i) => `case when size <= ${mostBytes} then j${i} end`).join(", ");
  return `select ${shown}, size from (
    select *, sum(own) over (rows unbounded preceding) as size from (
      select *, ${besides} + ${bytes} as own from (select ${json} from ${call} r(${declared})) a
    ) b
  ) c where size - own <= ${mostBytes}`;
}

/** Nested by halves: PGlite cannot end an expression that is too deep for its stack. */
function sumOf(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!;
  const half = terms.length >>> 1;
  return `(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`;
}

type Types = ReadonlyMap<number, SqlType>;

async function readTypes(
  session: Transaction,
  { parameters, columns }: Description,
): Promise<Types> {
  const used = [...new Set([...parameters, ...columns.map(({ type }) => type)])];
  if (used.length === 0) return new Map();
  const rows = await session.query(
    statementOf(
      (bind) =>
        `select t.oid, typname, quote_ident(nspname) || '.' || quote_ident(typname), typcategory from pg_type t join pg_namespace n on n.oid = typnamespace where t.oid = any(${bind(formatArray(used.map(String)), "oid[]")})`,
    ),
  );
  return new Map(
    rows.map(([oid, name, full, category]) => [
      Number(oid),
      { name: name ?? "", full: full ?? "", isArray: category === "A" },
    ]),
  );
}

function typeIn(types: Types, oid: number): SqlType {
  const type = types.get(oid);
  if (type === undefined) throw new TwinbaseError("invalid_request", `unknown type ${oid}`);
  return type;
}

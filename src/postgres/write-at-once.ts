import type { TableAddress } from "../catalog/address.js";
import type { EngineContext } from "../engine/context.js";
import { openRun } from "../engine/query-run.js";
import { ROOT, refuse, TwinbaseError } from "../errors.js";
import { tableScope } from "../query/bind/scope.js";
import { bindColumns } from "../query/bind/selection.js";
import type { QueryRun } from "../query/query-run.js";
import { bindMatches } from "../query/run.js";
import { leavesOf } from "../schema/columns.js";
import { type ParsedValue, RecordReader, requireValue } from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import { demandsOf } from "../sql/demand.js";
import { writePredicate } from "../sql/predicate.js";
import type { Row } from "../sql/project.js";
import { BASE, type CompileContext, compileRecord } from "../sql/select.js";
import { columnName, FromClause, type Statement, StatementWriter } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import { castType, encodeValue } from "../sql/values.js";
import type { AnyInput } from "../typed/write.js";
import type { AnyRecord, Filter } from "../types.js";
import { type Backend, guardOf, type OpenBranch, openBranch, withCatalog } from "./backend.js";
import { ConflictError } from "./failure.js";
import { followsLinks } from "./held-rows.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";
import { transact } from "./transact.js";
import { sendWrite, type Write } from "./write.js";

export interface Update {
  readonly id: string;
  readonly changes: unknown;
  readonly ifVersion?: number | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** Updates a record, in a transaction if one statement is not enough. */
export async function updateRecord(
  backend: Backend,
  address: TableAddress,
  { id, changes }: Update,
): Promise<AnyRecord> {
  const updated = await withCatalog(backend, async () => {
    // Callers without types pass other values, which no record has.
    return typeof id === "string" ? updateAtOnce(backend, address, { id, changes }) : undefined;
  });
  return (
    updated ??
    transact(backend, address, (branch) =>
      branch.table(address.table).update(id, changes as AnyInput),
    )
  );
}

/** Updates a record with one statement; undefined as {@link writeAtOnce}, or without such a record. */
export async function updateAtOnce(
  backend: Backend,
  address: TableAddress,
  { id, changes, ifVersion, columns }: Update,
): Promise<AnyRecord | undefined> {
  // An answer with contents may be too long, which must refuse before the write (E-5).
  if (columns?.some((path) => path.endsWith("base64Content"))) return undefined;
  return writeAtOnce(backend, address, { id, changes }, ({ run, compiling, writer }) => {
    const { selection, reverse } = bindColumns(tableScope(run), columns, "/columns");
    const found = compileRecord(compiling, run.table.identity, selection);
    if (found === undefined || reverse.length > 0) return undefined;
    const isIt = `${BASE}.id = ${writer.bind(writeText(id))}`;
    const condition =
      ifVersion === undefined
        ? isIt
        : `${isIt} and ${BASE}.version = ${writer.bind(String(ifVersion), "bigint")}`;
    return { condition, returning: found.returning, read: (row) => found.read(row, []) };
  });
}

/**
 * Updates or deletes all matching records, in a transaction if one statement is not enough. Returns
 * their number.
 *
 * @param changes undefined deletes
 */
export async function writeMatching(
  backend: Backend,
  address: TableAddress,
  filter: Filter,
  changes?: AnyInput,
): Promise<number> {
  const change = changes === undefined ? undefined : { changes };
  const count = await withCatalog(backend, () =>
    writeAtOnce(backend, address, change, ({ branch, run, compiling, writer }) => {
      // A cluster has no writes in `with`.
      if (branch.rowForm === "values") return undefined;
      const query = bindMatches(run, filter ?? null);
      // A linked record may change between the statement's snapshot and its writes.
      if (followsLinks(query.predicate)) return undefined;
      const isLinked = branch.context.linksTo(address).next().done !== true;
      if (changes === undefined && isLinked) return undefined;
      const { identity } = run.table;
      const from = new FromClause(compiling, identity, BASE);
      const scope = { writer, dialect: compiling.dialect, from };
      const condition = writePredicate(scope, query.predicate);
      backend.advisor.note(demandsOf({ identity, ...query }, compiling), compiling.tableOf);
      return { condition, read: ([written]) => Number(written) };
    }),
  );
  return (
    count ??
    transact(backend, address, (branch) => {
      const table = branch.table(address.table);
      return changes === undefined ? table.deleteWhere(filter) : table.updateWhere(filter, changes);
    })
  );
}

interface Compiling {
  readonly branch: OpenBranch;
  readonly run: QueryRun;
  readonly compiling: CompileContext;
  readonly writer: StatementWriter;
}

/** The records that a statement writes. */
interface Chosen<T> {
  readonly condition: string;
  /** The columns of its rows; absent: its only row is their number. */
  readonly returning?: string;
  /** Reads the first row. */
  readonly read: (row: Row) => T;
}

/**
 * Writes records with one statement, a transaction of its own. Returns undefined if that is impossible:
 * the write is invalid, depends on other records, or met a conflict; or if it has no row.
 *
 * @param change undefined deletes
 */
async function writeAtOnce<T>(
  backend: Backend,
  address: TableAddress,
  change: Changes | undefined,
  choose: (own: Compiling) => Chosen<T> | undefined,
): Promise<T | undefined> {
  const write = compileWrite(backend, address, change, choose);
  if (write === undefined) return undefined;
  const { driver } = backend;
  const query = (statement: Statement): Promise<readonly Row[]> =>
    driver.write(statement, write.guard);
  try {
    const [row] = await sendWrite({ query }, write);
    return row && write.read(row);
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

type CompiledWrite<T> = Write & Chosen<T> & { readonly guard: Statement };

function compileWrite<T>(
  backend: Backend,
  address: TableAddress,
  change: Changes | undefined,
  choose: (own: Compiling) => Chosen<T> | undefined,
): CompiledWrite<T> | undefined {
  const branch = openBranch(backend, address);
  const { context, placement } = branch;
  const writer = new StatementWriter();
  try {
    const run = openRun(context, address);
    const table = tableIn(placement, address, run.table.identity);
    const sets = change && writeAssignments(writer, context, address, change);
    const act =
      sets === undefined ? `delete from ${table} ${BASE}` : `update ${table} ${BASE} set ${sets}`;
    const chosen = choose({ branch, run, compiling: compilingFor(backend, branch), writer });
    if (chosen === undefined) return undefined;
    const { condition, returning } = chosen;
    const text = `${act} where ${condition} returning ${returning ?? 1}`;
    const whole = returning === undefined ? `with w as (${text}) select count(*) from w` : text;
    return { ...chosen, table, statement: writer.finish(whole), guard: guardOf(placement) };
  } catch (error) {
    // A missing record is reported before other errors (E-6); without one, invalid changes are none.
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}

interface Changes {
  /** Undefined: of any record. */
  readonly id?: string | undefined;
  readonly changes: unknown;
}

/** Writes what an update sets. Throws if its values are invalid, or depend on records. */
function writeAssignments(
  writer: StatementWriter,
  context: EngineContext,
  address: TableAddress,
  change: Changes,
): string {
  const values = readPlain(context, address, change);
  const sets = context.readTable(address).schema.leaves.flatMap(({ slot, type }) => {
    const value = values[slot];
    if (value === undefined) return [];
    const written = encodeValue(type, requireValue(value));
    return `${columnName(slot)} = ${writer.bind(written, castType(type))}`;
  });
  const now = writer.bind(encodeValue("datetime", context.now()), "timestamptz");
  return [`version = ${BASE}.version + 1`, `updated_at = ${now}`, ...sets].join(", ");
}

/** Reads values by slot. Throws if they are invalid, or depend on records. */
function readPlain(
  context: EngineContext,
  address: TableAddress,
  { id, changes }: Changes,
): readonly ParsedValue[] {
  const { table } = address;
  const { schema } = context.readTable(address);
  const { notNulls, uniques, links } = schema.constraints;
  const { profile, files, limits } = context;
  const reader = new RecordReader({ table, schema, profile, readFile: files?.read });
  const parsed = reader.read(changes, ROOT, true);
  const { values } = parsed;
  const bounds = { table, recordBytes: limits.recordBytes };
  requireRecordSize(bounds, schema, values, refuseStored, ROOT);
  const isPlain =
    (parsed.id ?? id) === id &&
    parsed.operations.length === 0 &&
    parsed.files.length === 0 &&
    uniques.every(({ slot }) => values[slot] === undefined) &&
    (context.links === undefined || links.every(({ slot }) => values[slot] == null)) &&
    notNulls.flatMap(leavesOf).every(({ slot }) => values[slot] !== null);
  return isPlain ? values : refuseStored();
}

function refuseStored(): never {
  refuse("not_implemented", "the update depends on records");
}

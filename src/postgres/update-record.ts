import type { TableAddress } from "../catalog/address.js";
import type { EngineContext } from "../engine/context.js";
import { openRun } from "../engine/query-run.js";
import { ROOT, refuse, TwinbaseError } from "../errors.js";
import { tableScope } from "../query/bind/scope.js";
import { bindColumns } from "../query/bind/selection.js";
import { leavesOf } from "../schema/columns.js";
import { type ParsedValue, RecordReader, requireValue } from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import type { Row } from "../sql/project.js";
import { BASE, type CompiledRecord, compileRecord } from "../sql/select.js";
import { columnName, type Statement, StatementWriter } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import { castType, encodeValue } from "../sql/values.js";
import type { AnyRecord } from "../types.js";
import { type Backend, guardOf, type OpenBranch, openBranch, withCatalog } from "./backend.js";
import { ConflictError } from "./failure.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";
import { transact } from "./transact.js";
import { sendWrite, type Write } from "./write.js";

interface Changes {
  /** Undefined: of any record. */
  readonly id?: string | undefined;
  readonly changes: unknown;
}

export interface Update extends Changes {
  readonly id: string;
  readonly changes: object;
  readonly ifVersion?: number | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** A write that is a transaction. */
export interface OnlyWrite extends Write {
  readonly guard: Statement;
}

interface CompiledUpdate extends OnlyWrite {
  readonly read: CompiledRecord["read"];
}

/** Updates a record with one statement if possible, otherwise in a transaction. */
export async function updateRecord(
  backend: Backend,
  address: TableAddress,
  update: Pick<Update, "id" | "changes">,
): Promise<AnyRecord> {
  const { id, changes } = update;
  const updated = await withCatalog(backend, async () => {
    // Callers without types pass other values, which no record has.
    return typeof id === "string" ? updateAtOnce(backend, address, update) : undefined;
  });
  return (
    updated ??
    transact(backend, address, (branch) => branch.table(address.table).update(id, changes))
  );
}

/** Compiles an update to one statement; undefined if it is invalid, or depends on records. */
function compileUpdate(
  backend: Backend,
  address: TableAddress,
  update: Update,
): CompiledUpdate | undefined {
  // An answer with contents may be too long, which must refuse before the write (E-5).
  if (update.columns?.some((path) => path.endsWith("base64Content"))) return undefined;
  const branch = openBranch(backend, address);
  const { context, placement } = branch;
  const writer = new StatementWriter();
  try {
    const { identity } = context.readTable(address);
    const scope = tableScope(openRun(context, address));
    const { selection, reverse } = bindColumns(scope, update.columns, "/columns");
    const found = compileRecord(compilingFor(backend, branch), identity, selection);
    if (found === undefined || reverse.length > 0) return undefined;
    const sets = writeAssignments(writer, branch, address, update);
    const conditions = [`${BASE}.id = ${writer.bind(writeText(update.id))}`];
    if (update.ifVersion !== undefined) {
      const version = writer.bind(String(update.ifVersion), "bigint");
      conditions.push(`${BASE}.version = ${version}`);
    }
    const table = tableIn(placement, address, identity);
    const statement = writer.finish(
      `update ${table} ${BASE} set ${sets} where ${conditions.join(" and ")} returning ${found.returning}`,
    );
    return { table, statement, guard: guardOf(placement), read: found.read };
  } catch (error) {
    // A missing record is reported before other errors (E-6).
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}

/**
 * Updates a record with one statement. Returns undefined if that is impossible, the update is
 * invalid, or no such record was found.
 */
export async function updateAtOnce(
  backend: Backend,
  address: TableAddress,
  update: Update,
): Promise<AnyRecord | undefined> {
  const compiled = compileUpdate(backend, address, update);
  const row = compiled && (await sendOnly(backend, compiled));
  return row && compiled?.read(row, []);
}

/** Returns the first row; undefined after a conflict. */
export async function sendOnly({ driver }: Backend, write: OnlyWrite): Promise<Row | undefined> {
  try {
    const query = (statement: Statement): Promise<readonly Row[]> =>
      driver.write(statement, write.guard);
    const [row] = await sendWrite({ query }, write);
    return row;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

/** Writes what an update sets. Throws if its values are invalid, or depend on records. */
export function writeAssignments(
  writer: StatementWriter,
  { context }: OpenBranch,
  address: TableAddress,
  change: Changes,
): string {
  const values = readPlain(context, address, change);
  const sets = context.readTable(address).schema.leaves.flatMap(({ slot, type }) => {
    const value = values[slot];
    if (value === undefined) return [];
    const text = encodeValue(type, requireValue(value));
    return `${columnName(slot)} = ${writer.bind(text, castType(type))}`;
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

import { tableAt } from "../../catalog/address.js";
import { assert, refuse, TwinbaseError } from "../../errors.js";
import { type LeafColumn, leavesOf, type StoredValue } from "../../schema/columns.js";
import { decodeValue } from "../../sql/values.js";
import type { AnyRecord } from "../../types.js";
import type { Backend, OpenBranch } from "../backend.js";
import { plain, type Transaction } from "../driver.js";
import { HeldRows, type Program, settledValue } from "../held-rows.js";
import { sendWrite } from "../write.js";
import { CHANGES, type ShownTable } from "./views.js";

type Values = Readonly<Record<string, StoredValue>>;

export interface RowChange {
  readonly table: ShownTable;
  readonly verb: "INSERT" | "UPDATE" | "DELETE";
  /** By column label; empty before an insert or after a delete. */
  readonly before: Values;
  readonly after: Values;
}

export async function readChanges(
  session: Transaction,
  tables: readonly ShownTable[],
): Promise<RowChange[]> {
  const byLabel = new Map(tables.map((table) => [table.label, table]));
  const rows = await session.query(plain(`select name, verb, before, after from ${CHANGES}`));
  return rows.map(([label, verb, before, after]) => {
    const table = byLabel.get(label ?? "");
    assert(table !== undefined, "what is written is a view of the statement");
    const read = (text: string | null | undefined): Values =>
      text == null ? {} : (decodeValue("json", text) as Values); // a row is an object
    return { table, verb: verb as RowChange["verb"], before: read(before), after: read(after) };
  });
}

/** Applies changes of views by the rules of the engine, whose errors get status 400. */
export async function applyViewChanges(
  session: Transaction,
  [backend, branch]: readonly [Backend, OpenBranch],
  changes: readonly RowChange[],
  { now, path }: { readonly now: number; readonly path: string },
): Promise<void> {
  const held = new HeldRows(backend, branch, { now, isOptimistic: false, mayQuery: false });
  const program = programOf(branch, changes);
  // In one step: a program stops at the first record that is missing.
  const id = branch.context.profile.idColumn;
  for (const { table, before, after } of changes) {
    held.want(tableAt(branch.address, table.name), String(before[id] ?? after[id]));
  }
  const outcome = await held.complete(program, session, true);
  try {
    settledValue(outcome);
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    const { code, message, rule, reason } = error;
    refuse(code, message, { path, rule, reason, status: 400 });
  }
  for (const write of held.flush(outcome)) await sendWrite(session, write);
}

function programOf({ address, context }: OpenBranch, changes: readonly RowChange[]): Program<void> {
  const { workspace, database, branch } = address;
  const { jsonAsText } = context.profile;
  const idKey = context.profile.idColumn;
  const inputOf: InputOf = ({ type }, value) =>
    jsonAsText && type === "json" && typeof value === "string" ? JSON.stringify(value) : value;
  return (engine) => {
    const opened = engine.workspace(workspace).database(database).branch(branch);
    for (const change of changes) {
      const table = opened.table(change.table.name);
      const id = String(change.verb === "DELETE" ? change.before[idKey] : change.after[idKey]);
      if (change.verb === "DELETE") table.delete(id);
      else if (change.verb === "UPDATE") table.update(id, changedValues(change, inputOf));
      else table.insert({ ...givenValues(change, inputOf), [idKey]: id });
    }
  };
}

/** Returns a value as the API takes it. */
type InputOf = (leaf: LeafColumn, value: StoredValue) => StoredValue;

function changedValues({ table, before, after }: RowChange, inputOf: InputOf): AnyRecord {
  const changed: Record<string, StoredValue> = {};
  for (const { label, leaf } of table.columns) {
    const [was, is] = [before[label] ?? null, after[label] ?? null];
    if (leaf === undefined || textOf(was) === textOf(is)) continue;
    requireNoFile(table, label, leaf.type);
    changed[leaf.path] = inputOf(leaf, is);
  }
  return changed as AnyRecord;
}

/** The JSON of a value; undefined if it is nested too deep, which the engine refuses (T-11). */
function textOf(value: StoredValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The values of a new record; empty objects are left out, so that defaults apply. */
function givenValues({ table, after }: RowChange, inputOf: InputOf): AnyRecord {
  const values: Record<string, StoredValue> = {};
  const unfilled = new Set(
    table.schema.constraints.objectDefaults
      .map(leavesOf)
      .filter((leaves) => leaves.every(({ path }) => after[path.slice(0, 63)] == null))
      .flat(),
  );
  for (const { label, leaf } of table.columns) {
    if (leaf === undefined || unfilled.has(leaf)) continue;
    const value = after[label] ?? null;
    if (value !== null) requireNoFile(table, label, leaf.type);
    if (value !== null || leaf.defaultValue !== undefined) {
      values[leaf.path] = inputOf(leaf, value);
    }
  }
  return values as AnyRecord;
}

function requireNoFile({ name }: ShownTable, label: string, type: string): void {
  if (type !== "file" && type !== "file[]") return;
  refuse("invalid_request", `table [${name}]: column [${label}]: SQL writes no files`, {
    rule: "H-1",
  });
}

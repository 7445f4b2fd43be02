import type { TableAddress } from "../catalog/address.js";
import { BY_ID, combine, type Leaf, type Predicate, plainRef } from "../query/bound/bound-query.js";
import type { StoredValue } from "../schema/columns.js";
import { formatArray } from "../sql/arrays.js";
import { demandsOf } from "../sql/demand.js";
import { BASE, compileScan } from "../sql/select.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import { hasUniqueIndex } from "../sql/unique.js";
import { uniqueKey } from "../storage/unique.js";
import type { Backend, OpenBranch } from "./backend.js";
import type { HeldTable } from "./held-table.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";
import { type StoredColumn, storedColumns } from "./rows.js";

/** Matching rows; with a limit, which may be infinite, the first by id. */
export interface Matches {
  readonly predicate: Predicate;
  readonly limit?: number;
}

/** Selects the stored columns of matching rows. */
export function matchesOf(
  backend: Backend,
  branch: OpenBranch,
  address: TableAddress,
  matches: Matches,
): Statement {
  const { identity, schema } = branch.context.readTable(address);
  const columns = storedColumns(schema).map((column) => column.name);
  const compiling = compilingFor(backend, { ...branch, address });
  const asked = { identity, predicate: matches.predicate, order: BY_ID };
  backend.advisor.note(demandsOf(asked, compiling), compiling.tableOf);
  return compileScan(compiling, identity, matches, columns);
}

type Values = readonly Exclude<StoredValue, null>[];

/** Selects the rows that a run lacks. */
export function* readWanted(
  backend: Backend,
  branch: OpenBranch,
  { address, wanted }: HeldTable,
  locks: boolean,
): Generator<Statement> {
  const { identity, schema } = branch.context.readTable(address);
  // Foreign keys of others wait only for deletions.
  const lock = ({ text, ...statement }: Statement): Statement => {
    return { ...statement, text: locks ? `${text} for no key update of ${BASE}` : text };
  };
  const lookUps = new Map<number, Exclude<StoredValue, null>[]>();
  for (const one of wanted.values()) {
    if (!("slot" in one)) continue;
    const values = lookUps.get(one.slot) ?? [];
    lookUps.set(one.slot, values);
    values.push(one.value);
  }
  for (const column of storedColumns(schema)) {
    const values = lookUps.get(column.slot);
    if (values === undefined) continue;
    // No index refuses it: lock the value.
    if (!hasUniqueIndex(column.type)) {
      yield lockValues(tableIn(branch.placement, address, identity), column, values);
    }
    // Locks in one order, against deadlocks.
    const order = locks ? { limit: Infinity } : {};
    const predicate = isAmong(column, values);
    yield lock(matchesOf(backend, branch, address, { predicate, ...order }));
  }
  for (const one of wanted.values()) if (!("slot" in one)) yield lock(one);
}

function lockValues(relation: string, { slot }: StoredColumn, values: Values): Statement {
  const keys = values.map((value) => writeText(`${relation} ${slot} ${uniqueKey(value)}`)).sort();
  return statementOf(
    (bind) =>
      `select null from unnest(${bind(formatArray(keys), "text[]")}) k(value) where pg_advisory_xact_lock(hashtextextended(k.value, 0)) is null`,
  );
}

function isAmong({ type, name, slot }: StoredColumn, values: Values): Predicate {
  const column = plainRef(type, name, slot);
  const leafOf = (test: Leaf["test"]): Leaf => {
    return { kind: "leaf", column, test, negated: false, nullMatches: false };
  };
  // Lists and JSON have no indexed form of membership.
  const isList = values.length > 1 && hasUniqueIndex(type);
  const tests = isList
    ? [leafOf({ kind: "among", values })]
    : values.map((value) => leafOf({ kind: "equals", value }));
  return combine("any", tests);
}

import type { BranchAddress, DatabaseAddress, TableAddress } from "../catalog/address.js";
import { findBranch } from "../catalog/find.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  KeyState,
  TableKey,
  WorkspaceState,
} from "../catalog/state.js";
import type { Profile } from "../profile.js";
import type { Schema } from "../schema/columns.js";
import { describeSchema } from "../schema/declare.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { equalJson } from "../value/json.js";
import type { Change, WorkspaceAddress } from "./change.js";
import { diffMaps } from "./diff-maps.js";
import { diffRecords } from "./diff-records.js";
import { projectWhole } from "./record-changes.js";
import { Snapshot } from "./snapshot.js";

type Tables = ReadonlyMap<string, TableVersion>;

interface Comparison {
  readonly profile: Profile;
  readonly isSame: boolean;
  readonly tableBefore: (key: TableKey) => TableVersion;
  readonly tableAfter: (key: TableKey) => TableVersion;
}

/**
 * Returns the differences between two snapshots; shared parts cost no time.
 *
 * @throws TwinbaseError `invalid_request` unless both are snapshots with equal profiles
 */
export function diff(before: Snapshot, after: Snapshot): Change[] {
  return [...walkDiff(before, after)];
}

export function* walkDiff(before: Snapshot, after: Snapshot): Generator<Change> {
  const { contents, profile } = Snapshot.read(before, "diff");
  const next = Snapshot.open(after, profile, "diff");
  const comparison = compareTables(contents.tables, next.tables, profile);
  yield* walkStates(contents.state, next.state, comparison);
}

/** Yields the differences between two branches of a database. */
export function* walkBranches(
  snapshot: Snapshot,
  { workspace, database, branch }: BranchAddress,
  other: string,
): Generator<Change> {
  const { contents, profile } = Snapshot.read(snapshot, "diff");
  const at = { workspace, database, branch };
  const [before, after] = [at, { ...at, branch: other }].map((of) =>
    findBranch(contents.state, of),
  );
  yield* diffTables(before, after!, at, compareTables(contents.tables, contents.tables, profile));
}

export function compareTables(
  before: ReadonlyMap<TableKey, TableVersion>,
  after: ReadonlyMap<TableKey, TableVersion>,
  profile: Profile,
): Comparison {
  return {
    profile,
    isSame: before === after,
    tableBefore: (key) => before.get(key)!, // the catalog refers to existing tables only
    tableAfter: (key) => after.get(key)!,
  };
}

export function* walkStates(
  before: CatalogState,
  after: CatalogState,
  comparison: Comparison,
): Generator<Change> {
  if (before === after && comparison.isSame) return;
  yield* diffUsers(before, after);
  yield* diffWorkspaces(before, after, comparison);
}

function* diffUsers(before: CatalogState, after: CatalogState): Generator<Change> {
  const { deleted, created, kept } = diffMaps(before.users, after.users, BY_NAME);
  for (const [id, user] of deleted) yield { kind: "user_deleted", user: { id, ...user } };
  for (const [id, user] of created) yield { kind: "user_created", user: { id, ...user } };
  const ids = new Set(kept.flatMap(([id, a, b]) => (equalJson({ ...a }, { ...b }) ? [] : id)));
  const isSame = (a: KeyState, b: KeyState): boolean => a.userId === b.userId;
  const match = { isSame, isMoved: never };
  const keys = diffMaps(before.keys, after.keys, match);
  for (const [, { userId }] of [...keys.deleted, ...keys.created]) ids.add(userId);
  const made = new Set(created.map(([id]) => id));
  for (const id of ids) {
    const user = after.users.get(id);
    if (user !== undefined && !made.has(id)) yield { kind: "user_changed", user: { id, ...user } };
  }
}

const EMPTY_WORKSPACE: WorkspaceState = {
  name: "",
  databases: new Map(),
  slug: "",
  members: new Map(),
  invites: new Map(),
  settings: {},
};

function* diffWorkspaces(
  before: CatalogState,
  after: CatalogState,
  comparison: Comparison,
): Generator<Change> {
  const entries = diffMaps(before.workspaces, after.workspaces, BY_NAME);
  for (const [workspace] of entries.deleted) yield { kind: "workspace_deleted", workspace };
  for (const [workspace, made] of entries.created) {
    yield { kind: "workspace_created", workspace };
    yield* diffDatabases(EMPTY_WORKSPACE, made, { workspace }, comparison);
  }
  for (const [workspace, from, to] of entries.kept) {
    const isSame =
      from === to ||
      (from.name === to.name &&
        from.slug === to.slug &&
        JSON.stringify([...from.invites]) === JSON.stringify([...to.invites]) &&
        equalJson([...from.members], [...to.members]) &&
        equalJson(from.settings, to.settings));
    if (!isSame) yield { kind: "workspace_changed", workspace };
    yield* diffDatabases(from, to, { workspace }, comparison);
  }
}

function* diffDatabases(
  before: WorkspaceState,
  after: WorkspaceState,
  at: WorkspaceAddress,
  comparison: Comparison,
): Generator<Change> {
  const isMoved = (a: DatabaseState, b: DatabaseState): boolean => isSameDatabase(a, b, comparison);
  const match = { isSame: always, isMoved };
  const entries = diffMaps(before.databases, after.databases, match);
  for (const [database] of entries.deleted) yield { kind: "database_deleted", ...at, database };
  for (const [from, database] of entries.renamed) {
    yield { kind: "database_renamed", ...at, database, from };
  }
  for (const [database, made] of entries.created) {
    yield { kind: "database_created", ...at, database };
    yield* diffBranches(undefined, made, { ...at, database }, comparison);
  }
  for (const [database, from, to] of entries.kept) {
    const isSame =
      from === to ||
      (from.color === to.color &&
        equalJson(from.settings, to.settings) &&
        equalJson([...from.branchesByGitBranch], [...to.branchesByGitBranch]));
    if (!isSame) yield { kind: "database_changed", ...at, database };
    yield* diffBranches(from, to, { ...at, database }, comparison);
  }
}

function* diffBranches(
  before: DatabaseState | undefined,
  after: DatabaseState,
  at: DatabaseAddress,
  comparison: Comparison,
): Generator<Change> {
  const match = { isSame: always, isMoved: (a: BranchState, b: BranchState) => a === b };
  const entries = diffMaps(before?.branches ?? new Map(), after.branches, match);
  for (const [branch] of entries.deleted) yield { kind: "branch_deleted", ...at, branch };
  for (const [from, branch] of entries.renamed) {
    yield { kind: "branch_renamed", ...at, branch, from };
  }
  for (const [branch, from, to] of entries.kept) {
    const isSame = equalJson({ ...from.metadata }, { ...to.metadata });
    if (!isSame) yield { kind: "branch_changed", ...at, branch };
    yield* diffTables(from, to, { ...at, branch }, comparison);
  }
  // Last: they may refer to branches changed above.
  const made = new Set(entries.created.map(([branch]) => branch));
  for (const [branch, state] of entries.created) {
    const from = [...after.branches].find(
      ([name, other]) => !made.has(name) && share(other, state, comparison),
    );
    yield { kind: "branch_created", ...at, branch, ...(from && { from: from[0] }) };
    if (from === undefined) yield* diffTables(undefined, state, { ...at, branch }, comparison);
  }
}

function* diffTables(
  before: BranchState | undefined,
  after: BranchState,
  at: BranchAddress,
  { profile, tableBefore, tableAfter }: Comparison,
): Generator<Change> {
  const [were, are] = [tablesOf(before, tableBefore), tablesOf(after, tableAfter)];
  const entries = diffMaps(were, are, { isSame: isSameTable, isMoved: isSameTable });
  for (const [table] of entries.deleted) yield { kind: "table_deleted", ...at, table };
  for (const [from, table] of entries.renamed) yield { kind: "table_renamed", ...at, table, from };
  for (const [table, value] of entries.created) {
    const place = { ...at, table };
    yield { kind: "table_created", ...place, columns: describeSchema(value.schema) };
    const empty = createTableVersion(value.identity, value.schema);
    yield* recordChanges(empty, value, place, profile);
  }
  for (const [table, from, to] of entries.kept) {
    const place = { ...at, table };
    yield* tableChanges(from, to, place, profile);
  }
}

export function* tableChanges(
  from: TableVersion,
  to: TableVersion,
  at: TableAddress,
  profile: Profile,
): Generator<Change> {
  if (from === to) return;
  if (!isSameSchema(from.schema, to.schema)) {
    const [before, after] = [describeSchema(from.schema), describeSchema(to.schema)];
    yield { kind: "table_altered", ...at, before, after };
  }
  yield* recordChanges(from, to, at, profile);
}

function* recordChanges(
  from: TableVersion,
  to: TableVersion,
  at: TableAddress,
  profile: Profile,
): Generator<Change> {
  const [projectFrom, projectTo] = [projectWhole(from, profile), projectWhole(to, profile)];
  for (const { before, after } of diffRecords(from, to)) {
    if (after < 0) yield { kind: "record_deleted", ...at, record: projectFrom(before) };
    else if (before < 0) yield { kind: "record_inserted", ...at, record: projectTo(after) };
    else {
      const [old, next] = [projectFrom(before), projectTo(after)];
      yield { kind: "record_updated", ...at, before: old, after: next };
    }
  }
}

/** Recreated columns have new slots. */
function isSameSchema(before: Schema, after: Schema): boolean {
  const describe = (schema: Schema): string =>
    JSON.stringify([describeSchema(schema), schema.leaves.map(({ slot }) => slot)]);
  return before === after || describe(before) === describe(after);
}

function isSameTable(before: TableVersion, after: TableVersion): boolean {
  return before.identity === after.identity;
}

function tablesOf(branch: BranchState | undefined, tableOf: Comparison["tableAfter"]): Tables {
  return new Map(Array.from(branch?.tables ?? [], ([name, key]) => [name, tableOf(key)]));
}

/** Table identities are unique across databases. */
function isSameDatabase(
  before: DatabaseState,
  after: DatabaseState,
  { tableBefore, tableAfter }: Comparison,
): boolean {
  if (before === after) return true;
  const known = new Set(identitiesOf(before, tableBefore));
  return identitiesOf(after, tableAfter).some((identity) => known.has(identity));
}

function identitiesOf({ branches }: DatabaseState, tableOf: Comparison["tableAfter"]): string[] {
  return [...branches.values()].flatMap(({ tables }) =>
    Array.from(tables.values(), (key) => tableOf(key).identity),
  );
}

/** Whether both contain the same table versions. */
function share(a: BranchState, b: BranchState, { tableAfter }: Comparison): boolean {
  if (a.tables.size !== b.tables.size || a.tables.size === 0) return false;
  return [...a.tables].every(([name, key]) => {
    const other = b.tables.get(name);
    return other !== undefined && tableAfter(key) === tableAfter(other);
  });
}

const BY_NAME = { isSame: always, isMoved: never };

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

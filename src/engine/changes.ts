import type { BranchAddress, DatabaseAddress, TableAddress } from "../catalog/address.js";
import { findBranch } from "../catalog/find.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  TableCell,
  WorkspaceState,
} from "../catalog/state.js";
import type { Profile } from "../profile.js";
import type { Schema } from "../schema/columns.js";
import { describeSchema } from "../schema/declare.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { equalJson } from "../value/json.js";
import { SharedMap } from "../value/shared-map.js";
import type { Change, WorkspaceAddress } from "./change.js";
import { diffMaps } from "./diff-maps.js";
import { diffRecords } from "./diff-records.js";
import { Snapshot } from "./snapshot.js";
import { projectWhole } from "./written-records.js";

/**
 * What has to be done to what one snapshot holds to come to what another holds. It costs what they
 * differ in: what they share is not looked at.
 *
 * @throws TwinbaseError `invalid_request` for what is no snapshot, and for profiles that differ
 */
export function diff(before: Snapshot, after: Snapshot): Change[] {
  return [...walkDiff(before, after)];
}

/** The same, one change after the other: the rest is not looked for until it is asked for. */
export function* walkDiff(before: Snapshot, after: Snapshot): Generator<Change> {
  const { contents, profile } = Snapshot.read(before, "diff");
  const { state } = Snapshot.open(after, profile, "diff");
  yield* walkStates(contents.state, state, profile);
}

/** What has to be done to one branch of a database to come to what another of it holds. */
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
  yield* diffTables(before, after!, at, profile);
}

/** The changes between two states, none of which is written in place any more. */
export function diffStates(before: CatalogState, after: CatalogState, profile: Profile): Change[] {
  return [...walkStates(before, after, profile)];
}

function* walkStates(
  before: CatalogState,
  after: CatalogState,
  profile: Profile,
): Generator<Change> {
  if (before === after) return;
  yield* diffUsers(before, after);
  yield* diffWorkspaces(before, after, profile);
}

function* diffUsers(before: CatalogState, after: CatalogState): Generator<Change> {
  const { deleted, created, kept } = diffMaps(before.users, after.users, always, never);
  for (const [id, user] of deleted) yield { kind: "user_deleted", user: { id, ...user } };
  for (const [id, user] of created) yield { kind: "user_created", user: { id, ...user } };
  const ids = new Set(kept.flatMap(([id, a, b]) => (equalJson({ ...a }, { ...b }) ? [] : id)));
  const keys = diffMaps(before.keys, after.keys, (a, b) => a.userId === b.userId, never);
  for (const [, { userId }] of [...keys.deleted, ...keys.created]) ids.add(userId);
  const made = new Set(created.map(([id]) => id));
  for (const id of ids) {
    const user = after.users.get(id);
    if (user !== undefined && !made.has(id)) yield { kind: "user_changed", user: { id, ...user } };
  }
}

const EMPTY_WORKSPACE: WorkspaceState = {
  name: "",
  databases: SharedMap.of(),
  slug: "",
  members: SharedMap.of(),
  invites: SharedMap.of(),
  settings: {},
};

function* diffWorkspaces(
  before: CatalogState,
  after: CatalogState,
  profile: Profile,
): Generator<Change> {
  const entries = diffMaps(before.workspaces, after.workspaces, always, never);
  for (const [workspace] of entries.deleted) yield { kind: "workspace_deleted", workspace };
  for (const [workspace, made] of entries.created) {
    yield { kind: "workspace_created", workspace };
    yield* diffDatabases(EMPTY_WORKSPACE, made, { workspace }, profile);
  }
  for (const [workspace, from, to] of entries.kept) {
    const isSame =
      from.name === to.name &&
      from.slug === to.slug &&
      JSON.stringify([...from.invites]) === JSON.stringify([...to.invites]) &&
      equalJson([...from.members], [...to.members]) &&
      equalJson(from.settings, to.settings);
    if (!isSame) yield { kind: "workspace_changed", workspace };
    yield* diffDatabases(from, to, { workspace }, profile);
  }
}

function* diffDatabases(
  before: WorkspaceState,
  after: WorkspaceState,
  at: WorkspaceAddress,
  profile: Profile,
): Generator<Change> {
  const entries = diffMaps(before.databases, after.databases, always, isSameDatabase);
  for (const [database] of entries.deleted) yield { kind: "database_deleted", ...at, database };
  for (const [from, database] of entries.renamed) {
    yield { kind: "database_renamed", ...at, database, from };
  }
  for (const [database, made] of entries.created) {
    yield { kind: "database_created", ...at, database };
    yield* diffBranches(undefined, made, { ...at, database }, profile);
  }
  for (const [database, from, to] of entries.kept) {
    const isSame =
      from.color === to.color &&
      equalJson(from.settings, to.settings) &&
      equalJson([...from.branchesByGitBranch], [...to.branchesByGitBranch]);
    if (!isSame) yield { kind: "database_changed", ...at, database };
    yield* diffBranches(from, to, { ...at, database }, profile);
  }
}

function* diffBranches(
  before: DatabaseState | undefined,
  after: DatabaseState,
  at: DatabaseAddress,
  profile: Profile,
): Generator<Change> {
  const entries = diffMaps(
    before?.branches ?? new Map(),
    after.branches,
    always,
    (a, b) => a === b,
  );
  for (const [branch] of entries.deleted) yield { kind: "branch_deleted", ...at, branch };
  for (const [from, branch] of entries.renamed) {
    yield { kind: "branch_renamed", ...at, branch, from };
  }
  for (const [branch, from, to] of entries.kept) {
    const isSame = equalJson({ ...from.metadata }, { ...to.metadata });
    if (!isSame) yield { kind: "branch_changed", ...at, branch };
    yield* diffTables(from, to, { ...at, branch }, profile);
  }
  // Last, when the branches that they began from are what they are now.
  const made = new Set(entries.created.map(([branch]) => branch));
  for (const [branch, state] of entries.created) {
    const from = [...after.branches].find(
      ([name, other]) => !made.has(name) && share(other, state),
    );
    yield { kind: "branch_created", ...at, branch, ...(from && { from: from[0] }) };
    if (from === undefined) yield* diffTables(undefined, state, { ...at, branch }, profile);
  }
}

function* diffTables(
  before: BranchState | undefined,
  after: BranchState,
  at: BranchAddress,
  profile: Profile,
): Generator<Change> {
  const entries = diffMaps(before?.tables ?? new Map(), after.tables, isSameTable, isSameTable);
  for (const [table] of entries.deleted) yield { kind: "table_deleted", ...at, table };
  for (const [from, table] of entries.renamed) yield { kind: "table_renamed", ...at, table, from };
  for (const [table, { value }] of entries.created) {
    const place = { ...at, table };
    yield { kind: "table_created", ...place, columns: describeSchema(value.schema) };
    const empty = createTableVersion(value.identity, value.schema);
    yield* recordChanges(empty, value, place, profile);
  }
  for (const [table, from, to] of entries.kept) {
    const place = { ...at, table };
    yield* tableChanges(from.value, to.value, place, profile);
  }
}

function* tableChanges(
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

/** A column that was removed and added again has another slot, and no values. */
function isSameSchema(before: Schema, after: Schema): boolean {
  const describe = (schema: Schema): string =>
    JSON.stringify([describeSchema(schema), schema.leaves.map(({ slot }) => slot)]);
  return before === after || describe(before) === describe(after);
}

/** A table keeps its identity under another name; made again it has another (rule G-13). */
function isSameTable(before: TableCell, after: TableCell): boolean {
  return before.value.identity === after.value.identity;
}

/** No two databases have a table of one identity. */
function isSameDatabase(before: DatabaseState, after: DatabaseState): boolean {
  if (before === after) return true;
  const known = new Set(identitiesOf(before));
  return identitiesOf(after).some((identity) => known.has(identity));
}

function identitiesOf({ branches }: DatabaseState): string[] {
  return [...branches.values()].flatMap(({ tables }) =>
    Array.from(tables.values(), ({ value }) => value.identity),
  );
}

/** Whether two branches hold the very same tables. */
function share(a: BranchState, b: BranchState): boolean {
  if (a.tables.size !== b.tables.size || a.tables.size === 0) return false;
  return [...a.tables].every(([name, cell]) => b.tables.get(name) === cell);
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

import type {
  BranchState,
  DatabaseState,
  MigrationRequestState,
  MigrationState,
  WorkspaceState,
} from "../../catalog/state.js";
import { ordinalsOf, type TableVersion } from "../../storage/table.js";
import { format, RecordWriter } from "../export/record-lines.js";
import {
  describeDatabase,
  describeMigration,
  describeRequest,
  describeTable,
  describeWorkspace,
} from "../export/write.js";
import { canFollow, changedRows } from "./changed-rows.js";
import type { BranchChangeLine, BranchPlace, LogState, LogWrite, TablePlace } from "./layout.js";
import { changesOf } from "./map-changes.js";
import { Places } from "./places.js";

/** The lines of all that differs between two states. They cost what differs. */
export function changeLines(before: LogState, after: LogState): LogWrite[] {
  const change = new ChangeWriter(before, after);
  return [["change"], ...change.write(), ["changed"]];
}

class ChangeWriter {
  readonly #before: LogState;
  readonly #after: LogState;
  readonly #places: Places;
  /** Tables and migrations that are in no place before. */
  readonly #tables: Map<TableVersion, number> = new Map();
  readonly #migrations: Map<MigrationState, number> = new Map();

  constructor(before: LogState, after: LogState) {
    this.#before = before;
    this.#after = after;
    this.#places = new Places(before);
  }

  *write(): Generator<LogWrite> {
    const { state: before } = this.#before;
    const { state: after } = this.#after;
    const { usersMade, secretsMade, deletedKeys } = after;
    const isCounted =
      usersMade === before.usersMade &&
      secretsMade === before.secretsMade &&
      deletedKeys === before.deletedKeys;
    if (!isCounted) yield ["counts", { usersMade, secretsMade, deletedKeys: [...deletedKeys] }];
    yield* mapLines(["users"], before.users, after.users, function* (id, user) {
      const { email, fullname, image } = user;
      yield ["user", id, { email, fullname, image }];
    });
    yield* mapLines(["keys"], before.keys, after.keys, function* (key, state) {
      const { userId, name, createdAt, openOnly = false } = state;
      yield ["key", key, userId, name, format(createdAt), openOnly];
    });
    const write = this.#workspaceLines.bind(this);
    yield* mapLines(["workspaces"], before.workspaces, after.workspaces, write);
  }

  *#workspaceLines(
    id: string,
    after: WorkspaceState,
    before?: WorkspaceState,
  ): Generator<LogWrite> {
    const isSame =
      before !== undefined &&
      before.name === after.name &&
      before.slug === after.slug &&
      before.members === after.members &&
      before.invites === after.invites &&
      before.settings === after.settings;
    if (!isSame) yield ["workspace", id, describeWorkspace(after)];
    const known = before?.databases ?? new Map();
    yield* mapLines(["databases", id], known, after.databases, (name, to, from) =>
      this.#databaseLines(id, name, to, from),
    );
  }

  *#databaseLines(
    workspace: string,
    name: string,
    after: DatabaseState,
    before?: DatabaseState,
  ): Generator<LogWrite> {
    const isSame =
      before !== undefined &&
      before.region === after.region &&
      before.createdAt === after.createdAt &&
      before.color === after.color &&
      before.branchesByGitBranch === after.branchesByGitBranch &&
      before.settings === after.settings;
    if (!isSame) yield ["database", workspace, name, describeDatabase(after)];
    yield* requestLines(
      [workspace, name],
      before?.migrationRequests ?? [],
      after.migrationRequests,
    );
    const known = before?.branches ?? new Map();
    yield* mapLines(["branches", workspace, name], known, after.branches, (branch, to, from) =>
      this.#branchLines([workspace, name, branch], to, from),
    );
  }

  *#branchLines(at: BranchPlace, after: BranchState, before?: BranchState): Generator<LogWrite> {
    const { createdAt, metadata, history, tables } = after;
    const isSame =
      before !== undefined &&
      before.createdAt === createdAt &&
      before.metadata === metadata &&
      before.history === history &&
      before.tables.size === tables.size &&
      isSameTables([before, this.#before], [after, this.#after]);
    if (isSame) return;
    const sources: [string, number | TablePlace][] = [];
    for (const [name, key] of tables) {
      const value = this.#after.tableOf(key)!; // the catalog has keys of these alone
      const place: TablePlace = [...at, name];
      const source = this.#tables.get(value) ?? this.#places.findTable(value, place);
      if (source === undefined) yield* this.#tableLines(value, place);
      sources.push([name, source ?? this.#tables.get(value)!]); // just numbered
    }
    const runs: BranchChangeLine["history"][number][] = [];
    for (let index = 0; index < history.length; ) {
      const migration = history[index]!;
      const run = this.#places.findHistory(history, index, at);
      if (run !== undefined) {
        runs.push(run);
        index += run[4];
        continue;
      }
      let number = this.#migrations.get(migration);
      if (number === undefined) {
        number = this.#migrations.size;
        this.#migrations.set(migration, number);
        yield ["migration", number, describeMigration(migration)];
      }
      runs.push(number);
      index++;
    }
    const line = { createdAt: format(createdAt), metadata, history: runs, tables: sources };
    yield ["branch", ...at, line];
  }

  /** A table with what differs from the one it was made of. */
  *#tableLines(table: TableVersion, place: TablePlace): Generator<LogWrite> {
    const number = this.#tables.size;
    this.#tables.set(table, number);
    const origin = this.#places.findOrigin(table, place);
    const base = origin?.table;
    if (base === undefined || !canFollow(base.schema, table.schema)) {
      yield ["table", number, describeTable(table), null];
      yield* rowLines(table, undefined);
      return;
    }
    const schema = base.schema === table.schema ? null : describeTable(table);
    yield ["table", number, schema, origin!.place];
    yield* rowLines(table, base);
  }
}

function* requestLines(
  at: readonly [workspace: string, database: string],
  before: readonly MigrationRequestState[],
  after: readonly MigrationRequestState[],
): Generator<LogWrite> {
  if (before === after) return;
  if (after.length < before.length) yield ["requests", ...at, after.length];
  for (const [index, request] of after.entries()) {
    if (request !== before[index]) yield ["request", ...at, index, describeRequest(request)];
  }
}

function* rowLines(table: TableVersion, base: TableVersion | undefined): Generator<LogWrite> {
  const records = new RecordWriter(table.schema);
  const rows = base === undefined ? ordinalsOf(table.chunks) : changedRows(base, table);
  for (const row of rows) {
    if (typeof row === "number") yield (line) => records.write(line, table, row);
    else yield ["d", row.gone];
  }
}

function isSameTables(
  [before, { tableOf: tableBefore }]: readonly [BranchState, LogState],
  [after, { tableOf }]: readonly [BranchState, LogState],
): boolean {
  const { deleted, order } = changesOf(before.tables, after.tables);
  if (deleted.length > 0 || order !== undefined) return false;
  return [...after.tables].every(([name, key]) => {
    const known = before.tables.get(name);
    return known !== undefined && tableBefore(known) === tableOf(key);
  });
}

/** The lines of one map of the catalog: what is deleted, what is another, the order. */
function* mapLines<V>(
  path: readonly [string, ...string[]],
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  write: (key: string, after: V, before?: V) => Iterable<LogWrite>,
): Generator<LogWrite> {
  const { deleted, set, order } = changesOf(before, after);
  for (const key of deleted) yield ["deleted", ...path, key];
  // Tables may differ where the catalog does not.
  const isDeep = path[0] !== "users" && path[0] !== "keys";
  for (const [key, value] of isDeep ? after : set) yield* write(key, value, before.get(key));
  if (order !== undefined) yield ["order", path, order];
}

import type { BranchState, CatalogState, MigrationState } from "../../catalog/state.js";
import type { TableVersion } from "../../storage/table.js";
import type { BranchPlace, LogState, TablePlace } from "./layout.js";

/** A run of migrations as a branch has it. */
type Run = readonly [...BranchPlace, from: number, count: number];

/**
 * Finds in a state what another has as well: where it was before in its own place or in a branch of
 * the same database; else everywhere, which takes a look at all tables.
 */
export class Places {
  readonly #state: CatalogState;
  readonly #tableOf: LogState["tableOf"];
  /** The branch that the last table was found in: the others of a new branch mostly are there too. */
  #last: BranchPlace | undefined;
  #all:
    | { readonly tables: Map<TableVersion, TablePlace>; byIdentity: Map<string, TablePlace> }
    | undefined;
  #migrations: Map<MigrationState, readonly [BranchPlace, index: number]> | undefined;

  constructor({ state, tableOf }: LogState) {
    this.#state = state;
    this.#tableOf = tableOf;
  }

  /** Where the very same version is. */
  findTable(table: TableVersion, place: TablePlace): TablePlace | undefined {
    const [workspace, database, branch, name] = place;
    const isAt = (at: BranchPlace): boolean => this.#tableAt([...at, name]) === table;
    const own: BranchPlace = [workspace, database, branch];
    if (isAt(own)) return place;
    if (this.#last !== undefined && isAt(this.#last)) return [...this.#last, name];
    const branches = this.#state.workspaces.get(workspace)?.databases.get(database)?.branches;
    const isNew = branches?.has(branch) !== true;
    for (const other of isNew ? (branches?.keys() ?? []) : []) {
      const at: BranchPlace = [workspace, database, other];
      if (!isAt(at)) continue;
      this.#last = at;
      return [...at, name];
    }
    return this.#everywhere().tables.get(table);
  }

  /** The table that a version was made of: of its identity, in its own place if it is there. */
  findOrigin(
    { identity }: TableVersion,
    place: TablePlace,
  ): { readonly table: TableVersion; readonly place: TablePlace } | undefined {
    const isOwn = this.#tableAt(place)?.identity === identity;
    const found = isOwn ? place : this.#everywhere().byIdentity.get(identity);
    const table = found && this.#tableAt(found);
    return found && table && { table, place: found };
  }

  /** The longest run from an index on, as a branch has it. */
  findHistory(
    history: readonly MigrationState[],
    index: number,
    own: BranchPlace,
  ): Run | undefined {
    const migration = history[index]!;
    const before = this.#branchAt(own)?.history;
    const isOwn = before?.[index] === migration;
    const found = isOwn ? ([own, index] as const) : this.#findMigration(migration);
    if (found === undefined) return undefined;
    const [at, from] = found;
    const known = this.#branchAt(at)?.history ?? [];
    let count = 1;
    while (index + count < history.length && history[index + count] === known[from + count]) {
      count++;
    }
    return [...at, from, count];
  }

  #findMigration(migration: MigrationState) {
    if (this.#migrations === undefined) {
      this.#migrations = new Map();
      for (const [at, { history }] of this.#branches()) {
        for (const [index, known] of history.entries()) this.#migrations.set(known, [at, index]);
      }
    }
    return this.#migrations.get(migration);
  }

  #everywhere() {
    if (this.#all === undefined) {
      const tables = new Map<TableVersion, TablePlace>();
      const byIdentity = new Map<string, TablePlace>();
      for (const [at, branch] of this.#branches()) {
        for (const [name, key] of branch.tables) {
          const value = this.#tableOf(key)!; // the catalog has keys of these alone
          tables.set(value, [...at, name]);
          byIdentity.set(value.identity, [...at, name]);
        }
      }
      this.#all = { tables, byIdentity };
    }
    return this.#all;
  }

  *#branches(): Generator<[BranchPlace, BranchState]> {
    for (const [workspace, { databases }] of this.#state.workspaces) {
      for (const [database, { branches }] of databases) {
        for (const [name, branch] of branches) yield [[workspace, database, name], branch];
      }
    }
  }

  #branchAt([workspace, database, branch]: BranchPlace): BranchState | undefined {
    const { workspaces } = this.#state;
    return workspaces.get(workspace)?.databases.get(database)?.branches.get(branch);
  }

  #tableAt([workspace, database, branch, name]: TablePlace): TableVersion | undefined {
    const key = this.#branchAt([workspace, database, branch])?.tables.get(name);
    return key === undefined ? undefined : this.#tableOf(key);
  }
}

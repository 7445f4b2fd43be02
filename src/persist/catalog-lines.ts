import type {
  BranchState,
  CatalogState,
  DatabaseState,
  MigrationState,
  TableKey,
  WorkspaceState,
} from "../catalog/state.js";
import { type Address, KINDS, type KindName, MIGRATION, REQUEST } from "./entities.js";
import type { Line } from "./lines.js";

/** Numbers of migrations, shared by a base and its logs. */
export class MigrationNumbers {
  readonly #numbers: WeakMap<MigrationState, number> = new WeakMap();
  #next = 0;

  /** @returns undefined where it has none yet */
  get(migration: MigrationState): number | undefined {
    return this.#numbers.get(migration);
  }

  set(migration: MigrationState, number: number): void {
    this.#numbers.set(migration, number);
    this.#next = Math.max(this.#next, number + 1);
  }

  add(migration: MigrationState): number {
    const number = this.#next;
    this.set(migration, number);
    return number;
  }
}

/** Encodes a catalog. Branches share the lines of migrations. */
export class CatalogEncoder {
  readonly #numbers: MigrationNumbers;
  readonly #tableOf: (key: TableKey) => number;
  /** Migrations with lines; default all with numbers. */
  readonly #written: WeakSet<MigrationState> | undefined;

  /** @param tableOf gives the number of a table */
  constructor(
    numbers: MigrationNumbers,
    tableOf: (key: TableKey) => number,
    written?: WeakSet<MigrationState>,
  ) {
    this.#numbers = numbers;
    this.#tableOf = tableOf;
    this.#written = written;
  }

  *catalog({ users, keys, deletedKeys, workspaces }: CatalogState): Generator<Line> {
    yield* entityLines("user", [], users);
    yield* entityLines("key", [], keys);
    for (const key of deletedKeys) yield entityLine("deletedKey", [key], true);
    for (const [id, workspace] of workspaces) yield* this.workspace(id, workspace);
  }

  *workspace(id: string, workspace: WorkspaceState): Generator<Line> {
    yield entityLine("workspace", [id], workspace);
    yield* entityLines("member", [id], workspace.members);
    yield* entityLines("invite", [id], workspace.invites);
    for (const [name, database] of workspace.databases) yield* this.database([id, name], database);
  }

  *database(address: Address, database: DatabaseState): Generator<Line> {
    yield entityLine("database", address, database);
    for (const [name, branch] of database.branches) yield* this.branch([...address, name], branch);
    yield* entityLines("gitBranch", address, database.branchesByGitBranch);
    for (const [index, request] of database.migrationRequests.entries()) {
      yield ["request", address, index, REQUEST.encode(request)];
    }
  }

  *branch(address: Address, branch: BranchState): Generator<Line> {
    yield entityLine("branch", address, branch);
    if (branch.history.length > 0) yield* this.history(address, branch, 0);
    for (const [name, key] of branch.tables) yield* this.entity("table", [...address, name], key);
  }

  entity(kind: KindName, address: Address, entity: unknown): Iterable<Line> {
    // It is of that kind.
    if (kind === "workspace") return this.workspace(address[0]!, entity as WorkspaceState);
    if (kind === "database") return this.database(address, entity as DatabaseState);
    if (kind === "branch") return this.branch(address, entity as BranchState);
    return [entityLine(kind, address, kind === "table" ? this.#tableOf(entity as number) : entity)];
  }

  /** Run-length encodes the numbers of migrations. */
  *history(address: Address, { history }: BranchState, from: number): Generator<Line> {
    const runs: [first: number, count: number][] = [];
    for (const migration of history.slice(from)) {
      const known = this.#numbers.get(migration);
      const number = known ?? this.#numbers.add(migration);
      const isWritten = this.#written?.has(migration) ?? known !== undefined;
      if (!isWritten) yield ["migration", number, MIGRATION.encode(migration)];
      this.#written?.add(migration);
      const last = runs.at(-1);
      if (last !== undefined && last[0] + last[1] === number) last[1]++;
      else runs.push([number, 1]);
    }
    yield ["history", address, from, runs];
  }
}

export function entityLine(kind: KindName, address: Address, entity: unknown): Line {
  return ["set", kind, address, KINDS[kind].codec.encode(entity)];
}

function* entityLines(
  kind: KindName,
  above: Address,
  entities: ReadonlyMap<string, unknown>,
): Generator<Line> {
  for (const [name, entity] of entities) yield entityLine(kind, [...above, name], entity);
}

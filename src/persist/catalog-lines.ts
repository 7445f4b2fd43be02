import type {
  BranchState,
  CatalogState,
  DatabaseState,
  MigrationState,
  TableKey,
} from "../catalog/state.js";
import { type Address, KINDS, type KindName, MIGRATION, propertyOf, REQUEST } from "./entities.js";
import type { Line } from "./lines.js";

export class MigrationNumbers {
  readonly #numbers: WeakMap<MigrationState, number> = new WeakMap();
  #next = 0;

  /** @returns undefined if it has no number yet */
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

const ROOTS = ["user", "key", "deletedKey", "workspace"] as const;

export class CatalogEncoder {
  readonly #numbers: MigrationNumbers;
  readonly #tableOf: (key: TableKey) => number;
  /** Number of migrations already written; default all numbered ones. */
  readonly #written: WeakSet<MigrationState> | undefined;

  /** @param tableOf returns a table's number */
  constructor(
    numbers: MigrationNumbers,
    tableOf: (key: TableKey) => number,
    written?: WeakSet<MigrationState>,
  ) {
    this.#numbers = numbers;
    this.#tableOf = tableOf;
    this.#written = written;
  }

  *catalog(catalog: CatalogState): Generator<Line> {
    for (const kind of ROOTS) yield* this.#entities(kind, [], catalog);
  }

  *entity(kind: KindName, address: Address, entity: unknown): Generator<Line> {
    yield entityLine(kind, address, kind === "table" ? this.#tableOf(entity as number) : entity);
    const { below = [], lists = [] } = KINDS[kind];
    for (const child of below) yield* this.#entities(child, address, entity as object);
    // Only entities of these kinds have such lists.
    if (lists.includes("history") && (entity as BranchState).history.length > 0) {
      yield* this.history(address, entity as BranchState, 0);
    }
    if (!lists.includes("migrationRequests")) return;
    for (const [index, request] of (entity as DatabaseState).migrationRequests.entries()) {
      yield ["request", address, index, REQUEST.encode(request)];
    }
  }

  *#entities(kind: KindName, above: Address, parent: object): Generator<Line> {
    const entities = parent[propertyOf(kind) as never] as ReadonlyMap<string, unknown>; // the kind determines the property
    for (const [name, entity] of entities) yield* this.entity(kind, [...above, name], entity);
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

import { type CatalogEvent, contentEvents } from "../catalog/events.js";
import type { CatalogState, MigrationState, TableKey } from "../catalog/state.js";
import type { EngineEvent } from "../engine/notice.js";
import { encode, encodeEntity, MIGRATION, REQUEST } from "./entities.js";
import type { Line } from "./lines.js";

/** Numbers migrations, so that branches share their lines. */
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

/** Encodes catalogs and their changes as lines. */
export class CatalogEncoder {
  readonly #numbers: MigrationNumbers;
  readonly #tableOf: (key: TableKey) => number;
  /** Migrations already written; default all numbered ones. */
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
    for (const event of contentEvents(catalog)) yield* this.lines(event);
  }

  /** Yields the lines of an event; none for records. */
  *lines(event: EngineEvent): Generator<Line> {
    switch (event.kind) {
      case "created":
      case "changed": {
        const { entity, at, value } = event;
        const encoded = entity === "table" ? this.#tableOf(value) : encodeEntity(entity, value);
        yield ["set", entity, at, encoded];
        return;
      }
      case "table_created":
        yield ["set", "table", event.at, this.#tableOf(event.key)];
        return;
      case "deleted":
        yield ["delete", event.entity, event.at];
        return;
      case "renamed":
        yield ["rename", event.entity, event.at, event.to];
        return;
      case "history":
        yield* this.#history(event);
        return;
      case "request":
        yield ["request", event.at, event.index, encode(REQUEST, event.request)];
    }
  }

  /** Run-length encodes the numbers of migrations. */
  *#history({
    at,
    index,
    migrations,
  }: Extract<CatalogEvent, { kind: "history" }>): Generator<Line> {
    const runs: [first: number, count: number][] = [];
    for (const migration of migrations) {
      const written = this.#numbers.get(migration);
      const number = written ?? this.#numbers.add(migration);
      const isWritten = this.#written?.has(migration) ?? written !== undefined;
      if (!isWritten) yield ["migration", number, encode(MIGRATION, migration)];
      this.#written?.add(migration);
      const last = runs.at(-1);
      if (last !== undefined && last[0] + last[1] === number) last[1]++;
      else runs.push([number, 1]);
    }
    yield ["history", at, index, runs];
  }
}

import { type CatalogEvent, KINDS, type Names, type TableAltered } from "../catalog/events.js";
import type { CatalogState, DatabaseState, TableKey } from "../catalog/state.js";
import type { EngineContents } from "../engine/setup.js";
import type { Profile } from "../profile.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { readDefaults } from "../storage/alter.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import { plain } from "./driver.js";
import { databaseKey, gateOf } from "./layout.js";
import { dropConstraint, type LinkConstraint, linkConstraints } from "./link-constraints.js";
import type { Placement } from "./placement.js";
import { alterTable, copyTable, createTable, isToBeRebuilt, rebuildTable } from "./table-change.js";

export type CatalogContents = Pick<EngineContents, "state" | "tables">;

interface PlacedContents extends CatalogContents {
  readonly placements: ReadonlyMap<string, Placement>;
}

export interface ChangeContext {
  /** The version of the changed documents. */
  readonly version: number;
  readonly isCluster: boolean;
  readonly profile: Profile;
  readonly now: Instant;
  readonly nextName: () => number;
}

/** A change of the catalog, beside its statements by event. */
export interface SchemaChange {
  /** Drops foreign keys. */
  readonly statements: readonly Statement[];
  /** Foreign keys to add. */
  readonly constraints: readonly LinkConstraint[];
  /** The locations of databases afterwards. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** Databases with changed documents; deleted ones have no placement. */
  readonly changed: ReadonlyMap<string, DatabaseState>;
}

export function databasesOf({ workspaces }: CatalogState): Map<string, DatabaseState> {
  const databases = new Map<string, DatabaseState>();
  for (const [workspace, content] of workspaces) {
    for (const [name, database] of content.databases) {
      databases.set(databaseKey(workspace, name), database);
    }
  }
  return databases;
}

interface StoredTable {
  readonly key: TableKey;
  readonly identity: string;
  name: string;
}

type StoredBranch = Map<string, StoredTable>;

/** A database while its catalog changes: its tables by branch and name. */
interface StoredDatabase {
  readonly schema: string;
  readonly number: number;
  /** Its key before the change; undefined for a new one. */
  readonly origin: string | undefined;
  readonly branches: Map<string, StoredBranch>;
}

/** Writes the statements of catalog events, one event after the other. */
export class SchemaWriter {
  readonly #known: PlacedContents;
  readonly #context: ChangeContext;
  readonly #were: ReadonlyMap<string, DatabaseState>;
  /** Changed databases by key; undefined for deleted ones. */
  readonly #changed: Map<string, StoredDatabase | undefined> = new Map();

  constructor(known: PlacedContents, context: ChangeContext) {
    this.#known = known;
    this.#context = context;
    this.#were = databasesOf(known.state);
  }

  *write(event: CatalogEvent): Generator<Statement> {
    if (event.kind === "deleted" && event.entity === "workspace") {
      const keys = new Set([...this.#known.placements.keys(), ...this.#changed.keys()]);
      for (const key of keysIn(event.at[0]!, [...keys])) yield* this.#dropDatabase(key);
      return;
    }
    if (event.kind === "counted" || !isInDatabase(event)) return;
    const [workspace = "", name = "", branch = "", table = ""] = event.at;
    const key = databaseKey(workspace, name);
    if (event.kind === "deleted" && event.entity === "database") {
      yield* this.#dropDatabase(key);
      return;
    }
    const database = yield* this.#open(key);
    const { branches } = database;
    switch (event.kind) {
      case "created":
        if (event.entity === "branch" && !branches.has(branch)) branches.set(branch, new Map());
        return;
      case "renamed":
        if (event.entity === "database") {
          this.#changed.set(key, undefined);
          this.#changed.set(databaseKey(workspace, event.to), database);
        } else if (event.entity === "branch") move(branches, branch, event.to);
        else if (event.entity === "table") move(branches.get(branch)!, table, event.to);
        return;
      case "deleted":
        for (const [other, stored] of [...(branches.get(branch) ?? [])]) {
          if (event.entity === "table" ? other !== table : event.entity !== "branch") continue;
          branches.get(branch)!.delete(other);
          yield plain(`drop table ${database.schema}.${stored.name} cascade`);
        }
        if (event.entity === "branch") branches.delete(branch);
        return;
      case "table_created": {
        const { version, key, rowsOf } = event;
        const stored = { key, identity: version.identity, name: this.#nextName() };
        const source = rowsOf === undefined ? undefined : findByKey(database, rowsOf);
        branches.get(branch)!.set(table, stored);
        const full = `${database.schema}.${stored.name}`;
        yield* source === undefined
          ? createTable(full, version.schema)
          : copyTable(full, `${database.schema}.${source.name}`, version.schema);
        return;
      }
      case "table_altered":
        yield* this.#alter(database, branches.get(branch)!.get(table)!, event);
    }
  }

  /** Returns the location of a table, as `schema.table`. */
  tableAt([workspace = "", name = "", branch = "", table = ""]: Names): string {
    const key = databaseKey(workspace, name);
    const { schema, branches } = this.#changed.get(key) ?? this.#read(key);
    return `${schema}.${branches.get(branch)!.get(table)!.name}`;
  }

  /** Returns the location of a table by its key; undefined if it was deleted. */
  tableOf(key: TableKey): string | undefined {
    for (const database of this.#changed.values()) {
      const table = database && findByKey(database, key);
      if (table !== undefined) return `${database!.schema}.${table.name}`;
    }
    return undefined;
  }

  /** Call after the last event. */
  finish(after: CatalogContents, checksLinks: boolean): SchemaChange {
    const statements: Statement[] = [];
    const constraints: LinkConstraint[] = [];
    const placements = new Map(this.#known.placements);
    const changed = new Map<string, DatabaseState>();
    const are = databasesOf(after.state);
    const { version } = this.#context;
    for (const [key, database] of this.#changed) {
      if (database === undefined) {
        placements.delete(key);
        continue;
      }
      const { schema, number, origin, branches } = database;
      const tables = new Map(
        Array.from(branches, ([branch, stored]) => [
          branch,
          new Map(Array.from(stored.values(), ({ identity, name }) => [identity, name])),
        ]),
      );
      const placement = { schema, number, version, tables };
      placements.set(key, placement);
      const state = are.get(key)!; // it is not deleted
      changed.set(key, state);
      if (!checksLinks) continue;
      const links = { branches: state.branches, versions: after.tables, placement };
      const constraintsAfter = linkConstraints(links);
      const had = origin === undefined ? new Map<string, LinkConstraint>() : this.#linksOf(origin);
      const names = new Set(
        [...branches.values()]
          .flatMap((stored) => [...stored.values()])
          .map(({ name }) => `${schema}.${name}`),
      );
      for (const [name, constraint] of had) {
        if (!constraintsAfter.has(name) && names.has(constraint.table))
          statements.push(dropConstraint(constraint));
      }
      for (const [name, constraint] of constraintsAfter)
        if (!had.has(name)) constraints.push(constraint);
    }
    return { statements, constraints, placements, changed };
  }

  #linksOf(origin: string): Map<string, LinkConstraint> {
    const { tables: versions, placements } = this.#known;
    const { branches } = this.#were.get(origin)!; // it was there
    return linkConstraints({ branches, versions, placement: placements.get(origin)! }); // as above
  }

  /** Returns a database to change; creates one that is new. */
  *#open(key: string): Generator<Statement, StoredDatabase> {
    const open = this.#changed.get(key);
    if (open !== undefined) return open;
    const { version, isCluster } = this.#context;
    if (this.#known.placements.has(key) && !this.#changed.has(key)) {
      const database = this.#read(key);
      this.#changed.set(key, database);
      const gate = gateOf(database.schema);
      yield statementOf(
        (bind) => `update ${gate} set version = ${bind(String(version), "bigint")}`,
      );
      return database;
    }
    const number = this.#context.nextName();
    const schema = `tb_${number}`;
    const database = { schema, number, origin: undefined, branches: new Map() };
    this.#changed.set(key, database);
    const gate = gateOf(schema);
    yield plain(`create schema ${schema}`);
    if (isCluster) yield plain(`select citus_schema_distribute('${schema}')`);
    yield plain(`create table ${gate} (version bigint primary key)`);
    yield statementOf((bind) => `insert into ${gate} values (${bind(String(version), "bigint")})`);
    return database;
  }

  /** Reads a database as it is stored. */
  #read(key: string): StoredDatabase {
    const { placements, tables } = this.#known;
    const { schema, number, tables: names } = placements.get(key)!; // it is stored
    const branches = new Map<string, StoredBranch>();
    for (const [branch, content] of this.#were.get(key)!.branches) {
      const stored: StoredBranch = new Map();
      for (const [table, key] of content.tables) {
        const { identity } = tables.get(key)!; // the catalog only has keys of these
        stored.set(table, { key, identity, name: names.get(branch)!.get(identity)! }); // as above
      }
      branches.set(branch, stored);
    }
    return { schema, number, origin: key, branches };
  }

  *#dropDatabase(key: string): Generator<Statement> {
    const isDropped = this.#changed.has(key) && this.#changed.get(key) === undefined;
    if (isDropped) return;
    const { schema } = this.#changed.get(key) ?? this.#read(key);
    this.#changed.set(key, undefined);
    yield plain(`drop schema ${schema} cascade`);
  }

  /** Changes the columns of a table; a rebuilt one gets another name. */
  *#alter(
    { schema }: StoredDatabase,
    stored: StoredTable,
    { before, version }: TableAltered,
  ): Generator<Statement> {
    if (before.schema === version.schema) return;
    const full = `${schema}.${stored.name}`;
    const defaults = this.#defaultsOf(before, version);
    if (!isToBeRebuilt(before.schema, version.schema)) {
      yield* alterTable(full, before.schema, version.schema, defaults);
      return;
    }
    stored.name = this.#nextName();
    yield* rebuildTable(
      [`${schema}.${stored.name}`, full],
      before.schema,
      version.schema,
      defaults,
    );
  }

  #defaultsOf(before: TableVersion, { schema }: TableVersion): ReturnType<typeof readDefaults> {
    const { profile, now } = this.#context;
    return readDefaults(
      before,
      schema,
      { table: "", profile, now, findBreach: () => undefined },
      "",
    );
  }

  #nextName(): string {
    return `t${this.#context.nextName()}`;
  }
}

function findByKey({ branches }: StoredDatabase, key: TableKey): StoredTable | undefined {
  for (const tables of branches.values()) {
    for (const table of tables.values()) if (table.key === key) return table;
  }
  return undefined;
}

function move<V>(entries: Map<string, V>, from: string, to: string): void {
  const value = entries.get(from)!; // events name what exists
  entries.delete(from);
  entries.set(to, value);
}

/** The keys of the databases of a workspace. */
export function keysIn(workspace: string, keys: readonly string[]): string[] {
  return keys.filter((key) => key.startsWith(databaseKey(workspace, "")));
}

export function isInDatabase(event: Exclude<CatalogEvent, { readonly kind: "counted" }>): boolean {
  return !("entity" in event) || KINDS[event.entity].path[1] === "databases";
}

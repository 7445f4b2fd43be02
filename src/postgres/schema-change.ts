import type { BranchState, CatalogState, DatabaseState } from "../catalog/state.js";
import type { EngineContents } from "../engine/setup.js";
import type { Schema } from "../schema/columns.js";
import { type Statement, statementOf } from "../sql/statement.js";
import type { TableVersion } from "../storage/table.js";
import { distribute } from "./citus.js";
import { plain } from "./driver.js";
import { databaseKey, gateOf } from "./layout.js";
import { dropConstraint, type LinkConstraint, linkConstraints } from "./link-constraints.js";
import { type Placement, tableIn } from "./placement.js";
import { alterTable, copyTable, createTable, isToBeRebuilt, rebuildTable } from "./table-change.js";

/** A migration of the database. */
export interface SchemaChange {
  readonly statements: readonly Statement[];
  /** Foreign keys that follow them. */
  readonly constraints: readonly LinkConstraint[];
  /** The foreign keys of links that the change itself writes. */
  readonly written: readonly LinkConstraint[];
  /** The locations of databases afterwards. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** Databases with changed documents; deleted ones have no placement. */
  readonly changed: ReadonlyMap<string, DatabaseState>;
}

export type CatalogContents = Pick<EngineContents, "state" | "tables">;

export interface ChangeContext {
  readonly placements: ReadonlyMap<string, Placement>;
  /** The version of the changed documents. */
  readonly version: number;
  readonly isCluster: boolean;
  readonly checksLinks: boolean;
  readonly nextName: () => number;
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

/** Compares two catalogs. No two branches of the first may share a table value. */
export function planChange(
  before: CatalogContents,
  after: CatalogContents,
  context: ChangeContext,
): SchemaChange {
  const were = databasesOf(before.state);
  const are = databasesOf(after.state);
  const statements: Statement[] = [];
  const constraints: LinkConstraint[] = [];
  const written: LinkConstraint[] = [];
  const placements = new Map<string, Placement>();
  const changed = new Map<string, DatabaseState>();
  const kept = new Set<string>();
  for (const [key, database] of are) {
    const from = were.has(key) ? key : findMoved(were, are, database);
    const placement = from === undefined ? undefined : context.placements.get(from);
    if (from === key && were.get(key) === database && placement !== undefined) {
      placements.set(key, placement);
      kept.add(key);
      continue;
    }
    const change = new DatabaseChange(context, placement, [before.tables, after.tables]);
    const earlier = from === undefined ? undefined : were.get(from);
    placements.set(key, change.apply(earlier?.branches ?? new Map(), database.branches));
    statements.push(...change.statements);
    constraints.push(...change.constraints);
    written.push(...change.written);
    changed.set(key, database);
    if (from !== undefined) kept.add(from);
  }
  for (const [key, { schema }] of context.placements) {
    if (!kept.has(key)) statements.push(plain(`drop schema ${schema} cascade`));
  }
  return { statements, constraints, written, placements, changed };
}

function findMoved(
  were: ReadonlyMap<string, DatabaseState>,
  are: ReadonlyMap<string, DatabaseState>,
  database: DatabaseState,
): string | undefined {
  for (const [key, other] of were) if (other === database && !are.has(key)) return key;
  return undefined;
}

type Branches = ReadonlyMap<string, BranchState>;
type Names = ReadonlyMap<string, string>;

class DatabaseChange {
  readonly statements: Statement[] = [];
  readonly constraints: LinkConstraint[] = [];
  readonly written: LinkConstraint[] = [];
  readonly #context: ChangeContext;
  readonly #placement: Placement;
  readonly #tablesBefore: CatalogContents["tables"];
  readonly #tablesAfter: CatalogContents["tables"];

  constructor(
    context: ChangeContext,
    placement: Placement | undefined,
    [before, after]: readonly [before: CatalogContents["tables"], after: CatalogContents["tables"]],
  ) {
    const { version } = context;
    this.#tablesBefore = before;
    this.#tablesAfter = after;
    this.#context = context;
    if (placement === undefined) {
      const number = context.nextName();
      const schema = `tb_${number}`;
      this.#placement = { schema, version, number, tables: new Map() };
      const gate = gateOf(schema);
      this.statements.push(
        plain(`create schema ${schema}`),
        ...(context.isCluster ? [distribute(schema)] : []),
        plain(`create table ${gate} (version bigint primary key)`),
        statementOf((bind) => `insert into ${gate} values (${bind(String(version), "bigint")})`),
      );
    } else {
      this.#placement = { ...placement, version };
      const gate = gateOf(placement.schema);
      this.statements.push(
        statementOf((bind) => `update ${gate} set version = ${bind(String(version), "bigint")}`),
      );
    }
  }

  apply(were: Branches, are: Branches): Placement {
    const placement = this.#applyTables(were, are);
    if (this.#context.checksLinks) this.#applyLinks(were, are, placement);
    return placement;
  }

  #applyLinks(were: Branches, are: Branches, placement: Placement): void {
    const [versionsBefore, versions] = [this.#tablesBefore, this.#tablesAfter];
    const before = linkConstraints({
      branches: were,
      versions: versionsBefore,
      placement: this.#placement,
    });
    const after = linkConstraints({ branches: are, versions, placement });
    const dropped = [...before].flatMap(([key, one]) =>
      after.has(key) ? [] : [dropConstraint(one)],
    );
    this.statements.unshift(...dropped);
    for (const [key, constraint] of after) {
      if (before.has(key)) continue;
      this.constraints.push(constraint);
      const { branch, identity, column } = constraint;
      const known = tablesOf(were.get(branch), versionsBefore).get(identity)?.schema.constraints
        .links;
      const earlier = known?.find(({ slot }) => slot === column.slot);
      if (known !== undefined && earlier?.target !== column.target) this.written.push(constraint);
    }
  }

  #applyTables(were: Branches, are: Branches): Placement {
    const tables = new Map<string, Names>();
    const kept = new Set<string>();
    for (const [name, branch] of are) {
      const from = were.has(name) ? name : nameBefore(were, are, branch);
      if (from !== undefined) kept.add(from);
      const earlier = from === undefined ? undefined : were.get(from);
      const named = from === undefined ? undefined : this.#placement.tables.get(from);
      tables.set(name, this.#applyBranch(earlier, named ?? new Map(), branch, were));
    }
    for (const [name, named] of this.#placement.tables) {
      if (!kept.has(name)) for (const table of named.values()) this.#drop(table);
    }
    return { ...this.#placement, tables };
  }

  #applyBranch(
    earlier: BranchState | undefined,
    namesBefore: Names,
    { tables }: BranchState,
    branches: Branches,
  ): Names {
    const names = new Map<string, string>();
    const had = tablesOf(earlier, this.#tablesBefore);
    for (const key of tables.values()) {
      const value = this.#tablesAfter.get(key)!; // the catalog only has keys of these
      const { identity, schema } = value;
      const known = had.get(identity);
      const table = namesBefore.get(identity);
      if (known !== undefined && table !== undefined) {
        names.set(identity, this.#alter(table, known.schema, value));
        continue;
      }
      const name = `t${this.#context.nextName()}`;
      const source = this.#findSource(branches, value);
      names.set(identity, name);
      this.statements.push(
        ...(source === undefined
          ? createTable(this.#full(name), schema)
          : copyTable(this.#full(name), source, schema)),
      );
    }
    for (const [identity, table] of namesBefore) if (!names.has(identity)) this.#drop(table);
    return names;
  }

  /** Changes the columns of a table; returns its name, which is new after a rebuild. */
  #alter(table: string, before: Schema, after: TableVersion): string {
    if (before === after.schema) return table;
    if (!isToBeRebuilt(before, after.schema)) {
      this.statements.push(...alterTable(this.#full(table), before, after));
      return table;
    }
    const name = `t${this.#context.nextName()}`;
    const [made, from] = [this.#full(name), this.#full(table)];
    this.statements.push(...rebuildTable(made, from, before, after));
    return name;
  }

  /** The table that was branched: it has the identical value (B-1). */
  #findSource(branches: Branches, value: TableVersion): string | undefined {
    for (const [branch, { tables }] of branches) {
      for (const key of tables.values()) {
        if (this.#tablesBefore.get(key) === value)
          return tableIn(this.#placement, { branch }, value.identity);
      }
    }
    return undefined;
  }

  #drop(name: string): void {
    this.statements.push(plain(`drop table ${this.#full(name)}`));
  }

  #full(name: string): string {
    return `${this.#placement.schema}.${name}`;
  }
}

function nameBefore(were: Branches, are: Branches, branch: BranchState): string | undefined {
  for (const [name, other] of were) if (other === branch && !are.has(name)) return name;
  return undefined;
}

export function tablesOf(
  branch: BranchState | undefined,
  versions: CatalogContents["tables"],
): Map<string, TableVersion> {
  const tables = Array.from(branch?.tables.values() ?? [], (key) => versions.get(key)!); // has keys of these alone
  return new Map(tables.map((table) => [table.identity, table]));
}

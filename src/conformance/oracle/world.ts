import type { ColumnDefinition } from "../../types.js";
import { linksHold } from "./links.js";
import {
  findTable,
  type JsonObject,
  type OracleDatabase,
  type OracleProfile,
  type OracleTable,
} from "./model.js";
import { applyWrite, type OracleWrite, type Refusal, writtenRecords } from "./write.js";

/** Branches of a database, oldest first, and its git mapping. */
export interface OracleWorld {
  readonly profile: OracleProfile & { readonly branchCopies: "records" | "schema" };
  readonly branches: ReadonlyMap<string, OracleDatabase>;
  readonly mapping: ReadonlyMap<string, string>;
}

interface InBranch {
  readonly branch: string;
}

interface InTable extends InBranch {
  readonly table: string;
}

export type OracleCommand =
  | (InBranch & { readonly kind: "branch"; readonly from?: string | undefined })
  | (InBranch & { readonly kind: "drop branch" })
  | (InTable & { readonly kind: "table" | "drop table" })
  | (InTable & { readonly kind: "rename table"; readonly name: string })
  | (InTable & { readonly kind: "column"; readonly column: ColumnDefinition })
  | (InTable & { readonly kind: "drop column"; readonly column: string })
  | (InTable & { readonly kind: "rename column"; readonly column: string; readonly name: string })
  | (InBranch & { readonly kind: "write"; readonly write: OracleWrite })
  | (InBranch & { readonly kind: "transaction"; readonly writes: readonly OracleWrite[] })
  | (InBranch & { readonly kind: "map"; readonly git: string })
  | { readonly kind: "unmap"; readonly git: string };

/** `created`: it did not exist before. */
export type Outcome = "created" | "changed" | Refusal;

export function fillDatabase(
  profile: OracleProfile,
  tables: readonly (Omit<OracleTable, "records"> & { readonly records: readonly JsonObject[] })[],
  now: number,
): OracleDatabase {
  const empty = tables.map(({ name, columns }) => ({ name, columns, records: [] }));
  return tables.reduce<OracleDatabase>(
    (db, { name, records }) => {
      const written = applyWrite(db, { kind: "insert", table: name, records }, now);
      if (typeof written === "string") throw new Error(`oracle: a first record is ${written}`);
      return written;
    },
    { profile, tables: empty },
  );
}

/** Runs a command at a time in milliseconds; a failed one changes nothing. */
export function runCommand(
  world: OracleWorld,
  command: OracleCommand,
  now: number,
): readonly [OracleWorld, Outcome] {
  const { branches, mapping } = world;
  switch (command.kind) {
    case "branch": {
      if (branches.has(command.branch)) return [world, "taken"];
      const empty: OracleDatabase = { profile: world.profile, tables: [] };
      const source = command.from === undefined ? empty : branches.get(command.from);
      if (source === undefined) return [world, "missing"];
      const tables = source.tables.map((table) => ({ ...table, records: [] }));
      const copy = world.profile.branchCopies === "records" ? source : { ...source, tables };
      return [{ ...world, branches: new Map([...branches, [command.branch, copy]]) }, "created"];
    }
    case "drop branch": {
      if (!branches.has(command.branch)) return [world, "missing"];
      if (branches.size === 1) return [world, "taken"];
      const others = [...branches].filter(([name]) => name !== command.branch);
      const mapped = [...mapping].filter(([, target]) => target !== command.branch);
      return [{ ...world, branches: new Map(others), mapping: new Map(mapped) }, "changed"];
    }
    case "map": {
      if (!branches.has(command.branch)) return [world, "invalid"];
      const mapped = new Map(mapping).set(command.git, command.branch);
      return [{ ...world, mapping: mapped }, mapping.has(command.git) ? "changed" : "created"];
    }
    case "unmap": {
      const mapped = new Map(mapping);
      return [{ ...world, mapping: mapped }, mapped.delete(command.git) ? "changed" : "missing"];
    }
    default: {
      const db = branches.get(command.branch);
      if (db === undefined) return [world, "missing"];
      const [after, outcome] =
        "table" in command ? runOnTable(db, command) : runWrites(db, command, now);
      return [{ ...world, branches: new Map(branches).set(command.branch, after) }, outcome];
    }
  }
}

function runOnTable(
  db: OracleDatabase,
  command: Extract<OracleCommand, InTable>,
): readonly [OracleDatabase, Outcome] {
  const table = findTable(db, command.table);
  const replace = (...by: OracleTable[]): OracleDatabase => ({
    ...db,
    tables: db.tables.flatMap((other) => (other === table ? by : [other])),
  });
  if (command.kind === "table") {
    if (table !== undefined) return [db, "taken"];
    const made = { name: command.table, columns: [], records: [] };
    return [{ ...db, tables: [...db.tables, made] }, "created"];
  }
  if (table === undefined) return [db, "missing"];
  const names = table.columns.map(({ name }) => name);
  switch (command.kind) {
    case "drop table":
      return [replace(), "changed"];
    case "rename table":
      if (db.tables.some(({ name }) => name === command.name)) return [db, "taken"];
      return [replace({ ...table, name: command.name }), "changed"];
    case "column":
      if (names.includes(command.column.name)) return [db, "taken"];
      return [replace({ ...table, columns: [...table.columns, command.column] }), "created"];
    case "drop column":
    case "rename column": {
      const to = command.kind === "rename column" ? command.name : undefined;
      if (!names.includes(command.column)) return [db, "missing"];
      if (to !== undefined && names.includes(to)) return [db, "taken"];
      return [replace(mapColumn(table, command.column, to)), "changed"];
    }
  }
}

function mapColumn(table: OracleTable, from: string, to: string | undefined): OracleTable {
  const columns = table.columns.flatMap((column) =>
    column.name !== from ? [column] : to === undefined ? [] : [{ ...column, name: to }],
  );
  const records = table.records.map((record) => {
    const { [from]: value = null, ...rest } = record.columns;
    return { ...record, columns: to === undefined ? rest : { ...rest, [to]: value } };
  });
  return { ...table, columns, records };
}

/** Runs the writes of a call; their links are checked at its end (T-18). */
function runWrites(
  db: OracleDatabase,
  command: Extract<OracleCommand, { kind: "write" | "transaction" }>,
  now: number,
): readonly [OracleDatabase, Outcome] {
  const isOne = command.kind === "write";
  const writes = isOne ? [command.write] : command.writes;
  let after = db;
  let isKnown = true;
  for (const write of writes) {
    const table = findTable(after, write.table);
    if (table === undefined) return [db, isOne ? "missing" : "invalid"];
    isKnown = write.kind !== "insert" && table.records.some(({ id }) => id === write.id);
    const next = write.kind === "delete" && !isKnown ? "missing" : applyWrite(after, write, now);
    if (typeof next === "string") return [db, isOne ? next : "invalid"];
    after = next;
  }
  if (!linksHold(after, writes.flatMap(writtenRecords))) return [db, "invalid"];
  return [after, isOne && !isKnown ? "created" : "changed"];
}

/** Resolves a git branch (B-5, B-6); without `main` the oldest is the default. */
export function resolveBranch(
  { branches, mapping }: OracleWorld,
  git: string,
  fallback?: string,
): { readonly branch: string; readonly code: string } {
  const mapped = mapping.get(git);
  if (mapped !== undefined) return { branch: mapped, code: "FOUND_IN_MAPPING" };
  if (branches.has(git)) return { branch: git, code: "BRANCH_EXISTS" };
  if (fallback !== undefined && branches.has(fallback)) {
    return { branch: fallback, code: "FALLBACK_BRANCH" };
  }
  const [oldest = ""] = branches.keys();
  return { branch: branches.has("main") ? "main" : oldest, code: "DEFAULT_BRANCH" };
}

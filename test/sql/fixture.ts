import { createEngine } from "../../src/index.js";
import { bindQuery } from "../../src/query/bind/bind-query.js";
import type { BoundQuery } from "../../src/query/bound/bound-query.js";
import { rowsOf } from "../../src/query/page.js";
import { createTableView, type QueryRun } from "../../src/query/query-run.js";
import { compileSchema } from "../../src/schema/declare.js";
import {
  type CompileContext,
  type CompiledSelect,
  compileRows,
  type FoundRow,
} from "../../src/sql/select.js";
import { createTableVersion, type TableVersion } from "../../src/storage/table.js";
import type { ColumnDefinition } from "../../src/types.js";
import { defineColumns } from "../columns.js";

const { profile, limits } = createEngine({ profile: "xata" });

function tableOf(identity: string, columns: readonly ColumnDefinition[]): TableVersion {
  return createTableVersion(identity, compileSchema(columns, profile, ""));
}

const TABLES: ReadonlyMap<string, TableVersion> = new Map([
  ["teams", tableOf("tbl_1", defineColumns({ name: "string", size: "int" }))],
  [
    "users",
    tableOf(
      "tbl_2",
      defineColumns({
        email: "email",
        age: "int",
        born: "datetime",
        tags: "multiple",
        any: "json",
        team: "-> teams",
        address: { zip: "int" },
      }),
    ),
  ],
]);

const run: QueryRun = {
  ...createTableView(TABLES.get("users")!),
  profile,
  limits,
  findTable: (name) => TABLES.get(name),
  drawSeed: () => 7,
};

const names: Readonly<Record<string, string>> = { tbl_1: "teams", tbl_2: "users" };

const compiling: CompileContext = {
  profile,
  dialect: { foldCase: (text) => `lower(${text})` },
  tableOf: (identity) => names[identity]!,
  schemaOf: (identity) => TABLES.get(names[identity]!)!.schema,
};

export function bindUsers(request: object): BoundQuery {
  return bindQuery(run, request);
}

/** Compiles a request for users. */
export function compileUsers(request: object): CompiledSelect<FoundRow> {
  const query = bindUsers(request);
  return compileRows(compiling, { identity: query.table.identity, ...rowsOf(query) });
}

import { createEngine } from "../../src/index.js";
import { bindQuery } from "../../src/query/bind/query.js";
import type { BindContext } from "../../src/query/bind/scope.js";
import type { TableShape } from "../../src/query/bound/column-ref.js";
import type { BoundQuery } from "../../src/query/bound/query.js";
import { rowsOf } from "../../src/query/page.js";
import { compileSchema } from "../../src/schema/declare.js";
import {
  type CompileContext,
  type Compiled,
  compileRows,
  type FoundRow,
} from "../../src/sql/select.js";
import type { ColumnDefinition } from "../../src/types.js";
import { defineColumns } from "../columns.js";

const { profile, limits } = createEngine({ profile: "xata" });

function shape(identity: string, columns: readonly ColumnDefinition[]): TableShape {
  return { identity, schema: compileSchema(columns, profile, "") };
}

const TABLES: ReadonlyMap<string, TableShape> = new Map([
  ["teams", shape("tbl_1", defineColumns({ name: "string", size: "int" }))],
  [
    "users",
    shape(
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

const context: BindContext = {
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
  return bindQuery(context, TABLES.get("users")!, request);
}

/** Compiles a request for users. */
export function compileUsers(request: object): Compiled<FoundRow> {
  const query = bindUsers(request);
  return compileRows(compiling, { identity: query.table.identity, ...rowsOf(query) });
}

import type { Branch } from "../../src/engine/branch.js";
import type { TypedBranch, TypedTables } from "../../src/typed/branch.js";
import type { TableShape, XataProfile } from "../../src/typed/shape.js";
import type { TypedTable } from "../../src/typed/table.js";

/** Compiles only for identical types, optional keys included. */
export declare function same<A, B>(...proof: Same<A, B> extends true ? [] : [differs: never]): void;

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Two tables that link to each other, with a column of every type. */
export const schema = {
  teams: [
    { name: "name", type: "string", notNull: true },
    { name: "size", type: "int" },
    { name: "labels", type: "multiple" },
    { name: "owner", type: "link", link: { table: "users" } },
    {
      name: "office",
      type: "object",
      columns: [
        { name: "city", type: "string", notNull: true },
        { name: "floor", type: "int" },
        { name: "keeper", type: "link", link: { table: "users" } },
      ],
    },
  ],
  users: [
    { name: "email", type: "email", notNull: true },
    { name: "name", type: "string" },
    { name: "bio", type: "text" },
    { name: "age", type: "int" },
    { name: "rating", type: "float", notNull: true, defaultValue: 1 },
    { name: "active", type: "bool" },
    { name: "born", type: "datetime" },
    { name: "labels", type: "multiple" },
    { name: "settings", type: "json" },
    { name: "vector", type: "vector", vector: { dimension: 2 } },
    { name: "photo", type: "file" },
    { name: "papers", type: "file[]" },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "country", type: "link", link: { table: "countries" } },
    {
      name: "address",
      type: "object",
      columns: [
        { name: "street", type: "string" },
        { name: "zip", type: "int" },
        {
          name: "place",
          type: "object",
          columns: [{ name: "latitude", type: "float" }],
        },
      ],
    },
  ],
} as const;

export type Teams = TableShape<typeof schema, "teams">;
export type Users = TableShape<typeof schema, "users">;

export declare const branch: TypedBranch;
export declare const opened: Branch;
export declare const teams: TypedTable<Teams>;
export declare const users: TypedTable<Users>;
export declare const xata: TypedTables<typeof schema, XataProfile>;
export declare const untyped: TypedTable;

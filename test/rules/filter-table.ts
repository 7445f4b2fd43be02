import type { ProfileOption } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { expectMatches, openBranch, type UntypedBranch, type UntypedTable } from "./fixture.js";

/** One column of every type, named after it. */
export const ALL_TYPES: readonly { readonly name: string; readonly type: string }[] = [
  { name: "bool", type: "bool" },
  { name: "int", type: "int" },
  { name: "float", type: "float" },
  { name: "string", type: "string" },
  { name: "text", type: "text" },
  { name: "email", type: "email" },
  { name: "datetime", type: "datetime" },
  { name: "multiple", type: "multiple" },
  { name: "link", type: "link", link: { table: "items" } },
  { name: "object", type: "object", columns: [{ name: "sub", type: "int" }] },
  { name: "json", type: "json" },
  { name: "vector", type: "vector", vector: { dimension: 2 } },
  { name: "file", type: "file" },
  { name: "files", type: "file[]" },
] as never[]; // of several shapes

/** A value of each type. */
export const ONE_OF_EACH: Readonly<Record<string, unknown>> = {
  bool: true,
  int: 7,
  float: 1.5,
  string: "Abc",
  text: "a long text",
  email: "ann@example.com",
  datetime: "2022-01-31T10:20:30Z",
  multiple: ["a", "b"],
  link: "a",
  object: { sub: 7 },
  json: { k: "v" },
  vector: [1, 2],
  file: { name: "f" },
  files: [{ name: "f" }],
};

/** A table of all types with the record `a` of {@link ONE_OF_EACH} and the null record `b`. */
export function openAllTypes(profile?: ProfileOption): UntypedTable {
  const table = openBranch({ profile }).createTable("items", ALL_TYPES);
  table.insert([{ id: "a", ...ONE_OF_EACH }, { id: "b" }]);
  return table;
}

/**
 * People a to e: repeated, null and empty values, and a dangling link.
 *
 * | | name | n | team | home | tags |
 * |---|---|---|---|---|---|
 * | a | Ann | 1 | red | X, 1 | x, y |
 * | b | Bob | 2 | blue | X | x |
 * | c | Cat | 3 | lost | Y, 2 | [] |
 * | d | Dan | 4 | red | 1 | |
 * | e | | | | | y |
 */
export function openPeople(profile?: ProfileOption): {
  branch: UntypedBranch;
  people: UntypedTable;
} {
  const branch = openBranch({ profile });
  branch
    .createTable("teams", defineColumns({ label: "string", won: "int", owner: "-> people" }))
    .insert([
      { id: "red", label: "Red", won: 3, owner: "b" },
      { id: "blue", label: "Blue" },
    ]);
  const people = branch.createTable(
    "people",
    defineColumns({
      name: "string",
      n: "int",
      team: "-> teams",
      home: { city: "string", geo: { lat: "float" } },
      tags: "multiple",
      doc: "json",
    }),
  );
  people.insert([
    {
      id: "a",
      name: "Ann",
      n: 1,
      team: "red",
      home: { city: "X", geo: { lat: 1 } },
      tags: ["x", "y"],
    },
    { id: "b", name: "Bob", n: 2, team: "blue", home: { city: "X" }, tags: ["x"] },
    { id: "c", name: "Cat", n: 3, team: "lost", home: { city: "Y", geo: { lat: 2 } }, tags: [] },
    { id: "d", name: "Dan", n: 4, team: "red", home: { geo: { lat: 1 } } },
    { id: "e", tags: ["y"] },
  ]);
  return { branch, people };
}

/** Each filter of people matches these ids. */
export function checkPeople(
  rows: readonly (readonly [filter: unknown, ids: string])[],
  people: UntypedTable = openPeople().people,
): void {
  for (const [filter, ids] of rows) expectMatches(people, filter, ids);
}

/** Both meanings of null under negation (rule F-30). */
export const NULL_MODES: readonly ("complement" | "sql")[] = ["complement", "sql"];

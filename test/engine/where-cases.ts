import fc from "fast-check";
import type { AnyBranch } from "../../src/index.js";
import type { Filter } from "../../src/types.js";
import { refused, untyped } from "../rules/fixture.js";

/** A write to the records that match, and some single ones before it. */
export interface WhereCase {
  readonly before: readonly { readonly id: string; readonly changes: object | null }[];
  readonly filter: Filter;
  /** Null: deletes. */
  readonly changes: object | null;
  readonly limit: number | undefined;
}

export function fillPeople(branch: AnyBranch): void {
  branch.createTables({
    teams: [{ name: "size", type: "int" }],
    people: [
      { name: "nick", type: "string", unique: true },
      { name: "age", type: "int" },
      { name: "city", type: "string", notNull: true, defaultValue: "Bern" },
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "boss", type: "link", link: { table: "people" } },
    ],
    cards: [{ name: "owner", type: "link", link: { table: "people" }, notNull: true }],
  });
}

export function insertPeople(branch: AnyBranch): void {
  branch.table("teams").insert([{ id: "red", size: 1 }, { id: "blue" }]);
  branch.table("people").insert([
    { id: "gus", age: 9_007_199_254_740_990, boss: "ada" },
    { id: "ada", age: 1, team: "red", nick: "a" },
    { id: "bob", age: 2, team: "blue", boss: "ada" },
    { id: "cyd", age: 2, city: "Ulm", team: "red", boss: "bob" },
    { id: "dan", boss: "dan", team: "blue", nick: "d" },
    { id: "eve", age: 3, city: "Ulm" },
  ]);
  branch.table("cards").insert([{ id: "c", owner: "eve" }]);
}

const FILTERS: readonly Filter[] = [
  {},
  { age: 2 },
  { age: { $ge: 2 } },
  { city: "Ulm" },
  { "team.size": 1 },
  { "boss.age": { $lt: 3 } },
  { $notExists: "age" },
  { id: { $any: ["ada", "dan", "zoe"] } },
  { $not: { team: "red" } },
  { nope: 1 },
  { age: { $nope: 1 } },
];

const CHANGES = [
  null,
  null,
  {},
  { age: { $increment: 1 } },
  { age: { $multiply: 2 }, city: "Rom" },
  { age: null, team: "blue" },
  { nick: "n" },
  { nick: "d" },
  { city: null },
  { team: "none" },
  { boss: "ada" },
  { id: "ada", age: 5 },
  { age: "old" },
  { nope: 1 },
];

export const whereCases: fc.Arbitrary<WhereCase> = fc.record({
  before: fc.array(
    fc.record({
      id: fc.constantFrom("ada", "bob", "cyd", "dan"),
      changes: fc.constantFrom<object | null>({ age: 2 }, { age: 9, team: "red" }, null),
    }),
    { maxLength: 2 },
  ),
  filter: fc.constantFrom(...FILTERS),
  changes: fc.constantFrom(...CHANGES),
  limit: fc.constantFrom(undefined, undefined, 0, 1, 2, 3),
});

/** Writes the single records, those that exist. */
export function writeBefore(branch: AnyBranch, { before }: WhereCase): void {
  const people = branch.table("people");
  for (const { id, changes } of before) {
    if (changes === null) people.delete(id);
    else if (people.get(id) !== null) people.update(id, changes);
  }
}

export function writeWhere(
  branch: AnyBranch,
  { filter, changes, limit }: WhereCase,
  columns?: readonly string[],
): unknown {
  const people = untyped(branch).table("people");
  const options = { limit, columns };
  if (changes === null) return people.deleteWhere(filter, options);
  return people.updateWhere(filter, changes, options);
}

/** The result, or the refusal. */
export function outcomeOf(act: () => unknown): { value?: unknown; error?: object } {
  try {
    return { value: act() };
  } catch (thrown) {
    const { code, message, path, rule } = refused(() => {
      throw thrown;
    });
    return { error: { code, message, path, rule } };
  }
}

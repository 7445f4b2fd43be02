import { describe, expect, it } from "vitest";
import { expectRefused, openTable } from "./fixture.js";

interface TypeCase {
  readonly rule: string;
  readonly column: Readonly<Record<string, unknown>>;
  /** Values that are returned as given; `changed` has those returned otherwise. */
  readonly good: readonly unknown[];
  readonly changed?: readonly (readonly [given: unknown, returned: unknown])[];
  readonly bad: readonly unknown[];
}

/** Holds what JSON cannot say, and texts with half a surrogate pair. */
const LONE = "\ud83d";

const CASES: readonly TypeCase[] = [
  { rule: "T-1", column: { type: "bool" }, good: [true], bad: [new Boolean(true)] },
  {
    rule: "T-2",
    column: { type: "int" },
    good: [Number.MAX_SAFE_INTEGER],
    changed: [[-0, 0]],
    bad: [1n, Number.NaN, Infinity, -Infinity],
  },
  {
    rule: "T-3",
    column: { type: "float" },
    good: [5e-324, Number.MAX_VALUE],
    changed: [[-0, 0]],
    bad: [1n, Number.NaN, Infinity, -Infinity],
  },
  {
    rule: "T-4",
    column: { type: "string" },
    good: ["\0", "😀".repeat(2048)],
    bad: [LONE, `a${LONE}b`, `\ude00${LONE}`, "😀".repeat(2049)],
  },
  { rule: "T-5", column: { type: "text" }, good: ["x".repeat(100_000)], bad: [LONE] },
  { rule: "T-6", column: { type: "email" }, good: ["a@b"], bad: [LONE] },
  {
    rule: "T-7",
    column: { type: "datetime" },
    good: ["9999-12-31T23:59:59.999999Z"],
    changed: [[new Date(Date.UTC(2022, 0, 31, 10, 20, 30, 40)), "2022-01-31T10:20:30.04Z"]],
    bad: [new Date(Number.NaN)],
  },
  {
    rule: "T-8",
    column: { type: "multiple" },
    good: [["b", "a", "b"]],
    bad: [[LONE], [undefined], new Array(3)],
  },
  { rule: "T-10", column: { type: "object", columns: [] }, good: [], bad: [new Date(0)] },
  {
    rule: "T-11",
    column: { type: "json" },
    good: [{ a: { b: [1, "x", { c: false }] }, "": 1, $x: 2, id: 3 }],
    changed: [
      [-0, 0],
      [{ a: undefined, b: 1 }, { b: 1 }],
      [[new Date(0)], ["1970-01-01T00:00:00.000Z"]],
    ],
    bad: [1n, () => 1, Symbol("x"), Number.NaN, { a: Infinity }, [undefined], LONE, { [LONE]: 1 }],
  },
  {
    rule: "T-12",
    column: { type: "vector", vector: { dimension: 2 } },
    good: [[0.5, -1e300]],
    changed: [
      [
        [-0, 0],
        [0, 0],
      ],
    ],
    bad: [[1, Number.NaN]],
  },
];

describe.each(CASES)("$rule: $column.type", ({ rule, column, good, changed = [], bad }) => {
  const open = () =>
    openTable([
      { name: "a", type: "int" },
      { name: "value", ...column },
    ]);

  it(`${rule}: stores and returns its values`, () => {
    const table = open();
    const cases = [...good.map((value) => [value, value] as const), ...changed];
    for (const [given, returned] of cases) {
      const record = table.insert({ value: given });
      expect(record.value).toEqual(returned);
      expect(Object.is(record.value, -0)).toBe(false);
      const updated = table.insert({ a: 1 });
      expect(table.update(updated.id, { value: given }).value).toEqual(returned);
      expect(table.replace(updated.id, { value: given }).value).toEqual(returned);
      expect(table.get(record.id)?.value).toEqual(returned);
    }
  });

  it(`${rule}, T-15: rejects values of another type`, () => {
    const table = open();
    table.insert({ id: "held", a: 1 });
    const before = table.get("held");
    for (const value of bad) {
      const calls = [
        () => table.insert({ value }),
        () => table.insert({ id: "new", a: 2, value }),
        () => table.update("held", { a: 2, value }),
        () => table.replace("held", { value }),
        () => table.upsert("new", { value }),
        () => table.put("new", { value }),
      ];
      for (const call of calls) expectRefused(call, "invalid_record", rule, "/value");
    }
    expect([...table.scan()]).toEqual([before]);
  });
});

import { describe, expect, it } from "vitest";
import { expectMatches, expectRefused, openTable } from "./fixture.js";

interface TypeCase {
  readonly rule: string;
  readonly column: Readonly<Record<string, unknown>>;
  /** Values that are returned as given; `changed` has those returned otherwise. */
  readonly good: readonly unknown[];
  readonly changed?: readonly (readonly [given: unknown, returned: unknown])[];
  readonly bad: readonly unknown[];
}

const LONE = "\ud83d";
const MAX = Number.MAX_SAFE_INTEGER;
const NO_TEXTS: readonly unknown[] = [0, true, [], ["a"], {}, LONE, `a${LONE}b`, `\ude00${LONE}`];

const CASES: readonly TypeCase[] = [
  {
    rule: "T-1",
    column: { type: "bool" },
    good: [true, false],
    bad: [0, 1, "true", "", [], {}, new Boolean(true)],
  },
  {
    rule: "T-2",
    column: { type: "int" },
    good: [0, 1, -1, MAX, -MAX, 1e3],
    changed: [[-0, 0]],
    bad: [1.5, MAX + 1, -MAX - 1, 1e300, "1", true, [1], {}, 1n, Number.NaN, Infinity, -Infinity],
  },
  {
    rule: "T-3",
    column: { type: "float" },
    good: [0, 1, -1.5, 1e308, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 2 ** 60],
    changed: [[-0, 0]],
    bad: ["1", true, [1.5], {}, 1n, Number.NaN, Infinity, -Infinity],
  },
  {
    rule: "T-4",
    column: { type: "string" },
    good: ["", "a", " ", "\0", "\n", "é", "é", "😀", "x".repeat(2048), "😀".repeat(2048)],
    bad: [...NO_TEXTS, "x".repeat(2049), "😀".repeat(2049)],
  },
  {
    rule: "T-5",
    column: { type: "text" },
    good: ["", "a", "x".repeat(100_000), "😀".repeat(2049)],
    bad: NO_TEXTS,
  },
  {
    rule: "T-6",
    column: { type: "email" },
    good: [
      ...["a@b", "a@b.c", "first.last+tag@sub.example-domain.co", "o'b@x-y.de"],
      `${"x".repeat(249)}@a.bc`,
    ],
    bad: [
      ...NO_TEXTS,
      ...[
        "",
        "a",
        "@",
        "a@",
        "@b",
        "a@b@c",
        "a@.b",
        "a@b.",
        "a@b..c",
        "a@b c",
        "é@x.de",
        "a@-b",
        "a@b_c",
      ],
      `${"x".repeat(250)}@a.bc`,
    ],
  },
  {
    rule: "T-7",
    column: { type: "datetime" },
    good: ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
    changed: [
      ["2022-01-31t10:20:30.1234569z", "2022-01-31T10:20:30.123456Z"],
      ["2022-01-31T10:20:30.120+02:00", "2022-01-31T08:20:30.12Z"],
      [new Date(Date.UTC(2022, 0, 31, 10, 20, 30, 40)), "2022-01-31T10:20:30.04Z"],
    ],
    bad: [
      ...["", "2022-01-31", "2022-02-29T00:00:00Z", "0001-01-01T00:00:00+00:01"],
      ...[1643624430, {}, [], new Date(Number.NaN)],
    ],
  },
  {
    rule: "T-8",
    column: { type: "multiple" },
    good: [[], ["a"], ["b", "a", "b"], [""], ["x".repeat(3000)], Array(5000).fill("y")],
    bad: ["a", {}, [1], ["a", null], [["a"]], [LONE], [undefined], new Array(3), 0],
  },
  {
    rule: "T-11",
    column: { type: "json" },
    good: [
      ...[true, false, 0, -1.5, "", "text", "{}", [], {}, [null], [[[]]]],
      ...[{ a: null }, { a: { b: [1, "x", { c: false }] }, "": 1, $x: 2, id: 3 }],
    ],
    changed: [
      [-0, 0],
      [{ a: undefined, b: 1 }, { b: 1 }],
      [[new Date(0)], ["1970-01-01T00:00:00.000Z"]],
    ],
    bad: [1n, () => 1, Symbol("x"), Number.NaN, { a: Infinity }, [undefined], LONE, { [LONE]: 1 }],
  },
  {
    rule: "T-12",
    column: { type: "vector", vector: { dimension: 3 } },
    good: [
      [1, 2, 3],
      [0.5, -1e300, 0],
    ],
    changed: [
      [
        [-0, 0, 0],
        [0, 0, 0],
      ],
    ],
    bad: [[], [1, 2], [1, 2, 3, 4], [1, 2, "3"], [1, 2, null], [1, 2, Number.NaN], "1,2,3", {}],
  },
  {
    rule: "T-13",
    column: { type: "file" },
    good: [{ name: "a.png", mediaType: "image/png" }],
    changed: [
      [
        { name: "a.png", mediaType: "image/png", base64Content: "aGk=" },
        { name: "a.png", mediaType: "image/png" },
      ],
      [{ base64Content: "" }, { name: "", mediaType: "application/octet-stream" }],
    ],
    bad: ["a.png", 1, true, [], [{}]],
  },
  {
    rule: "T-13",
    column: { type: "file[]" },
    good: [[], [{ id: "a", name: "a.png", mediaType: "image/png" }]],
    changed: [
      [
        [
          { id: "a", name: "a.png" },
          { id: "b", base64Content: "aGk=" },
        ],
        [
          { id: "a", name: "a.png", mediaType: "application/octet-stream" },
          { id: "b", name: "", mediaType: "application/octet-stream" },
        ],
      ],
    ],
    bad: [{}, "a", 1, ["a"], [[]], [null]],
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
      for (const call of calls) expectRefused(call, `invalid_record ${rule} /value`);
    }
    expect([...table.scan()]).toEqual([before]);
  });

  it(`${rule}, T-14: null and a missing key are null`, () => {
    const table = open();
    const value = changed[0]?.[0] ?? good[0];
    table.insert([{ id: "a", value: null }, { id: "b" }, { id: "c", value: undefined }]);
    table.insert({ id: "d", value });
    expectMatches(table, { $notExists: "value" }, "abc");
    expectMatches(table, { $exists: "value" }, "d");
    expect(Object.keys(table.get("a") ?? {})).toEqual(["id", "service"]);
    expect(table.update("d", { value: null })).not.toHaveProperty("value");
    expectMatches(table, { $exists: "value" }, "");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCursor } from "../../src/query/bound/cursor.js";
import { seed } from "../generated.js";
import { bindUsers, compileUsers } from "./fixture.js";

function conditionsOf(request: object): string {
  const { text } = compileUsers({ columns: [], ...request }).statement;
  return text
    .replace(/^.*?\bwhere /, "")
    .replaceAll(/\$(\d+)(?:::(?:text\[\]|text|bigint|jsonb))+/g, "$$$1");
}

describe("a statement", () => {
  it("passes values as parameters", () => {
    const { statement } = compileUsers({ columns: ["email"], filter: { age: { $ge: 30 } } });
    expect(statement.text).toBe(
      "select * from ((select t.id as o0, t.c4 as o1, t.version as o2, t.created_at as o3, t.updated_at as o4 from users t where (t.c5 >= $1::text::bigint) and true order by t.id asc limit 32)) u limit $2::text::bigint offset $3::text::bigint",
    );
    expect(statement.values).toEqual(["30", "21", "0"]);
  });

  it.each([
    [
      { filter: { age: 1 } },
      "t.c5 = $1 and true order by t.id asc limit 32)) u limit $2 offset $3",
    ],
    [
      { filter: { $not: { age: 1 } } },
      "(t.c5 is not null and (t.c5 = $1) is not true) and true order by t.id asc limit 32)) u limit $2 offset $3",
    ],
    [
      { sort: { age: "desc" } },
      "true and true order by t.c5 desc, t.id asc limit 32)) u limit $1 offset $2",
    ],
    [
      { filter: { "team.size": { $gt: 2 } } },
      "(t1.c5 > $1) and true order by t.id asc limit 32)) u limit $2 offset $3",
    ],
    [
      { filter: { "any->a->-1": 1 } },
      "nullif(((t.c8::jsonb #> $1) -> $2), 'null'::jsonb) = $3 and true order by t.id asc limit 32)) u limit $4 offset $5",
    ],
  ])("for %j has the expected conditions", (request, expected) => {
    expect(conditionsOf(request)).toBe(expected);
  });

  it("reads records of one linked record in the order of the link's index", () => {
    const request = { columns: [], filter: { "team.name": "a" }, sort: { age: "asc" } };
    const { text } = compileUsers(request).statement;
    expect(text).toMatch(
      /^with single as \(select l.id from teams l where l.c4 = \$2::text limit 2\)/,
    );
    expect(text.match(/ and t\.c9 = \(select min\(id\) from single\) and /g)).toHaveLength(1);
    expect(text.match(/not \(select count\(\*\) from single\) < 2/g)).toHaveLength(1);
    for (const other of [
      { sort: { "team.size": "asc" } },
      { filter: { "team.size": { $gt: 1 } } },
    ]) {
      expect(compileUsers({ ...request, ...other }).statement.text).not.toContain("single");
    }
  });

  it("rounds its limit, so that page sizes share statements", () => {
    const textOf = (size: number) => compileUsers({ page: { size } }).statement.text;
    expect(textOf(1)).toBe(textOf(31));
    expect(textOf(200)).toContain("limit 512");
    expect(textOf(200)).toBe(textOf(500));
  });

  it("requests a custom plan if the number of matching rows depends on values", () => {
    const isPlannedEach = (filter: object) => compileUsers({ filter }).statement.isPlannedEach;
    expect(isPlannedEach({ email: "a@b.c", team: "t" })).toBe(false);
    expect(isPlannedEach({ email: { $startsWith: "a" } })).toBe(true);
    expect(isPlannedEach({ age: { $lt: 3 } })).toBe(true);
    expect(isPlannedEach({ tags: { $includes: "t" } })).toBe(true);
  });

  it("S-3: continues after a cursor in parts that use an index, nulls last", () => {
    const { cursorQuery } = bindUsers({ columns: [], sort: { age: "asc" }, page: { size: 2 } });
    const point = { keys: [30, "rec_a"], side: 0 } as const;
    expect(
      conditionsOf({
        columns: undefined,
        page: { after: encodeCursor(cursorQuery, point, point) },
      }),
    ).toBe(
      "true and (t.c5, t.id) > ($1, $2) order by t.c5 asc, t.id asc limit 32) union all (select t.id as o0, t.version as o1, t.created_at as o2, t.updated_at as o3, t.c5 as o4 from users t where true and t.c5 is null order by t.id asc limit 32)) u limit $3 offset $4",
    );
  });
});

describe("a hostile request", () => {
  const hostile: fc.Arbitrary<string> = fc.oneof(
    fc.constantFrom(
      "'; drop table users; --",
      '"; select 1; --',
      "$1",
      "\\'",
      "\\",
      "/*",
      "*/",
      "--",
      "'::text",
      '{},"a"',
      "$" + "{x}",
      "\0",
      "\u0001'",
      "é' or true or '",
    ),
    fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
  );
  /** The same without wildcards, and never a number. */
  const text = hostile.map((given) => `x${given.replaceAll(/[*?\\]/g, "")}`);

  it("changes nothing but parameters", () => {
    const requestOf = (part: (place: number) => string): object => ({
      columns: ["email", "team.name", "any"],
      filter: {
        email: { $contains: part(0), $pattern: `${part(1)}*`, $iContains: part(2) },
        $any: [
          { id: part(3), tags: { $includesAny: [part(4), part(5)] } },
          { team: part(6).replaceAll(/\p{C}/gu, ""), "team.name": { $any: [part(7), part(8)] } },
          { [`any->${part(9).replaceAll("->", "")}`]: { $startsWith: part(10), $ge: part(11) } },
          { any: JSON.stringify({ [part(12)]: [part(13)] }) },
        ],
      },
      sort: [{ "team.name": "desc" }, { email: "asc" }],
    });
    const plain = compileUsers(requestOf(() => "x")).statement.text;
    fc.assert(
      fc.property(fc.array(text, { minLength: 14, maxLength: 14 }), (parts) => {
        const { statement } = compileUsers(requestOf((place) => parts[place]!));
        expect(statement.text).toBe(plain);
      }),
      { seed },
    );
  });

  it("adds no words to the statement through patterns, paths and cursors", () => {
    const word = /^[a-z_0-9.$:()<>=,*~'#@|[\]\s-]+$/;
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.array(hostile, { minLength: 1 }),
        (a, b, c, keys) => {
          const path = keys.map((key) => key.replaceAll("->", "")).join("->");
          const query = { columns: [], sort: [{ email: "desc" }], filter: { [`any->${path}`]: a } };
          const point = { keys: [b, c], side: 0 } as const;
          const cursor = encodeCursor(bindUsers(query).cursorQuery, point, point);
          const { statement } = compileUsers({ page: { after: cursor } });
          expect(statement.text).toMatch(word);
          expect(
            statement.text.replaceAll(/'(?:null|string|number|array|\{\})'/g, ""),
          ).not.toContain("'");
          const pattern = a.replace(/\\$/, "");
          const odd = compileUsers({
            filter: { email: { $iPattern: `${pattern.replaceAll("\\", "")}?*` } },
          });
          // The one letter whose lower case has two code points.
          expect(odd.statement.text.replaceAll("'İ'", "''")).toMatch(word);
        },
      ),
      { seed },
    );
  });
});

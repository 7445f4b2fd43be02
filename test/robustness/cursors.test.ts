import { describe, expect, it } from "vitest";
import { type LooseTable, openTable, refused } from "../rules/fixture.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BEYOND = "+/=.é \0\ud83d";

function openRows(): LooseTable {
  const table = openTable([
    { name: "n", type: "int" },
    { name: "s", type: "string" },
  ]);
  table.insert(Array.from({ length: 9 }, (_, n) => ({ id: `r${n}`, n, s: "é😀" })));
  return table;
}

const REQUESTS: readonly object[] = [
  {},
  { sort: { n: "desc" }, page: { size: 2 } },
  {
    filter: { s: { $contains: "😀" } },
    columns: ["s"],
    sort: [{ "*": "random" }],
    page: { size: 3 },
  },
  { page: { after: "end" } },
];

describe.each(REQUESTS)("the cursor of %j", (request) => {
  const table = openRows();
  const { cursor } = table.query(request).meta.page;
  const expectInvalid = (damaged: string): void => {
    const call = (): unknown => table.query({ page: { after: damaged } });
    const { code, rule, path } = refused(call);
    expect({ code, rule, path }).toEqual({
      code: "invalid_cursor",
      rule: "G-13",
      path: "/page/after",
    });
  };

  it("G-13: with any one character changed is refused", () => {
    for (let at = 0; at < cursor.length; at++) {
      for (const character of ALPHABET + BEYOND) {
        if (character === cursor[at]) continue;
        expectInvalid(cursor.slice(0, at) + character + cursor.slice(at + 1));
      }
    }
  });

  it("G-13: with any one character taken out is refused", () => {
    for (let at = 0; at < cursor.length; at++) {
      expectInvalid(cursor.slice(0, at) + cursor.slice(at + 1));
    }
  });

  it("G-13: with any one character put in is refused", () => {
    for (let at = 0; at <= cursor.length; at++) {
      for (const character of ALPHABET + BEYOND) {
        expectInvalid(cursor.slice(0, at) + character + cursor.slice(at));
      }
    }
  });

  it("G-13: with two neighbours swapped, or its end cut off, is refused", () => {
    for (let at = 1; at < cursor.length; at++) {
      const swapped = cursor.slice(0, at - 1) + cursor[at] + cursor[at - 1] + cursor.slice(at + 1);
      if (swapped !== cursor) expectInvalid(swapped);
      expectInvalid(cursor.slice(0, at));
    }
  });

  it("G-13: unchanged, is accepted", () => {
    expect(table.query({ page: { after: cursor } }).meta.page.cursor).not.toBe("");
  });
});

describe("cursors that were made up", () => {
  it("G-13: contents with a right checksum are still checked", async () => {
    // Nobody but the engine should make cursors; if somebody does, nothing but a refusal follows.
    const { checksum } = await import("../../src/value/hash.js");
    const table = openRows();
    const { cursor } = table.query({ sort: { n: "asc" }, page: { size: 2 } }).meta.page;
    const parts = JSON.parse(
      atob(cursor.slice(8).replaceAll("-", "+").replaceAll("_", "/")),
    ) as unknown[];
    const forge = (content: unknown): string => {
      const text = JSON.stringify(content) ?? "";
      const body = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      return checksum(body) + body;
    };
    expect(table.query({ page: { after: forge(parts) } }).records).toHaveLength(2);
    const junk = [
      null,
      1,
      -1,
      "x",
      true,
      [],
      {},
      [[]],
      [0],
      [0, 1],
      [9, 1, "r1"],
      [0, "x", 1],
      [0, 1, "r1", 2],
    ];
    for (let at = 0; at < parts.length; at++) {
      for (const value of junk) {
        const forged = forge(parts.with(at, value));
        for (const key of ["after", "before", "start", "end"]) {
          try {
            table.query({ page: { [key]: forged } });
          } catch (error) {
            expect(error, `${at}: ${JSON.stringify(value)}`).toMatchObject({
              code: expect.stringMatching(/^invalid_(cursor|page)$/),
            });
          }
        }
      }
    }
    for (const content of [...junk, parts.slice(1), [...parts, null]]) {
      const { code } = refused(() => table.query({ page: { after: forge(content) } }));
      expect(code).toBe("invalid_cursor");
    }
  });
});

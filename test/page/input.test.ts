import { describe, expect, it } from "vitest";
import { draftIds, draftKey, drafts, entryIn, setEntry } from "../../page/state/drafts.js";
import { describeFault } from "../../page/state/fault-words.js";
import { writeFile } from "../../page/state/file-text.js";
import { tableNameOf } from "../../page/state/import-file.js";
import { foldLines, isShown, type JournalLine } from "../../page/state/journal-lines.js";
import { layoutSchema } from "../../page/state/layout.js";
import { quickFilter, readQuickFind } from "../../page/state/quick-find.js";
import { readTime } from "../../page/state/time-input.js";

describe("readTime", () => {
  const now = Date.parse("2030-01-01T10:20:30Z"); // a Tuesday
  it.each([
    ["2031-05-05", "2031-05-05T00:00:00.000Z"],
    ["2031-05-05 14:30", "2031-05-05T14:30:00.000Z"],
    ["2031-05-05T14:30:05Z", "2031-05-05T14:30:05.000Z"],
    ["2031-05-05T14:30:00+02:00", "2031-05-05T12:30:00.000Z"],
    ["today", "2030-01-01T00:00:00.000Z"],
    ["Tomorrow", "2030-01-02T00:00:00.000Z"],
    ["tomorrow at 9:05", "2030-01-02T09:05:00.000Z"],
    ["yesterday", "2029-12-31T00:00:00.000Z"],
    ["friday", "2030-01-04T00:00:00.000Z"],
    ["next tuesday", "2030-01-08T00:00:00.000Z"],
    ["+3 days", "2030-01-04T10:20:30.000Z"],
    ["in 90 min", "2030-01-01T11:50:30.000Z"],
    ["+2h", "2030-01-01T12:20:30.000Z"],
    ["2 weeks ago", "2029-12-18T10:20:30.000Z"],
  ])("reads %s", (text, iso) => {
    expect(new Date(readTime(text, now)!).toISOString()).toBe(iso);
  });

  it.each(["", "soon", "2031-13-45", "5", "+3 fortnights", "tomorrow night"])(
    "does not read %j",
    (text) => {
      expect(readTime(text, now)).toBeUndefined();
    },
  );
});

describe("quick find", () => {
  it("is read from its own filters only", () => {
    for (const text of ["ada", 'a "b" \\ {}', "$any"]) {
      expect(readQuickFind(["name", "email"], quickFilter(["name", "email"], text))).toBe(text);
    }
    expect(quickFilter(["name"], "  ")).toBe("");
    expect(readQuickFind(["name"], "")).toBe("");
    for (const filter of ['{"name":"a"}', "{oops", "null", '{"$any":[null]}', '{"$any":3}']) {
      expect(readQuickFind(["name"], filter)).toBeUndefined();
    }
  });
});

describe("drafts", () => {
  it("keep the version at the first edit, with any column names", () => {
    const table = ["w", "d", "main", "__proto__"];
    const key = draftKey(table, "a,b");
    setEntry(key, 3, "constructor", { text: "x", isNull: false });
    setEntry(key, 9, "__proto__", { text: "y", isNull: false });
    const draft = drafts.value.get(key);
    expect(draft?.version).toBe(3);
    expect(entryIn(draft, "constructor")?.text).toBe("x");
    expect(entryIn(draft, "__proto__")?.text).toBe("y");
    expect(entryIn(draft, "toString")).toBeUndefined();
    expect(draftIds(table)).toEqual(["a,b"]);
    for (const path of ["constructor", "__proto__"]) setEntry(key, 9, path, undefined);
    expect(draftIds(table)).toEqual([]);
  });
});

describe("the journal", () => {
  const call = { method: "GET", path: "/db/a:main/tables/t/data/1", search: "", at: 0, ms: 1 };
  const line = (index: number, rest: Partial<JournalLine>): JournalLine => ({
    ...call,
    index,
    ...rest,
  });
  it("folds equal consecutive calls", () => {
    const lines = [200, 200, 404, 200].map((status, i) => line(9 - i, { status }));
    expect(foldLines(lines).map((fold) => fold.lines.length)).toEqual([2, 1, 1]);
    expect(foldLines(lines)[0]?.latest.index).toBe(9);
  });

  it("filters by the text of a line and by indexes found on the server", () => {
    const all = { words: "", operation: "", table: "", status: "" };
    const failed = line(1, { status: 400, reason: "column [x]", operation: "getRecord" });
    expect(isShown(failed, { ...all, status: "failed" }, new Set())).toBe(true);
    expect(isShown(failed, { ...all, status: "ok" }, new Set())).toBe(false);
    expect(isShown(failed, { ...all, words: "COLUMN [X" }, new Set())).toBe(true);
    expect(isShown(failed, { ...all, words: "body" }, new Set())).toBe(false);
    expect(isShown(failed, { ...all, words: "body" }, new Set([1]))).toBe(true);
    expect(isShown(line(2, {}), { ...all, status: "failed" }, new Set())).toBe(true);
  });
});

it("a fault is described in words", () => {
  const say = (rule: object, strikes = 0): string =>
    describeFault({ id: "1", strikes, rule: { ...rule } });
  const on = { operation: "queryTable", table: "cities" };
  expect(say({ on, answer: { status: 503 } })).toBe(
    "The next queryTable on cities responds with status 503.",
  );
  expect(say({ delay: 100, times: "always" })).toBe("Every call waits 100 ms.");
  expect(say({ on, drop: "answer", times: 5 }, 2)).toBe(
    "Each of the next 3 queryTable calls on cities is executed, but its response is lost.",
  );
  expect(say({ drop: "request" }, 1)).toBe("Done: one call is dropped before it is executed.");
});

it("a file is written in a format that can be imported", async () => {
  const leaves = [
    { path: "id", type: "id", isOwn: false },
    { path: "a.b", type: "string", isOwn: true },
    { path: "to", type: "link", link: "t", isOwn: true },
  ] as const;
  const records = [
    { id: "1", a: { b: 'x "y",\nz' }, to: { id: "7" }, service: {} },
    { id: "2", a: { b: "" } },
  ];
  const write = async (format: "csv" | "json"): Promise<string> => {
    let text = "";
    for await (const part of writeFile([records], leaves, format)) text += part;
    return text;
  };
  expect(await write("csv")).toBe('id,a.b,to\n1,"x ""y"",\nz",7\n2,"",\n');
  expect(JSON.parse(await write("json"))).toEqual(records.map(({ service: _, ...rest }) => rest));
  expect(tableNameOf("New people (2).csv")).toBe("new_people_2");
});

it("formulas in CSV are escaped on request, in names and texts but not in numbers", async () => {
  const texts = ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "a=1", ""];
  const leaves = [...texts, "n"].map((path) => ({ path, type: "string" as const, isOwn: true }));
  const record = { ...Object.fromEntries(texts.map((text) => [text, text])), id: "1", n: -5 };
  const write = async (escapesFormulas: boolean): Promise<string> => {
    let text = "";
    for await (const part of writeFile([[record]], leaves, "csv", escapesFormulas)) text += part;
    return text;
  };
  const plain = '=1+1,+1,-1,@a,\tx,"\rx",a=1,""';
  const escaped = `'=1+1,'+1,'-1,'@a,'\tx,"'\rx",a=1,""`;
  expect(await write(false)).toBe(`${plain},n\n${plain},-5\n`);
  expect(await write(true)).toBe(`${escaped},n\n${escaped},-5\n`);
});

it("tables do not overlap in a layout, including cyclic links and links to themselves", () => {
  const link = (name: string, table: string) => ({ name, type: "link" as const, link: { table } });
  const tables = [
    { name: "a", columns: [link("b", "b"), link("self", "a")] },
    { name: "b", columns: [link("c", "c")] },
    { name: "c", columns: [link("a", "a"), link("gone", "nowhere")] },
    ...["x", "y", "z", "u", "v"].map((name) => ({ name, columns: [] })),
  ];
  const { boxes, lines, width, height } = layoutSchema(tables);
  expect(boxes).toHaveLength(8);
  expect(lines).toHaveLength(4);
  for (const one of boxes) {
    expect(one.x + 250).toBeLessThanOrEqual(width);
    expect(one.y + one.height).toBeLessThanOrEqual(height);
    for (const other of boxes) {
      const isApart =
        one === other ||
        Math.abs(one.x - other.x) >= 250 ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(isApart).toBe(true);
    }
  }
});

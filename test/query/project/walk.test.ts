import { describe, expect, it } from "vitest";
import { type AnyTable, createEngine } from "../../../src/index.js";
import { runQueryAsJson } from "../../../src/query/run.js";
import { CHUNK_ROWS } from "../../../src/storage/chunk.js";
import { defineColumns } from "../../columns.js";
import { runOf } from "../run-of.js";

/** Two full chunks and part of a third, the only one with values of `late`. */
const COUNT = 2 * CHUNK_ROWS + 77;

const makeRow = (i: number) => ({
  id: `r${String(i).padStart(5, "0")}`,
  n: (i * 4001) % COUNT, // neighbours in this order are far apart
  at: i % 13 === 0 ? null : new Date(Date.UTC(2020, 0, 1) + i * 1000).toISOString(),
  text: i % 17 === 0 ? null : `text ${i}`,
  plan: i % 19 === 0 ? null : ["free", "pro"][i % 2],
  on: i % 7 === 0 ? null : i % 2 === 0,
  labels: i % 23 === 0 ? null : ["a", "b", "c"].slice(i % 4),
  meta: i % 5 === 0 ? { i } : null,
  inner: { m: i % 3 === 0 ? null : i },
  late: i < 2 * CHUNK_ROWS ? null : i,
  lateText: i < 2 * CHUNK_ROWS ? null : `late ${i}`,
  lateList: i < 2 * CHUNK_ROWS ? null : [`late ${i}`],
});

function openRows() {
  const database = createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d");
  const columns = defineColumns({
    n: "int",
    at: "datetime",
    text: "text",
    plan: "string",
    on: "bool",
    labels: "multiple",
    meta: "json",
    inner: { m: "int" },
    late: "float",
    lateText: "string",
    lateList: "multiple",
  });
  const rows = database.branch("main").createTable("rows", columns);
  rows.load(Array.from({ length: COUNT }, (_, i) => makeRow(i)));
  return { database, rows };
}

/** Reads all pages out of storage order, and compares each record with `get`. */
function expectWalk(table: AnyTable): void {
  const run = runOf(table);
  const walked: string[] = [];
  let request: object = { sort: { n: "asc" }, page: { size: 150 } };
  for (;;) {
    const { records, meta } = table.query(request);
    const each = JSON.stringify(records.map(({ id }) => table.get(id)));
    expect(JSON.stringify(records)).toBe(each);
    expect(runQueryAsJson(run, request)).toContain(each);
    walked.push(...records.map(({ id }) => id));
    if (!meta.page.more) break;
    request = { page: { after: meta.page.cursor, size: 150 } };
  }
  expect(new Set(walked).size).toBe(table.count());
}

describe("records read out of storage order", () => {
  it("R-6: equal the results of get", () => {
    const { rows } = openRows();
    expectWalk(rows);
  });

  it("are current after each write, and unchanged in a branch", () => {
    const { database, rows } = openRows();
    expectWalk(rows);
    for (let i = 0; i < COUNT; i += 97) {
      rows.update(makeRow(i).id, { text: `new ${i}`, late: i, labels: ["new"], plan: `p${i}` });
    }
    rows.delete(makeRow(5).id);
    expectWalk(rows);
    const copy = database.createBranch("copy", { from: "main" }).table("rows");
    rows.update(makeRow(6).id, { text: "after the branch", lateList: ["new"] });
    expectWalk(copy);
    expectWalk(rows);
    expect(copy.get(makeRow(6).id)).toMatchObject({ text: "text 6" });
  });
});

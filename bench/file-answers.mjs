#!/usr/bin/env node
// Compares CSV files cell by cell with DuckDB's `read_csv`: node bench/file-answers.mjs <file …>
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { loadFixture } from "../dist/fixtures.js";
import { createEngine } from "../dist/index.js";
import { ensureInstalled } from "./install.mjs";

/** Compares values as texts: dates without their separator and zone, numbers by value, "" as null. */
function areSame(a, b) {
  const [one, other] = [a, b].map((value) =>
    String(value ?? "")
      .trim()
      .toLowerCase()
      .replace("t", " ")
      .replace(/(?:(?:\.0+)?(?:z|\+00)?|(?<=:\d\d)\.\d*?0*z?)$/, "")
      .replace(/ 00:00:00$/, ""),
  );
  return one === other || (one !== "" && other !== "" && Number(one) === Number(other));
}

/** The rows of a file, in its order; undefined cells are null. */
function readOurs(path) {
  const branch = createEngine({ seed: 1, now: 0, profile: { maxPageSize: 10_000_000 } })
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main");
  const fixture = { name: basename(path), text: readFileSync(path) };
  const { table, columns, count, hasIds } = loadFixture(branch, "t", fixture);
  const leaves = (list, head) =>
    list.flatMap(({ name, columns: inner }) =>
      inner ? leaves(inner, `${head}${name}.`) : [head + name],
    );
  const paths = leaves(columns, "").filter((path) => !(hasIds && path === "id_"));
  const valueAt = (record, path) => path.split(".").reduce((value, key) => value?.[key], record);
  const { records } = table.query({ page: { size: Math.max(count, 1) } });
  const byId = new Map(records.map((record) => [record.id, record]));
  return { paths, records, byId, hasIds, valueAt };
}

async function readTheirs(connection, path) {
  const from = `read_csv('${path.replaceAll("'", "''")}')`;
  const described = await connection.runAndReadAll(`describe select * from ${from}`);
  const names = described.getRows().map(([name]) => name);
  const texts = names.map((name) => `cast("${name.replaceAll('"', '""')}" as varchar)`);
  const found = await connection.runAndReadAll(`select ${texts.join(", ")} from ${from}`);
  return { names, rows: found.getRows() };
}

/** Returns the first difference, if any. */
function compare(ours, { names, rows }) {
  const { paths, records, byId, hasIds, valueAt } = ours;
  if (records.length !== rows.length) return `${records.length} rows, DuckDB ${rows.length}`;
  const id = hasIds ? names.findIndex((name) => /^(?:xata_)?id$/i.test(name)) : -1;
  const others = names.map((_, index) => index).filter((index) => index !== id);
  for (const [number, row] of rows.entries()) {
    const record = id < 0 ? records[number] : byId.get(row[id]);
    for (const [at, index] of others.entries()) {
      const value = paths[at] === undefined ? null : valueAt(record, paths[at]);
      const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
      if (!areSame(text, row[index]))
        return `row ${number + 1}, ${names[index]}: ${text}, DuckDB ${row[index]}`;
    }
  }
  return undefined;
}

ensureInstalled();
const { DuckDBInstance } = await import("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(":memory:")).connect();
let [same, read] = [0, 0];
for (const path of process.argv.slice(2)) {
  try {
    const theirs = await readTheirs(connection, path);
    read++;
    const difference = compare(readOurs(path), theirs);
    if (difference === undefined) same++;
    else console.log(`${path}: ${difference}`);
  } catch (error) {
    console.log(`${path}: ${error.message.split("\n")[0]}`);
  }
}
console.log(`${same} of ${read} files are as DuckDB reads them`);

// Texts and vectors to search, in a process of an engine's own.
import { createHash } from "node:crypto";
import { median, quantile, readMemory, timeCall, watchPeak } from "../measure.mjs";
import { makeQueries, makeTexts } from "../texts.mjs";

/** @typedef {import("../search/contract.mjs").SearchInstance} Instance */

/** Queries of other rounds than that of the comparison have these seeds and further ones. */
const WRITES = 30;

/** @type {Instance} */
let instance;
/** @type {import("../texts.mjs").Text[]} */
let texts;

/** @param {string} engine */
export async function loadSearchAdapter(engine) {
  /** @type {import("../search/contract.mjs").SearchAdapter} */
  const adapter = (await import(`../search/${engine}.mjs`)).adapter;
  return adapter;
}

/** @typedef {{ rows: number, queries: string[], distance: number }} Args of which each part has its own */

/** @type {Record<string, (engine: string, args: Args) => unknown>} */
const PARTS = { open, answers, queries, writes, segments };

/** @param {string} engine @param {Args & { part: string }} args */
export function runSearch(engine, args) {
  return PARTS[args.part]?.(engine, args);
}

/** Keeps the texts, and makes ready to search. @param {string} engine @param {{ rows: number }} args */
async function open(engine, { rows }) {
  const adapter = await loadSearchAdapter(engine);
  texts = makeTexts(rows);
  await adapter.load(texts.slice(0, 100)); // code and what it sets up once are no part of an index
  const before = await readMemory();
  const { ms, answer } = await timeCall(() => adapter.load(texts));
  instance = answer;
  const after = await readMemory();
  const bytes = after.heap + after.outside - before.heap - before.outside;
  return { ms, bytes, isFuzzy: adapter.isFuzzy };
}

/**
 * What queries match: how many texts, and which.
 *
 * @param {string} _engine @param {{ queries: string[], distance: number }} args
 */
async function answers(_engine, { queries, distance }) {
  const found = [];
  for (const query of queries) {
    const { count } = await instance.search(query, distance);
    const ids = [...(await instance.all(query, distance))].sort();
    found.push(`${count} ${createHash("sha256").update(ids.join()).digest("base64url")}`);
  }
  return found;
}

/** @param {string} _engine @param {{ queries: string[], distance: number }} args */
async function queries(_engine, { queries, distance }) {
  const times = [];
  for (const query of queries)
    times.push((await timeCall(() => instance.search(query, distance))).ms);
  return { ms: median(times), p95: quantile(times, 0.95) };
}

/**
 * What a write takes, and by how much the next search is longer than the one after it. Each text is
 * given the text of another.
 */
async function writes() {
  const asked = makeQueries(WRITES, 77);
  const written = [];
  const later = [];
  const both = [];
  for (const [at, query] of asked.entries()) {
    await instance.search(query, 0);
    const text = { id: at * 31 + 7, from: at * 57 + 11 };
    const next = { id: texts[text.id]?.id ?? "", text: texts[text.from]?.text ?? "" };
    const write = await timeCall(() => instance.write(next));
    const first = await timeCall(() => instance.search(query, 0));
    const again = await timeCall(() => instance.search(query, 0));
    written.push(write.ms);
    later.push(first.ms - again.ms);
    both.push(write.ms + first.ms);
  }
  return { write: median(written), later: median(later), both: median(both) };
}

/**
 * What the words of the texts take in memory beside the texts, by how much the process grows at most
 * while they are read, and how long that takes.
 *
 * @param {string} _engine @param {{ rows: number }} args
 */
async function segments(_engine, { rows }) {
  const { makeTable } = await import("../search/twinbase.mjs");
  const { searchTable } = await import("../../dist/search.js");
  const search = (/** @type {ReturnType<typeof makeTable>} */ table, highlight = false) =>
    timeCall(() => searchTable(table, { query: "any", highlight: { enabled: highlight } }));
  await search(makeTable(makeTexts(1000)));
  const all = makeTexts(rows);
  const table = makeTable(all);
  const before = await readMemory();
  const readPeak = watchPeak();
  const { ms } = await search(table);
  const peak = readPeak();
  const after = await readMemory();
  const text = all.reduce((sum, one) => sum + bytesOf(one.text), 0);
  const times = [];
  for (const query of makeQueries(100, 5)) {
    times.push((await timeCall(() => searchTable(table, { query, fuzziness: 0 }))).ms);
  }
  return { ms, bytes: after.heap - before.heap, peak, text, highlighted: median(times) };
}

/** What a string's characters take: two bytes each if one of them is beyond Latin-1. @param {string} text */
function bytesOf(text) {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}

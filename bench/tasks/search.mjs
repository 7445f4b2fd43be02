// Searches of one engine.
import { createHash } from "node:crypto";
import { median, quantile, readMemory, timeCall } from "../measure.mjs";
import { makeQueries, makeTexts } from "../texts.mjs";

const WRITES = 30;

let instance;
let texts;

const PARTS = { open, answers, queries, writes };

export function runSearch(engine, args) {
  return PARTS[args.part]({ engine, ...args });
}

async function open({ engine, rows }) {
  const adapter = (await import(`../search/${engine}.mjs`)).adapter;
  texts = makeTexts(rows);
  await adapter.load(texts.slice(0, 100)); // compiles the code
  const before = await readMemory();
  const { ms, answer } = await timeCall(() => adapter.load(texts));
  instance = answer;
  const after = await readMemory();
  const bytes = after.heap + after.outside - before.heap - before.outside;
  return { ms, bytes, isFuzzy: adapter.isFuzzy };
}

/** The number of matches and a digest of their ids. */
async function answers({ queries, distance }) {
  const found = [];
  for (const query of queries) {
    const { count } = await instance.search(query, distance);
    const ids = [...(await instance.all(query, distance))].sort();
    found.push(`${count} ${createHash("sha256").update(ids.join()).digest("base64url")}`);
  }
  return found;
}

async function queries({ queries, distance, highlight = false }) {
  const times = [];
  for (const query of queries) {
    const search = () => (highlight ? instance.highlight(query) : instance.search(query, distance));
    times.push((await timeCall(search)).ms);
  }
  return { ms: median(times), p95: quantile(times, 0.95) };
}

/** Milliseconds of a write, which gives a text the words of another, and the next search. */
async function writes() {
  const times = [];
  for (const [at, query] of makeQueries(WRITES, 77).entries()) {
    await instance.search(query, 0);
    const [to, from] = [at * 31 + 7, at * 57 + 11].map((place) => texts[place % texts.length]);
    const text = { id: to.id, text: from.text };
    const write = await timeCall(() => instance.write(text));
    times.push(write.ms + (await timeCall(() => instance.search(query, 0))).ms);
  }
  return median(times);
}

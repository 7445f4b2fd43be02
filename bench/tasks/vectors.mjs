// The vectors most similar to one, by the engine and by a plain loop over one array.
import { createEngine } from "../../dist/index.js";
import { vectorSearch } from "../../dist/search.js";
import { createRandom, SEED } from "../data.mjs";
import { median, timeCall } from "../measure.mjs";

const TOP = 10;
const CALLS = 21;
const BATCH = 2000;

export async function runVectors({ rows, dimension }) {
  const table = createEngine({ now: 0, seed: 1 })
    .createWorkspace("bench")
    .createDatabase("bench")
    .branch("main")
    .createTable("vectors", [{ name: "meaning", type: "vector", vector: { dimension } }]);
  const values = new Float32Array(rows * dimension);
  const random = createRandom(SEED);
  for (let from = 0; from < rows; from += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => {
      const meaning = Array.from({ length: dimension }, () => Math.fround(random() * 2 - 1));
      values.set(meaning, (from + at) * dimension);
      return { id: String(from + at), meaning };
    });
    table.insert(records);
  }

  const times = { engine: [], bare: [] };
  for (let call = 0; call < CALLS; call++) {
    const queryVector = Array.from({ length: dimension }, () => random() * 2 - 1);
    const own = await timeCall(
      () => vectorSearch(table, { column: "meaning", queryVector, size: TOP }).records,
    );
    const bare = await timeCall(() => findNearest(values, queryVector));
    const found = own.answer.map(({ id }) => Number(id)).join();
    if (found !== bare.answer.join()) throw new Error(`vectors: ${found} and ${bare.answer}`);
    if (call === 0) continue;
    times.engine.push(own.ms);
    times.bare.push(bare.ms);
  }
  return { engine: median(times.engine), bare: median(times.bare) };
}

function findNearest(values, query) {
  const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  const unit = Float64Array.from(query, (value) => value / length);

  const top = [];
  for (let from = 0, place = 0; from < values.length; from += unit.length, place++) {
    let dot = 0;
    let square = 0;
    for (let at = 0; at < unit.length; at++) {
      const value = values[from + at] ?? 0;
      dot += value * (unit[at] ?? 0);
      square += value * value;
    }
    const score = dot / Math.sqrt(square);
    if (top.length === TOP && score <= (top[TOP - 1]?.score ?? 0)) continue;
    top.push({ place, score });
    top.sort((a, b) => b.score - a.score);
    top.length = Math.min(top.length, TOP);
  }
  return top.map(({ place }) => place);
}

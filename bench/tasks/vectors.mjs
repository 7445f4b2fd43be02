// The vectors most similar to one, by the engine and by bare loops over one array.
import { createEngine } from "../../dist/index.js";
import { vectorSearch } from "../../dist/search.js";
import { createRandom, SEED } from "../data.mjs";
import { median, timeCall } from "../measure.mjs";

const TOP = 10;
const CALLS = 21;
const BATCH = 2000;

/** @typedef {{ place: number, score: number }} Near */

/** @param {{ rows: number, dimension: number }} args */
export async function runVectors({ rows, dimension }) {
  const table = createEngine({ now: 0, seed: 1 })
    .createWorkspace("bench")
    .createDatabase("bench")
    .branch("main")
    .createTable("vectors", [{ name: "meaning", type: "vector", vector: { dimension } }]);
  const single = new Float32Array(rows * dimension);
  const double = new Float64Array(rows * dimension);
  const random = createRandom(SEED);
  for (let from = 0; from < rows; from += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => {
      const meaning = Array.from({ length: dimension }, () => Math.fround(random() * 2 - 1));
      single.set(meaning, (from + at) * dimension);
      double.set(meaning, (from + at) * dimension);
      return { id: String(from + at), meaning };
    });
    table.insert(records);
  }
  /** @type {Record<string, (query: number[]) => Near[]>} */
  const ways = {
    engine: (queryVector) =>
      vectorSearch(table, { column: "meaning", queryVector, size: TOP }).records.map(
        ({ id, service }) => ({ place: Number(id), score: service.score }),
      ),
    // Each its own function, compiled for one kind of array.
    float32: compileBareLoop(single, dimension),
    float64: compileBareLoop(double, dimension),
  };
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let call = 0; call < CALLS; call++) {
    const query = Array.from({ length: dimension }, () => random() * 2 - 1);
    const found = [];
    for (const [name, search] of Object.entries(ways)) {
      const { ms, answer } = await timeCall(() => search(query));
      if (call > 0) times[name]?.push(ms);
      found.push(answer.map((/** @type {Near} */ { place }) => place).join());
    }
    if (new Set(found).size > 1) throw new Error(`vectors: other answers: ${found.join(" / ")}`);
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/**
 * A loop as one would write it for this array alone.
 *
 * @param {Float32Array | Float64Array} values @param {number} dimension
 */
function compileBareLoop(values, dimension) {
  const body = `return (query) => {
    const unit = toUnit(query);
    const top = [];
    for (let from = 0, place = 0; from < values.length; from += dimension, place++) {
      let dot = 0;
      let square = 0;
      for (let at = 0; at < dimension; at++) {
        const value = values[from + at];
        dot += value * unit[at];
        square += value * value;
      }
      const score = 1 + dot / Math.sqrt(square);
      if (top.length < count) {
        top.push({ place, score });
      } else if (score > top[count - 1].score) {
        top[count - 1] = { place, score };
      } else continue;
      for (let at = top.length - 1; at > 0 && top[at].score > top[at - 1].score; at--)
        [top[at - 1], top[at]] = [top[at], top[at - 1]];
    }
    return top;
  }`;
  return new Function("values", "dimension", "count", "toUnit", body)(
    values,
    dimension,
    TOP,
    toUnit,
  );
}

/** @param {number[]} query */
function toUnit(query) {
  const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  return Float64Array.from(query, (value) => value / length);
}

import fc from "fast-check";
import type { ColumnDefinition, Json } from "../../types.js";
import type { OracleTable } from "../oracle/model.js";
import { distanceOf, type OracleHit, type OracleSearch, wordsOf } from "../oracle/search.js";
import type { Fixture } from "../target/target.js";
import { readPointer } from "../vectors/pattern.js";
import { type JsonObject, oneOf } from "./cases.js";
import { branchPath, named, type Scene } from "./scene.js";

export const COLUMNS: readonly ColumnDefinition[] = [
  { name: "title", type: "string" },
  { name: "labels", type: "multiple" },
  { name: "n", type: "int" },
  { name: "place", type: "object", columns: [{ name: "city", type: "text" }] },
];
export const PATHS = ["title", "labels", "place.city"] as const;

/** Few words, near to each other, so that matches, ties and repeats are common. */
const WORDS = ["abc", "abcd", "acb", "ab", "b", "Éa", "straße", "STRASSE", "京", "dd1"] as const;

export function textArbitrary(most = 4): fc.Arbitrary<string> {
  const parts = fc.array(fc.tuple(oneOf(WORDS), oneOf([" ", "-", ", ", " <&> "])), {
    maxLength: most,
  });
  return parts.map((some) => some.flat().join(""));
}

export function documentArbitrary(): fc.Arbitrary<JsonObject> {
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: undefined });
  return fc
    .record({
      title: optional(textArbitrary()),
      labels: optional(fc.array(textArbitrary(2), { maxLength: 2 })),
      n: optional(oneOf([0, 1, 2])),
      city: optional(textArbitrary()),
    })
    .map(({ title, labels, n, city }) => ({
      ...(title === undefined ? {} : { title }),
      ...(labels === undefined ? {} : { labels }),
      ...(n === undefined ? {} : { n }),
      ...(city === undefined ? {} : { place: { city } }),
    }));
}

export function documentsArbitrary(table = "docs"): fc.Arbitrary<Fixture> {
  const some = fc.array(documentArbitrary(), { maxLength: 7, size: "max" });
  return some.map((documents) => fixtureOf(documents, table));
}

/** A table of documents, whose ids are `d1`, `d2` … */
export function fixtureOf(
  documents: readonly JsonObject[],
  name = "docs",
  columns: readonly ColumnDefinition[] = COLUMNS,
): Fixture {
  const records = documents.map((document, i) => ({ id: `d${i + 1}`, ...document }));
  return { tables: [{ name, columns, records }] };
}

export function searchArbitrary(): fc.Arbitrary<OracleSearch> {
  return fc.record(
    {
      query: textArbitrary(3),
      fuzziness: oneOf([0, 1, 2]),
      prefix: oneOf(["phrase", "disabled"] as const),
      weights: fc.dictionary(oneOf(PATHS), fc.integer({ min: 1, max: 10 }), {
        minKeys: 1,
        noNullPrototype: true,
      }),
    },
    { requiredKeys: ["query"] },
  );
}

/** The table of a case as the oracle reads it. */
export function oracleOf({ tables }: Fixture): OracleTable {
  const records = (tables[0]?.records ?? []).map(({ id, ...columns }) => ({
    id: String(id),
    columns: columns as OracleTable["records"][number]["columns"],
    metadata: {} as OracleTable["records"][number]["metadata"], // no search looks at it
  }));
  return { name: "docs", columns: COLUMNS, records };
}

/** A record that was found. */
interface Hit {
  readonly id: string;
  readonly score: number;
  readonly highlight: Json;
}

export interface Found {
  readonly hits: readonly Hit[];
  readonly totalCount: number;
}

export async function search(scene: Scene, body: JsonObject): Promise<Found> {
  const answer = await scene.send(
    { method: "POST", path: branchPath("/tables/docs/search"), body },
    {
      status: 200,
      at: { "/records": { $type: "array" }, "/totalCount": { $type: "integer" } },
    },
  );
  const metadata = scene.traits.profile.metadataColumn;
  const records = readPointer(answer.body, "/records") as readonly JsonObject[]; // as wanted above
  const hits = records.map((record) => ({
    id: String(record.id),
    score: Number(readPointer(record, `/${metadata}/score`)),
    highlight: (readPointer(record, `/${metadata}/highlight`) ?? null) as Json, // from JSON
  }));
  return { hits, totalCount: Number(readPointer(answer.body, "/totalCount")) };
}

/** A request for what the oracle is asked. */
export function requestOf({ weights, ...search }: OracleSearch): JsonObject {
  if (weights === undefined) return { ...search };
  const target = Object.entries(weights).map(([column, weight]) => ({ column, weight }));
  return { ...search, target };
}

export const NEARLY = 1e-9;

/**
 * Compares what was found with what has to be found: the same, by falling score, ties by id.
 *
 * @param least what a score is at least taken for where the digits of two are compared: the greatest
 *   of the numbers that it is a sum of
 */
export function compareHits(
  scene: Scene,
  found: Found,
  wanted: readonly OracleHit[],
  least = 0,
): void {
  const ids = wanted.map(({ id }) => id);
  scene.expect({ ids: { unordered: ids } }, "a search finds what matches");
  scene.expect({ at: { "/totalCount": ids.length } }, "a search counts what matches");
  const scores = new Map(wanted.map(({ id, score }) => [id, score]));
  for (const [i, { id, score }] of found.hits.entries()) {
    const right = scores.get(id) ?? 0;
    if (!(Math.abs(score - right) <= NEARLY * Math.max(Math.abs(right), least))) {
      const at = { [`/records/${i}/${named("meta")}/score`]: right };
      scene.expect({ at }, `the score of ${id}`);
    }
    const before = found.hits[i - 1];
    if (before === undefined || before.score > score) continue;
    if (before.score === score && before.id < id) continue;
    scene.fail("records come by falling score, ties by id", ids, idsOf(found));
  }
}

export function idsOf({ hits }: Found): string[] {
  return hits.map(({ id }) => id);
}

/** The words of a text that match some word of the query, as they are in the folded text. */
export function matchesOf(text: string, asked: readonly string[], fuzziness: number): string[] {
  const holds = (word: string): boolean =>
    asked.some(
      (each) =>
        each === word ||
        ([...each].length >= 3 && distanceOf(each, word) <= Math.max(0, fuzziness)),
    );
  return wordsOf(text).filter(holds);
}

export function markedWords(passage: string): string[] {
  return [...passage.matchAll(/<em>(.*?)<\/em>/g)].flatMap(([, word = ""]) => wordsOf(word));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

/** A passage without tags and encoding. */
export function plain(passage: string): string {
  return passage
    .replace(/<\/?em>/g, "")
    .replace(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

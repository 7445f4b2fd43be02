import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import type { JsonObject, OracleTable } from "../oracle/model.js";
import { evaluateSearch, type OracleHit, type OracleSearch } from "../oracle/search.js";
import { branchPath, named, type Scene } from "./scene.js";

interface TableHit extends OracleHit {
  readonly table: string;
}

export function hitsIn(table: OracleTable, given: OracleSearch, n?: number): TableHit[] {
  const ids = new Set(idsOf(recordsWith(table, n)));
  return evaluateSearch(table, given)
    .filter(({ id }) => ids.has(id))
    .map((hit) => ({ ...hit, table: table.name }));
}

/** The total of an empty query: of all records that the filter matches. */
export function countIn(table: OracleTable, n?: number): number {
  return recordsWith(table, n).length;
}

function recordsWith({ records }: OracleTable, n?: number): OracleTable["records"] {
  return records.filter(({ columns }) => n === undefined || columns.n === n);
}

interface Hit extends TableHit {
  readonly highlight: Json;
}

interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly totalCount: number;
}

export async function search(
  scene: Scene,
  body: JsonObject,
  path: string = branchPath("/tables/docs/search"),
): Promise<SearchAnswer> {
  const answer = await scene.send(
    { method: "POST", path, body },
    { status: 200, at: { "/records": { $type: "array" }, "/totalCount": { $type: "integer" } } },
  );
  const metadata = scene.traits.profile.metadataColumn;
  const records = readPointer(answer.body, "/records") as readonly JsonObject[]; // checked above
  const hits = records.map((record) => ({
    id: String(record.id),
    table: String(readPointer(record, `/${metadata}/table`)),
    score: Number(readPointer(record, `/${metadata}/score`)),
    highlight: (readPointer(record, `/${metadata}/highlight`) ?? null) as Json, // from JSON
  }));
  return { hits, totalCount: Number(readPointer(answer.body, "/totalCount")) };
}

export function requestOf({ weights, ...given }: OracleSearch): JsonObject {
  if (weights === undefined) return { ...given };
  const target = Object.entries(weights).map(([column, weight]) =>
    column === "*" ? column : { column, weight },
  );
  return { ...given, target };
}

const NEARLY = 1e-9;

/**
 * Compares hits: by descending score, then table, then id. Scores are compared relative to `least`,
 * the greatest addend. The first `size` hits may be any of those that are nearly equal; `total` is
 * the number of all.
 */
export function compareHits(
  scene: Scene,
  { hits }: SearchAnswer,
  wanted: readonly TableHit[],
  {
    least = 0,
    size = wanted.length,
    total = wanted.length,
  }: { readonly least?: number; readonly size?: number; readonly total?: number | undefined } = {},
): void {
  const [count, ids] = [Math.min(size, wanted.length), idsOf(wanted)];
  if (count === ids.length) {
    scene.expect({ ids: { unordered: ids } }, "a search returns exactly the matches");
  }
  scene.expect({ at: { "/totalCount": total }, count }, "a search counts exactly the matches");
  const scores = new Map(wanted.map(({ table, id, score }) => [`${table} ${id}`, score]));
  const lowest = [...scores.values()].sort((a, b) => b - a)[count - 1] ?? 0;
  for (const [i, hit] of hits.entries()) {
    const right = scores.get(`${hit.table} ${hit.id}`) ?? Number.NaN;
    const tolerance = NEARLY * Math.max(Math.abs(right), least);
    if (!(Math.abs(hit.score - right) <= tolerance && right >= lowest - tolerance)) {
      const at = { [`/records/${i}/${named("meta")}/score`]: right };
      scene.expect({ at }, `the score of ${hit.id}`);
    }
    const before = hits[i - 1];
    if (before === undefined || comesBefore(before, hit)) continue;
    scene.fail("hits are sorted by descending score, table and id", ids, idsOf(hits));
  }
}

/** Compares the hits of a branch search. */
export async function compareBranchHits(
  scene: Scene,
  branch: string,
  body: JsonObject,
  wanted: readonly TableHit[],
): Promise<void> {
  const path = branchPath("/search", branch);
  if (body.query !== "") return compareHits(scene, await search(scene, body, path), wanted);
  await scene.send({ method: "POST", path, body }, { status: 400 });
}

function comesBefore(a: TableHit, b: TableHit): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.table === b.table ? a.id < b.id : a.table < b.table;
}

export function idsOf(hits: readonly { readonly id: string }[]): string[] {
  return hits.map(({ id }) => id);
}

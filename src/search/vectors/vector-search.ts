import { refuse } from "../../errors.js";
import { eachSetBit, setLiveRows } from "../../query/filter/kernels.js";
import type { QueryRun } from "../../query/query-run.js";
import { addMetadata } from "../../schema/record-names.js";
import { readBySchema } from "../../shape/read.js";
import { CHUNK_WORDS, ordinalOf } from "../../storage/chunk.js";
import { checkEvery } from "../../value/check-every.js";
import type { SearchedTable } from "../bind/bind-table.js";
import { bindNarrow, createWholeRecords, resolveColumn } from "../query-seam.js";
import type { SearchAnswer } from "../run-search.js";
import { TopHits } from "../score/top-hits.js";
import { compileSimilarity } from "./similarity.js";
import { VECTOR_SEARCH, type VectorRequest } from "./vector-request.js";

/** Finds the records with the most similar vectors (section V) by an exact full scan. */
export function runVectorSearch(table: SearchedTable, request: unknown): SearchAnswer {
  const { run, name } = table;
  const parsed = readBySchema(VECTOR_SEARCH, request);
  const slot = bindVectorColumn(run, parsed);
  const narrow = parsed.filter === undefined ? undefined : bindNarrow(run, parsed.filter);
  // the reader required numbers
  const query = Float64Array.from(parsed.queryVector.value as readonly number[]);
  const similarity = compileSimilarity(parsed.similarity, query);
  const top = new TopHits(parsed.size, (row) => run.table.idAt(row));
  const rows = new Uint32Array(CHUNK_WORDS);
  const check = checkEvery(run.checkTime);
  let totalCount = 0;
  for (const [place, chunk] of run.table.chunks.entries()) {
    const vector = chunk.vectors[slot];
    if (vector?.kind !== "value") continue;
    run.checkTime?.();
    setLiveRows(rows, chunk);
    narrow?.(chunk, rows);
    const base = ordinalOf(place, 0);
    eachSetBit(rows, CHUNK_WORDS, (row) => {
      const numbers = vector.values[row]!;
      if (!(numbers instanceof Float64Array)) return;
      totalCount++;
      check();
      top.offer(base + row, similarity(numbers));
    });
  }
  const hits = top.toSorted();
  const records = createWholeRecords(run)(hits.map(({ row }) => row));
  for (const [index, { score }] of hits.entries()) {
    addMetadata(records[index]!, run.profile, { table: name, score });
  }
  return { records, totalCount };
}

function bindVectorColumn(run: QueryRun, { column, queryVector }: VectorRequest): number {
  const ref = resolveColumn(run, column);
  if (ref.type !== "vector" || ref.hops.length > 0) {
    const found = ref.hops.length > 0 ? "one of a linked table" : ref.type;
    refuse("invalid_request", `column [${ref.path}]: expected a vector column, found ${found}`, {
      path: column.at,
      rule: "V-1",
    });
  }
  const { length } = queryVector.value as readonly number[]; // the reader required numbers
  if (length !== ref.dimension) {
    refuse(
      "invalid_request",
      `column [${ref.path}]: expected ${ref.dimension} numbers, found ${length}`,
      { path: queryVector.at, rule: "V-1" },
    );
  }
  return ref.slot;
}

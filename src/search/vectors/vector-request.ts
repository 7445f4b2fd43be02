import type { Profile } from "../../profile.js";
import {
  numberIn,
  oneOf,
  readFields,
  readLater,
  refuseAt,
  textFor,
  type Unbound,
} from "../request/fields.js";
import { DEFAULT_NEIGHBORS, NEIGHBORS, SIMILARITIES } from "../request/limits.js";
import type { SimilarityFunction } from "./similarity.js";

export interface VectorRequest {
  readonly column: Unbound;
  readonly queryVector: Unbound;
  readonly similarity: SimilarityFunction;
  readonly size: number;
  readonly filter: Unbound | undefined;
}

export function readVectorRequest(request: unknown, profile: Profile): VectorRequest {
  const readers = {
    column: (path: unknown, at: string) =>
      readLater(textFor("the path of a vector column", "V-1")(path, at), at),
    queryVector: readNumbers,
    similarityFunction: oneOf(SIMILARITIES, "V-2"),
    size: numberIn(NEIGHBORS, "V-1"),
    filter: readLater,
  };
  const fields = readFields(request === undefined ? {} : request, "", readers, profile);
  const { column, queryVector, similarityFunction = "cosineSimilarity" } = fields;
  if (column === undefined) return refuseAt("a value", column, "/column", "V-1");
  if (queryVector === undefined) return refuseAt("a value", queryVector, "/queryVector", "V-1");
  const { size = DEFAULT_NEIGHBORS, filter } = fields;
  return { column, queryVector, similarity: similarityFunction, size, filter };
}

function readNumbers(value: unknown, at: string): Unbound {
  if (!Array.isArray(value)) return refuseAt("an array of numbers", value, at, "V-1");
  // Not `every`: it skips holes.
  const wrong = Array.from(value as readonly unknown[]).findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) return refuseAt("a finite number", value[wrong], `${at}/${wrong}`, "V-1");
  return { value, at };
}

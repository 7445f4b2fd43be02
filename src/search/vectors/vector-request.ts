import type { Profile } from "../../profile.js";
import {
  oneOf,
  readFields,
  readLater,
  refuseAt,
  textFor,
  type Unbound,
  wholeNumber,
} from "../request/fields.js";
import type { SimilarityFunction } from "./similarity.js";

export interface VectorRequest {
  readonly column: Unbound;
  readonly queryVector: Unbound;
  readonly similarity: SimilarityFunction;
  readonly size: number;
  readonly filter: Unbound | undefined;
}

const DEFAULT_SIZE = 10;
const MAX_SIZE = 1000;

export function readVectorRequest(request: unknown, profile: Profile): VectorRequest {
  const readers = {
    column: (path: unknown, at: string) =>
      readLater(textFor("the path of a vector column", "V-1")(path, at), at),
    queryVector: readNumbers,
    similarityFunction: oneOf(["cosineSimilarity", "l1", "l2"], "V-2"),
    size: wholeNumber(1, MAX_SIZE, "V-1"),
    filter: readLater,
  };
  const fields = readFields(request === undefined ? {} : request, "", readers, profile);
  const { column, queryVector, similarityFunction = "cosineSimilarity" } = fields;
  if (column === undefined) return refuseAt("a value", column, "/column", "V-1");
  if (queryVector === undefined) return refuseAt("a value", queryVector, "/queryVector", "V-1");
  const { size = DEFAULT_SIZE, filter } = fields;
  return { column, queryVector, similarity: similarityFunction, size, filter };
}

function readNumbers(value: unknown, at: string): Unbound {
  if (!Array.isArray(value)) return refuseAt("an array of numbers", value, at, "V-1");
  // Not `every`: it skips holes.
  const wrong = Array.from(value as readonly unknown[]).findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) return refuseAt("a finite number", value[wrong], `${at}/${wrong}`, "V-1");
  return { value, at };
}

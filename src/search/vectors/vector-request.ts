import * as s from "../../shape/schema.js";
import { isArray } from "../../value/json.js";
import {
  columnOf,
  FILTER,
  missingValue,
  numberOf,
  objectOf,
  oneOf,
  type Reader,
  type RequestContext,
  refuseAt,
  type Unbound,
} from "../request/fields.js";
import { SIMILARITIES, type SimilarityFunction } from "./similarity.js";

export interface VectorRequest {
  readonly column: Unbound;
  readonly queryVector: Unbound;
  readonly similarity: SimilarityFunction;
  readonly size: number;
  readonly filter: Unbound | undefined;
}

const NUMBERS: Reader<Unbound> = {
  schema: s.arrayOf(s.NUMBER),
  read(value, at) {
    if (!isArray(value)) return refuseAt("an array of numbers", value, at, "V-1");
    // Not `every`: it skips holes.
    const wrong = Array.from(value as readonly unknown[]).findIndex((x) => !Number.isFinite(x));
    if (wrong >= 0) return refuseAt("a finite number", value[wrong], `${at}/${wrong}`, "V-1");
    return { value, at };
  },
};

const VECTOR_SEARCH = objectOf(
  { column: columnOf("the path of a vector column", "V-1"), queryVector: NUMBERS },
  {
    similarityFunction: oneOf(SIMILARITIES, "V-2"),
    size: numberOf(s.wholeOf(1, 1000, "Default 10."), "V-1"),
    filter: FILTER,
  },
  missingValue("V-1"),
);

export const VECTOR_SEARCH_SCHEMA: s.Schema = s.named("VectorSearchRequest", VECTOR_SEARCH.schema);

export function readVectorRequest(request: unknown, context: RequestContext): VectorRequest {
  const fields = VECTOR_SEARCH.read(request === undefined ? {} : request, "", context);
  const { similarityFunction: similarity = "cosineSimilarity", size = 10, filter } = fields;
  return { column: fields.column, queryVector: fields.queryVector, similarity, size, filter };
}

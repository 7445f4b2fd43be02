import * as s from "../../shape/schema.js";
import { columnOf, columnPath, UNBOUND_FILTER, type Unbound } from "../request/unbound.js";
import { SIMILARITIES, type SimilarityFunction } from "./similarity.js";

export interface VectorRequest {
  readonly column: Unbound;
  readonly queryVector: Unbound;
  readonly similarity: SimilarityFunction;
  readonly size: number;
  readonly filter: Unbound | undefined;
}

const NUMBERS = s.arrayOf(s.reading(s.NUMBER, { expected: "a finite number" }));

export const VECTOR_SEARCH: s.Schema<VectorRequest> = s.named(
  "VectorSearchRequest",
  s.mapped(
    s.reading(
      s.objectOf(
        {
          column: columnPath("the path of a vector column", "V-1"),
          queryVector: columnOf(s.reading(NUMBERS, { expected: "an array of numbers" })),
        },
        {
          similarityFunction: s.reading(s.oneOf(SIMILARITIES), { rule: "V-2" }),
          size: s.wholeOf(1, 100, "Default 10."),
          filter: UNBOUND_FILTER,
        },
      ),
      { rule: "V-1" },
    ),
    ({ similarityFunction: similarity = "cosineSimilarity", size = 10, filter, ...fields }) => {
      return { ...fields, similarity, size, filter };
    },
  ),
);

import { describe, refuse } from "../../errors.js";
import type { ColumnRef } from "../../query/bound/bound-query.js";
import { eachSetBit } from "../../query/filter/kernels.js";
import { createRead, type QueryRun } from "../../query/query-run.js";
import { coercePlain } from "../../schema/coerce.js";
import { CHUNK_WORDS, type Chunk } from "../../storage/chunk.js";
import type { Instant } from "../../value/datetime.js";
import { bindNarrow, type Narrow, resolveColumn } from "../query-seam.js";
import type { Effect, ParsedBooster } from "../request/read-booster.js";

/** Adds a booster's effect to the scores of the rows whose bits are set. */
export type Boost = (chunk: Chunk, base: number, rows: Uint32Array, scores: Float64Array) => void;

/** Column types that a booster accepts, as in the client's types. */
const TYPES: Readonly<Record<Effect["kind"], readonly ColumnRef["type"][]>> = {
  value: ["bool", "int", "float", "id", "string", "text", "email"],
  number: ["int", "float"],
  date: ["datetime"],
};

/** Binds the column of a booster; `bindFilter` binds its filter later (E-6). */
export function bindBooster(
  run: QueryRun,
  booster: ParsedBooster,
  now: () => Instant,
): { readonly bindFilter: () => Boost } {
  const ref = resolveColumn(run, booster.column);
  const types = TYPES[booster.kind];
  if (ref.type === "object" || !types.includes(ref.type)) {
    const expected = types.join(", ");
    refuse("invalid_request", `column [${ref.path}]: expected ${expected}, found ${ref.type}`, {
      path: booster.column.at,
      rule: "Q-5",
    });
  }
  const effect = compileEffect(ref, booster, now);
  return {
    bindFilter: () => {
      const { filter } = booster;
      const narrow = filter === undefined ? undefined : bindNarrow(run, filter);
      return createBoost(run, ref, effect, narrow);
    },
  };
}

function createBoost(
  run: QueryRun,
  ref: ColumnRef,
  effect: (value: unknown) => number,
  narrow: Narrow | undefined,
): Boost {
  const read = createRead(run, ref);
  return (chunk, base, rows, scores) => {
    const matching = narrow === undefined ? rows : rows.slice();
    narrow?.(chunk, matching);
    eachSetBit(matching, CHUNK_WORDS, (row) => {
      const value = read(base + row);
      const boosted = scores[row]! + (value === null ? 0 : effect(value));
      if (Number.isFinite(boosted)) scores[row] = boosted; // non-finite results add nothing
    });
  };
}

function compileEffect(
  ref: ColumnRef,
  booster: ParsedBooster,
  now: () => Instant,
): (value: unknown) => number {
  const { factor } = booster;
  switch (booster.kind) {
    case "value": {
      const expected = coerceWanted(ref, booster.value.value, booster.value.at);
      return (value) => (value === expected ? factor : 0);
    }
    case "number":
      // TYPES allows only number columns here.
      return (value) => booster.modify(factor * (value as number));
    case "date": {
      const { origin = now(), scaleMs, decay } = booster;
      return (value) => {
        const { ms, micros } = value as Instant; // datetime columns hold instants
        const distance = Math.abs(ms - origin.ms + (micros - origin.micros) / 1000);
        return factor * decay ** (distance / scaleMs);
      };
    }
  }
}

function coerceWanted(ref: ColumnRef, value: unknown, at: string): unknown {
  const isText = ref.type !== "bool" && ref.type !== "int" && ref.type !== "float";
  const coerced = isText
    ? typeof value === "string"
      ? value
      : undefined
    : coercePlain({ type: ref.type as "bool" | "int" | "float", dimension: undefined }, value);
  if (coerced !== undefined) return coerced;
  return refuse(
    "invalid_request",
    `column [${ref.path}]: expected a value of its type, ${ref.type}, found ${describe(value)}`,
    { path: at, rule: "Q-5" },
  );
}

import type { Json } from "../../types.js";
import { type JsonObject, ownValue } from "./model.js";
import type { OracleHit } from "./search.js";
import { instantOf } from "./values.js";

interface BoosterColumn {
  readonly column: string;
  readonly factor: number;
  /** Limits the booster; `holds` evaluates the filter. Default all records. */
  readonly only?: { readonly filter: JsonObject; readonly holds: (columns: JsonObject) => boolean };
}

/** A booster of a search. */
export type OracleBooster = BoosterColumn &
  (
    | { readonly kind: "valueBooster"; readonly value: Json }
    | { readonly kind: "numericBooster"; readonly modifier?: Modifier }
    | {
        readonly kind: "dateBooster";
        /** RFC 3339. */
        readonly origin: string;
        readonly days: number;
        readonly decay: number;
      }
  );

type Modifier = "none" | "log" | "log1p" | "ln" | "ln1p" | "square" | "sqrt" | "reciprocal";

const MODIFY: { readonly [modifier in Modifier]: (value: number) => number } = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(1 + value),
  ln: Math.log,
  ln1p: (value) => Math.log(1 + value),
  square: (value) => value ** 2,
  sqrt: (value) => value ** 0.5,
  reciprocal: (value) => value ** -1,
};

export const MODIFIERS: readonly Modifier[] = Object.keys(MODIFY) as Modifier[]; // its keys

const DAY_MICROS = 86_400_000_000;

/** Adds boosters to hits; sorts by descending score, then id. */
export function boostHits(
  hits: readonly OracleHit[],
  columnsOf: ReadonlyMap<string, JsonObject>,
  boosters: readonly OracleBooster[],
): OracleHit[] {
  const boosted = hits.map(({ id, score }) => {
    let sum = score;
    for (const booster of boosters) {
      const added = boostOf(booster, columnsOf.get(id) ?? {});
      if (Number.isFinite(added)) sum += added;
    }
    return { id, score: sum };
  });
  return boosted.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function boostOf(booster: OracleBooster, columns: JsonObject): number {
  const { column, factor, only } = booster;
  const value = ownValue(columns, column);
  if (value === null || only?.holds(columns) === false) return 0;
  if (booster.kind === "valueBooster") return value === booster.value ? factor : 0;
  if (booster.kind === "numericBooster") {
    return MODIFY[booster.modifier ?? "none"](factor * Number(value));
  }
  const micros = Math.abs(Number(instantOf(String(value)) - instantOf(booster.origin)));
  return factor * booster.decay ** (micros / (DAY_MICROS * booster.days));
}

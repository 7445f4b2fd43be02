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

export type Modifier = (typeof MODIFIERS)[number];

export const MODIFIERS = [
  "none",
  "log",
  "log1p",
  "ln",
  "ln1p",
  "square",
  "sqrt",
  "reciprocal",
] as const;

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
  if (booster.kind === "numericBooster") return modify(factor * Number(value), booster.modifier);
  const micros = Math.abs(Number(instantOf(String(value)) - instantOf(booster.origin)));
  return factor * booster.decay ** (micros / (DAY_MICROS * booster.days));
}

function modify(value: number, modifier: Modifier = "none"): number {
  switch (modifier) {
    case "none":
      return value;
    case "log":
      return Math.log10(value);
    case "log1p":
      return Math.log10(1 + value);
    case "ln":
      return Math.log(value);
    case "ln1p":
      return Math.log(1 + value);
    case "square":
      return value ** 2;
    case "sqrt":
      return value ** 0.5;
    case "reciprocal":
      return value ** -1;
  }
}

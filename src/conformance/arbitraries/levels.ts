import { OPERATOR_NAMES, OPERATORS } from "../../schema/operators.js";
import { isWithinTier, type Tier } from "../rules.js";
import type { TargetTraits } from "../target/target.js";

/** The feature that a level needs. */
export const NEEDS: { readonly [level: string]: string } = {
  "path object": "type object",
  "path link": "type link",
  "path links": "type link",
  "order linked": "type link",
  "order ties": "order random",
  "columns object": "type object",
  "columns bare": "type link",
  "columns link": "type link",
  "columns reverse": "type link",
  "columns reverse page": "type link",
  "skip first": "page offset",
  "skip last": "page offset",
};

const CONNECTIVES = OPERATOR_NAMES.filter((name) => OPERATORS[name].operand === "conditions");
const CHAINS = CONNECTIVES.flatMap((outer) => CONNECTIVES.map((inner) => `${outer} ${inner}`));
const BELOW = [...CONNECTIVES, ...CHAINS].map((names) => `below ${names}`);
/** The operators around a filter, or around the condition below its path. */
export const COMBINATORS: readonly string[] = ["bare", ...CONNECTIVES, ...CHAINS, ...BELOW];

/** Levels that a tier adds to the ones before it; the others are `core`. */
const TIER_OF: { readonly [level: string]: Tier } = {
  ...tierOf("complete", "type", ["id", "bool", "float"]),
  ...tierOf("complete", "literal", ["null", "empty", "list"]),
  ...tierOf("complete", "path", ["link", "links"]),
  ...tierOf("complete", "page", ["previous", "first", "last", "rest", "range", "back", "offset"]),
  ...tierOf("complete", "skip", ["first", "last"]),
  ...tierOf("complete", "order", ["linked"]),
  ...tierOf("complete", "combinator", [...CHAINS, ...BELOW]),
  "nulls some": "complete",
  ...tierOf("strict", "type", ["text", "json", "vector", "file", "file[]"]),
  ...tierOf("strict", "operator", ["$iContains", "$iPattern", "$existsNot"]),
  ...tierOf("strict", "order", ["none", "random", "ties"]),
  ...tierOf("strict", "path", ["json", "metadata"]),
  ...tierOf("strict", "columns", ["reverse", "reverse page"]),
};

function tierOf(tier: Tier, factor: string, levels: readonly string[]): { [level: string]: Tier } {
  return Object.fromEntries(levels.map((level) => [`${factor} ${level}`, tier]));
}

/** Whether a tier uses a level; without a tier all are used. */
export function isInTier(feature: string, tier: Tier = "strict"): boolean {
  return isWithinTier(TIER_OF[feature] ?? "core", tier);
}

/** A target and the highest tier of a run. */
export interface Traits extends Pick<TargetTraits, "profile" | "lacks" | "capabilities"> {
  readonly tier: Tier;
}

/** Lists the levels that a target has. */
export function levelsOf(
  { lacks, capabilities, tier }: Traits,
  factor: string,
  levels: readonly string[],
): string[] {
  return levels.filter((level) => {
    const feature = `${factor} ${level}`;
    const isFile = factor === "type" && level.startsWith("file");
    const combined = factor === "combinator" ? (level.match(/\$\w+/g) ?? []) : [];
    return (
      !lacks.has(feature) &&
      !lacks.has(NEEDS[feature] ?? "") &&
      !combined.some((name) => lacks.has(`operator ${name}`)) &&
      isInTier(feature, tier) &&
      !(isFile && !capabilities.has("files"))
    );
  });
}

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LAWS } from "../../../src/conformance/laws/all.js";
import { isRuleId, isWithinTier, RULES, type Tier } from "../../../src/conformance/rules.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { findFaults, type Schema } from "./schema.js";

const tierOf: ReadonlyMap<string, Tier> = new Map(RULES.map(({ id, tier }) => [id, tier]));
const files = loadVectors();
const vectors = files.flatMap((file) => file.vectors);
const schema = JSON.parse(
  readFileSync(new URL("../../../vectors/schema.json", import.meta.url), "utf8"),
) as Schema;

describe("the vectors", () => {
  it("fit their published schema", () => {
    expect(files.flatMap((file) => findFaults(schema, schema, file, file.title))).toEqual([]);
  });

  it("would not fit it with a key that it does not know", () => {
    const [file] = files;
    const [vector] = file?.vectors ?? [];
    const wrong = { ...file, vectors: [{ ...vector, nmae: "x" }] };
    expect(findFaults(schema, schema, wrong)).toEqual(["/vectors/0/nmae: is unknown"]);
  });

  it("are at least three hundred, each with a name of its own", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(300);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });

  it("speak of every rule and of no other", () => {
    const spoken = new Set<string>(vectors.flatMap(({ rules }) => rules));
    expect(RULES.filter(({ id }) => !spoken.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...spoken].filter((id) => !isRuleId(id))).toEqual([]);
  });

  it("check no rule before the tier it begins in", () => {
    expect(findEarly(vectors).map(({ name }) => name)).toEqual([]);
  });

  it("name fixtures of their files", () => {
    const lost = files.flatMap(({ fixtures = {}, vectors }) =>
      vectors.filter(({ data }) => data !== undefined && !Object.hasOwn(fixtures, data)),
    );
    expect(lost.map(({ name }) => name)).toEqual([]);
  });
});

describe("the laws", () => {
  it("have names of their own, and rules that there are", () => {
    expect(new Set(LAWS.map(({ id }) => id)).size).toBe(LAWS.length);
    expect(LAWS.flatMap(({ rules }) => rules).filter((id) => !isRuleId(id))).toEqual([]);
  });

  it("check no rule before the tier it begins in", () => {
    expect(findEarly(LAWS).map(({ id }) => id)).toEqual([]);
  });
});

/** Checks whose main rule says nothing yet in their tier. */
function findEarly<C extends { readonly rules: readonly string[]; readonly tier: Tier }>(
  checks: readonly C[],
): C[] {
  return checks.filter(
    ({ rules, tier }) => !isWithinTier(tierOf.get(rules[0] ?? "") ?? "strict", tier),
  );
}

describe("the rules", () => {
  it("have a number and a meaning of their own", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(new Set(RULES.map(({ meaning }) => meaning)).size).toBe(RULES.length);
    for (const { id, meaning } of RULES) {
      expect(id).toMatch(/^[NTRPFSGBMDUELXQV]-\d+$/);
      expect(meaning).toMatch(/^\S.+\.$/);
    }
  });
});

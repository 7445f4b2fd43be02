import { describe, expect, it } from "vitest";
import { interactionsOf } from "../../../src/conformance/arbitraries/covering.js";
import {
  featureGroups,
  featureRows,
  TRIPLES,
} from "../../../src/conformance/arbitraries/features.js";
import type { Traits } from "../../../src/conformance/arbitraries/levels.js";
import { neighbourRows } from "../../../src/conformance/arbitraries/neighbours.js";
import { PAGES } from "../../../src/conformance/arbitraries/walk.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { resolveTraits } from "../../../src/conformance/target/target.js";
import { createEngine } from "../../../src/index.js";
import type { ProfileOption } from "../../../src/profile.js";
import { findOperator, OPERATOR_NAMES } from "../../../src/schema/operators.js";
import { COLUMN_TYPES } from "../../../src/schema/traits.js";
import { PAIR_BUGS } from "./pair-bugs.js";
import { createTarget } from "./wrap.js";

const LAW = "law:features-equal-the-oracle";

const traitsOf = (profile: ProfileOption, tier: Traits["tier"] = "strict"): Traits => ({
  ...resolveTraits({ engine: createEngine({ profile }) }),
  tier,
});

/** Every pair and triple, without choosing rows. */
function listInteractions(traits: Traits): Set<string> {
  const groups = featureGroups(traits);
  const all = groups.flat().flatMap((row) => interactionsOf(row, TRIPLES));
  for (const [i, group] of groups.entries()) {
    const others = groups.slice(i + 1).flat();
    for (const [factor, levels] of levelsOf(group)) {
      for (const level of levels) {
        for (const [other, more] of levelsOf(others)) {
          for (const each of more) all.push(`${factor} ${level} × ${other} ${each}`);
        }
      }
    }
  }
  return new Set(all);
}

function levelsOf(rows: readonly Readonly<Record<string, string>>[]): Map<string, Set<string>> {
  const levels = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const [factor, level] of Object.entries(row)) {
      levels.set(factor, (levels.get(factor) ?? new Set()).add(level));
    }
  }
  return levels;
}

const isInteraction = (feature: string): boolean => !feature.includes("≠");

/** The combinations in which operators, orders and offsets are told from their neighbours. */
function listContrasts(traits: Traits): Set<string> {
  const neighbours = featureRows(traits).telling.flatMap((row) => neighbourRows(traits, row));
  return new Set(neighbours.flatMap(({ names }) => names));
}

describe("features of queries", () => {
  const requirePairs = async (profile: ProfileOption): Promise<void> => {
    const wanted = listInteractions(traitsOf(profile));
    expect(wanted.size).toBeGreaterThan(2000);
    const engine = createEngine({ profile, seed: 1, now: 0 });
    const { features, conforms } = await runConformance({ engine }, { vectors: [], only: [LAW] });
    expect(conforms).toBe(true);
    expect(new Set(features.filter(isInteraction))).toEqual(wanted);
    const told = new Set(features.filter((each) => !isInteraction(each)));
    const contrasts = listContrasts(traitsOf(profile));
    expect(contrasts.size).toBeGreaterThan(2000);
    expect([...contrasts]).toEqual(expect.arrayContaining([...told]));
    expect(told.size / contrasts.size).toBeGreaterThan(0.93);
  };

  it("all pairs are covered by a default run", () => requirePairs("documented"));

  it.each<ProfileOption>([
    "xata",
    { base: "documented", nullComparison: "sql" },
    { base: "xata", nullComparison: "complement" },
  ])("all pairs are covered by a default run, under %j", { tags: ["slow"] }, requirePairs);

  it("come from the tables of operators, types and pages", () => {
    const levels = levelsOf(featureGroups(traitsOf("xata")).flat());
    const operators = OPERATOR_NAMES.filter((name) => findOperator(name, "xata") !== undefined);
    expect([...(levels.get("operator") ?? [])].sort()).toEqual(operators.toSorted());
    expect([...(levels.get("type") ?? [])].sort()).toEqual(["id", ...COLUMN_TYPES].sort());
    expect([...(levels.get("page") ?? [])].sort()).toEqual(
      [...Object.keys(PAGES), "offset"].sort(),
    );
  });

  const requireFewer = async (tier: "core" | "complete"): Promise<void> => {
    const engine = createEngine({ seed: 1, now: 0 });
    const options = { vectors: [], only: [LAW], tiers: [tier] };
    const { features, conforms } = await runConformance({ engine }, options);
    expect(conforms).toBe(true);
    const wanted = listInteractions(traitsOf("documented", tier));
    expect(new Set(features.filter(isInteraction))).toEqual(wanted);
    expect(features.some((each) => /type json|order random/.test(each))).toBe(false);
  };

  it("fewer are used in tier core", () => requireFewer("core"));

  it("fewer are used in tier complete", { tags: ["slow"] }, () => requireFewer("complete"));

  it("a counterexample has one condition, few records and its own rules", async () => {
    const bug = PAIR_BUGS.find(({ name }) => name === "$iPattern of a long text");
    const target = createTarget(bug?.wrap);
    const { divergences, causes, rules } = await runConformance(target, {
      vectors: [],
      only: [LAW],
      failFast: true,
    });
    expect(divergences[0]?.rules[0]).toBe("F-11");
    expect(divergences[0]?.rules).not.toContain("G-9");
    expect(causes[0]?.meaning).toMatch(/^\$pattern matches the whole text/);
    const { tables } = divergences[0]?.counterexample.fixture ?? { tables: [] };
    expect(tables.flatMap(({ records }) => records).length).toBeLessThanOrEqual(2);
    expect(rules.find(({ id }) => id === "G-9")?.verdict).toBe("uncovered");
  });
});

describe("bugs that need two features", { tags: ["slow"] }, () => {
  it("are 48, with unique names", () => {
    expect(new Set(PAIR_BUGS.map(({ name }) => name)).size).toBe(48);
  });

  it("are told apart in one target: each cause once, with its smallest example", async () => {
    const bugs = PAIR_BUGS.slice(0, 25);
    const target = createTarget((next) => bugs.reduce((inner, { wrap }) => wrap(inner), next));
    const { divergences, causes } = await runConformance(target, { vectors: [], only: [LAW] });
    expect(causes.length).toBeGreaterThanOrEqual(8);
    // The first of a law is always shown.
    expect(divergences.length).toBeLessThanOrEqual(causes.length + 1);
    for (const { counterexample } of divergences) {
      const records = counterexample.fixture.tables.flatMap((table) => table.records);
      expect(records.length).toBeLessThanOrEqual(4);
    }
  });

  it.each(PAIR_BUGS)("$name is found", async (bug) => {
    const { divergences } = await runConformance(createTarget(bug.wrap, bug), {
      vectors: [],
      only: [LAW],
      failFast: true,
    });
    expect(divergences).toHaveLength(1);
  });
});

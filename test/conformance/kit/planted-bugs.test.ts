import { afterAll, describe, expect, it } from "vitest";
import type { Divergence } from "../../../src/conformance/report/report.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.js";
import { createTarget } from "./wrap.js";

const vectors = loadVectors();
const MOST_RECORDS = 3;

interface Found {
  readonly bug: string;
  readonly rule: string;
  readonly check: string;
  readonly records: number;
  readonly milliseconds: number;
}

function countRecords({ counterexample }: Divergence): number {
  return counterexample.fixture.tables.reduce((sum, { records }) => sum + records.length, 0);
}

/** Runs the checks of the rules that a bug breaks, until one finds it with few records. */
async function hunt(bug: PlantedBug): Promise<Found | undefined> {
  const target = createTarget(bug.wrap, bug);
  const began = performance.now();
  // Further checks, and further causes of a law, only if the first example is too large.
  const tries = bug.rules.flatMap((rule) => [true, false].map((failFast) => ({ rule, failFast })));
  for (const { rule, failFast } of tries) {
    const stop = new AbortController();
    const onDivergence = (divergence: Divergence): void => {
      if (countRecords(divergence) <= MOST_RECORDS) stop.abort();
    };
    const options = { vectors, only: [rule], failFast, signal: stop.signal, onDivergence };
    const { divergences } = await runConformance(target, options);
    const shown = divergences.find((each) => countRecords(each) <= MOST_RECORDS);
    if (shown === undefined) continue;
    const milliseconds = Math.round(performance.now() - began);
    return { bug: bug.name, rule, check: shown.check, records: countRecords(shown), milliseconds };
  }
  return undefined;
}

describe("planted bugs", () => {
  const table: Found[] = [];
  afterAll(() => {
    console.table(table);
  });

  it("are at least a hundred, with unique names", () => {
    expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(100);
    expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length);
  });

  // Before a commit, the first bug of each section.
  const sections = PLANTED_BUGS.map(({ rules }) => rules[0]?.split("-")[0]);
  const cases = PLANTED_BUGS.map((bug, i) => ({
    ...bug,
    bug,
    isSlow: sections.indexOf(sections[i]) !== i,
  }));
  for (const isSlow of [false, true]) {
    it.each(cases.filter((each) => each.isSlow === isSlow))(
      "$rules: $name",
      { tags: isSlow ? ["slow"] : [] },
      async ({ bug }) => {
        const found = await hunt(bug);
        expect(found, "no check finds it with three records or fewer").toBeDefined();
        if (found !== undefined) table.push(found);
      },
    );
  }
});

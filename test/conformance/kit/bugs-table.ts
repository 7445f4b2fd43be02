// Writes docs/planted-bugs.md: by which rule the kit finds each planted bug, and how fast (scripts/bugs-table.mjs).
import { writeFileSync } from "node:fs";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { CONCURRENT_BUGS } from "./concurrent-bugs.js";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.js";
import { createTarget, type Wrap } from "./wrap.js";

const vectors = loadVectors();

interface Row {
  readonly bug: string;
  readonly rule: string;
  readonly check: string;
  readonly seconds: number;
}

async function hunt(
  name: string,
  wrap: Wrap,
  settings: Pick<PlantedBug, "engineProfile"> & { only?: readonly string[] } = {},
): Promise<Row> {
  const { engineProfile, only } = settings;
  const began = performance.now();
  const { divergences } = await runConformance(
    createTarget(wrap, engineProfile === undefined ? {} : { engineProfile }),
    { vectors, failFast: true, ...(only === undefined ? {} : { only, concurrent: true }) },
  );
  const [found] = divergences;
  if (found === undefined) throw new Error(`nothing shows: ${name}`);
  const seconds = Math.round((performance.now() - began) / 10) / 100;
  return { bug: name, rule: found.rules.join(", "), check: found.title, seconds };
}

const rows: Row[] = [];
for (const { name, wrap, engineProfile } of PLANTED_BUGS) {
  rows.push(await hunt(name, wrap, engineProfile === undefined ? {} : { engineProfile }));
}
const concurrent: Row[] = [];
for (const { name, wrap } of CONCURRENT_BUGS) {
  concurrent.push(await hunt(name, wrap, { only: ["concurrent"] }));
}

const times = [...rows, ...concurrent].map(({ seconds }) => seconds).sort((a, b) => a - b);
const median = times[Math.floor(times.length / 2)] ?? 0;
const table = (some: readonly Row[]): string =>
  [
    "| bug | rules of the check that finds it | the check | seconds |",
    "|---|---|---|---:|",
    ...some.map(({ bug, rule, check, seconds }) =>
      `| ${bug} | ${rule} | ${check} | ${seconds.toFixed(2)} |`.replaceAll("\\", "\\\\"),
    ),
  ].join("\n");
const target = process.argv[2];
if (target === undefined) throw new Error("name the page to write");
writeFileSync(
  target,
  `# Bugs that the conformance kit finds

Services with one thing wrong each, and the check that shows it first in a run with \`--fail-fast\`: the
whole kit from its beginning, all rules, in the process, until the divergence has been made as small as
it gets. \`node scripts/bugs-table.mjs\` writes this page; \`test/conformance/kit\` holds that each bug
is found by its own rules too, with three records at most.

${times.length} bugs; the median is ${median.toFixed(2)} s, the longest ${(times.at(-1) ?? 0).toFixed(2)} s.

${table(rows)}

## What only clients at once can see

With \`--concurrent\`, by these checks alone.

${table(concurrent)}
`,
);
console.log({ bugs: times.length, median, longest: times.at(-1) });

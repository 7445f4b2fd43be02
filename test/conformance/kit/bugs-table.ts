// Writes reports/planted-bugs.md: by which rule the kit finds each planted bug, and how fast (scripts/bugs-table.mjs).
import { writeFileSync } from "node:fs";
import { runConformance } from "../../../src/conformance/runner/run.js";
import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { CONCURRENT_BUGS } from "./concurrent-bugs.js";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.js";
import { createTarget, type Wrap } from "./wrap.js";

const vectors = loadVectors();

interface Row {
  readonly bug: string;
  readonly rule: string;
  readonly check: string;
  readonly requests: number;
  readonly seconds: number;
}

async function hunt(
  name: string,
  wrap: Wrap,
  settings: Pick<PlantedBug, "engineProfile"> & { only?: readonly string[] } = {},
): Promise<Row> {
  const { engineProfile, only } = settings;
  const target = createTarget(wrap, engineProfile === undefined ? {} : { engineProfile });
  let requests = 0;
  const fetch: ServiceTarget["fetch"] = (url, init) => {
    requests++;
    return (target.fetch ?? globalThis.fetch)(url, init);
  };
  const began = process.cpuUsage();
  const { divergences } = await runConformance(
    { ...target, fetch },
    { vectors, failFast: true, ...(only === undefined ? {} : { only, concurrent: true }) },
  );
  const [found] = divergences;
  if (found === undefined) throw new Error(`nothing shows: ${name}`);
  const { user, system } = process.cpuUsage(began);
  const seconds = (user + system) / 1e6;
  return { bug: name, rule: found.rules.join(", "), check: found.title, requests, seconds };
}

const rows: Row[] = [];
for (const { name, wrap, engineProfile } of PLANTED_BUGS) {
  rows.push(await hunt(name, wrap, engineProfile === undefined ? {} : { engineProfile }));
}
const concurrent: Row[] = [];
for (const { name, wrap } of CONCURRENT_BUGS) {
  concurrent.push(await hunt(name, wrap, { only: ["concurrent"] }));
}

const all = [...rows, ...concurrent];
/** The middle one and the greatest. */
function summarize(numbers: readonly number[]): { median: number; most: number } {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}
const seconds = summarize(all.map((row) => row.seconds));
const requests = summarize(rows.map((row) => row.requests));
const table = (some: readonly Row[]): string =>
  [
    "| bug | rules of the check that finds it | the check | requests | seconds |",
    "|---|---|---|---:|---:|",
    ...some.map((row) =>
      `| ${row.bug} | ${row.rule} | ${row.check} | ${row.requests} | ${row.seconds.toFixed(2)} |`.replaceAll(
        "\\",
        "\\\\",
      ),
    ),
  ].join("\n");
const target = process.argv[2];
if (target === undefined) throw new Error("name the page to write");
writeFileSync(
  target,
  `# Bugs that the conformance kit finds

Services with one thing wrong each, and the check that shows it first in a run with \`--fail-fast\`: the
whole kit from its beginning, all rules, in the process, until the divergence has been made as small as
it gets. The requests are all that were sent until then, the seconds those of the processor.
\`node scripts/bugs-table.mjs\` writes this page; \`test/conformance/kit\` holds that each bug is found by
its own rules too, with three records at most.

${all.length} bugs; the median is ${seconds.median.toFixed(2)} s, the longest ${seconds.most.toFixed(2)} s. Of the first
table the median is ${requests.median} requests, the most ${requests.most}.

${table(rows)}

## What only clients at once can see

With \`--concurrent\`, by these checks alone.

${table(concurrent)}
`,
);
console.log({ bugs: all.length, seconds, requests });

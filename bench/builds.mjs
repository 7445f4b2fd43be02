#!/usr/bin/env node
// Compares the speed of two builds of this package, in processes that take turns with the same calls:
// node bench/builds.mjs <distA> <distB> [--rows 100000] [--rounds 9] [--workloads W1,W3]
// Prints the processor time of B as a multiple of A's for each workload: of the fastest rounds, and the
// median over the rounds.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./measure.mjs";
import { openSession } from "./session.mjs";
import { WORKLOADS } from "./workloads.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "9" },
    workloads: { type: "string" },
  },
});
if (positionals.length !== 2) throw new Error("name the folders of two builds");
const works = values.workloads?.split(",") ?? [
  ...WORKLOADS.map(({ id }) => id).filter((id) => id !== "W8"),
  ...["W3 tiny", "W11 tiny", "first query", "small engines"],
];
const rows = Number(values.rows);
const builds = positionals.map((dist) =>
  openSession("twinbase", { rows, env: { TWINBASE_DIST: resolve(dist) } }),
);
// The first round loads the rows.
for (const build of builds) await build.ask("build", { work: "W1", rows, round: 0 });
for (const work of works) {
  const times = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      times[side].push(await builds[side].ask("build", { work, rows, round }));
    }
  }
  const [a, b] = times.map((list) => Math.min(...list));
  const quotient = median(times[1].map((time, i) => time / times[0][i]));
  const [ofA, ofB] = [a, b].map((ms) => ms.toPrecision(3).padStart(9));
  console.log(
    `${work.padEnd(14)} A ${ofA} ms  B ${ofB} ms  B/A ${(b / a).toFixed(2)}  median ${quotient.toFixed(2)}`,
  );
}
for (const build of builds) await build.close();

// The time of a process until its hundredth answer over 1,000 rows, minus that of an empty process.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Equality, a range with a sort, part of a text, a member of a list, through a link with a sort. */
const SHAPES = ["W2", "W3", "W4", "W5", "W6"];
const ROWS = 1000;
const QUERIES = 100;
const TEAMS = 50;
const NOTHING = "nothing";

export const COLD_ENGINES = ["plain", "sqlite", "lokijs", "twinbase"];

const [, script, name, file] = process.argv;
const PROGRAM = fileURLToPath(import.meta.url);
if (script === PROGRAM) await answerAll(name, file);

/** The measured process imports only the engine before it answers. */
async function answerAll(engine, file) {
  const { teams, users, calls } = JSON.parse(readFileSync(file, "utf8"));
  const { ENGINES } = await import("../engines/index.mjs");
  const adapter = (await ENGINES[engine]?.())?.adapter;
  const answers = [];
  if (adapter !== undefined) {
    const instance = await adapter.create();
    await instance.load(teams, [users]);
    await instance.index?.();
    for (const [id, constants] of calls) answers.push([id, await instance.run[id](constants)]);
  }
  const ms = performance.now();
  const { digestAnswer } = await import("../answers.mjs");
  const { workloadById } = await import("../workloads.mjs");
  const digest = answers.map(([id, answer]) => digestAnswer(workloadById(id).kind, answer)).join();
  process.stdout.write(JSON.stringify({ digest, ms }), () => process.exit());
}

export async function measureCold({ engines, rounds, progress }) {
  const { median } = await import("../measure.mjs");
  const file = join(tmpdir(), `cold-${process.pid}.json`);
  await writeRows(file);
  const times = new Map([NOTHING, ...engines].map((engine) => [engine, []]));
  let expected = "";
  for (let round = 0; round < rounds; round++) {
    for (const [engine, spent] of times) {
      progress(`round ${round + 1} of ${rounds}: ${engine}`);
      const { digest, ms } = JSON.parse(execFileSync(process.execPath, [PROGRAM, engine, file]));
      expected ||= digest;
      if (engine !== NOTHING && digest !== expected) throw new Error(`${engine}: a wrong answer`);
      spent.push(ms);
    }
  }
  const emptyMs = median(times.get(NOTHING));
  const figures = engines.map((engine) => ({ engine, ms: median(times.get(engine)) - emptyMs }));
  return { rounds, emptyMs, figures };
}

/** Rows and queries, generated outside of the measured processes. */
async function writeRows(file) {
  const { makeTeams, makeUserBatches } = await import("../data.mjs");
  const { makeConstants, workloadById } = await import("../workloads.mjs");
  const teams = makeTeams().slice(0, TEAMS);
  const users = [...makeUserBatches(ROWS)].flat();
  for (const [i, user] of users.entries()) user.team = teams[i % TEAMS].id;
  const constants = SHAPES.map((id) => makeConstants(workloadById(id), ROWS, 0));
  const calls = Array.from({ length: QUERIES }, (_, i) => {
    const id = SHAPES[i % SHAPES.length];
    const given = constants[i % SHAPES.length];
    return [id, id === "W6" ? { name: teams[i % TEAMS].name } : given[i % given.length]];
  });
  writeFileSync(file, JSON.stringify({ teams, users, calls }));
}

export function formatCold({ rounds, emptyMs, figures }) {
  return [
    `Fresh processes to the answer of query ${QUERIES} over ${ROWS} rows; milliseconds more than an`,
    `empty process (${emptyMs.toFixed(0)} ms), medians of ${rounds} rounds`,
    "",
    ...figures.map(({ engine, ms }) => `${engine.padEnd(10)}${ms.toFixed(1)}`),
  ].join("\n");
}

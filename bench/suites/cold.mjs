// Fresh processes: from their start to their last answer, by turns.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { digestAnswer } from "../answers.mjs";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { adapter as referenceAdapter } from "../engines/reference.mjs";
import { median } from "../measure.mjs";
import { formatColumns, formatNumber } from "../report.mjs";
import { firstLine } from "../session.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

/** Equality, a range with a sort, part of a text, a member of a list, through a link with a sort. */
const SHAPES = ["W2", "W3", "W4", "W5", "W6"];
const MOST_TEAMS = 50;

/** A test's first queries, one of few rows, and a file of tests that each make an engine. */
export const SCENES = [
  { scene: "1,000 rows, 100 queries", rows: 1000, queries: 100, engines: 1 },
  { scene: "10 rows, 20 queries", rows: 10, queries: 20, engines: 1 },
  { scene: "200 engines, 10 rows, 3 queries", rows: 10, queries: 3, engines: 200 },
];

export const COLD_ENGINES = ["plain", "sqlite", "lokijs", "twinbase", "pglite"];

const NOTHING = "nothing";
const run = promisify(execFile);
const PROCESS = fileURLToPath(new URL("../cold-process.mjs", import.meta.url));

/**
 * @param {{ engines: readonly string[], rounds: number, limit: number, node?: string,
 *   clock: string, progress: (text: string) => void }} options
 */
export async function measureCold({ engines, rounds, limit, node, clock, progress }) {
  const folder = mkdtempSync(join(tmpdir(), "cold-"));
  const figures = [];
  try {
    for (const [at, scene] of SCENES.entries()) {
      const file = join(folder, `${at}.json`);
      const expected = writeScene(file, scene);
      const names = [
        NOTHING,
        ...engines.filter((name) => scene.engines === 1 || name !== "pglite"),
      ];
      const runs = new Map(names.map((name) => /** @type {[string, any[]]} */ ([name, []])));
      const failures = new Map();
      for (let round = 0; round < rounds; round++) {
        for (const name of names) {
          if (failures.has(name)) continue;
          progress(`${scene.scene}, round ${round + 1} of ${rounds}: ${name}`);
          try {
            const result = await measureProcess(
              node ?? process.execPath,
              [name, file, clock],
              limit,
            );
            if (name !== NOTHING && result.digest !== expected) throw new Error("a wrong answer");
            runs.get(name)?.push(result);
          } catch (error) {
            failures.set(name, firstLine(error));
          }
        }
      }
      const emptyMs = median((runs.get(NOTHING) ?? []).map(({ allMs }) => allMs));
      figures.push({ ...scene, emptyMs, engines: summarize(runs, failures, emptyMs) });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const version = (await run(node ?? process.execPath, ["--version"])).stdout.trim();
  return { rounds, processNode: version, clock, figures };
}

/** @param {string} node @param {readonly string[]} args @param {number} limit */
async function measureProcess(node, args, limit) {
  const { stdout } = await run(node, [PROCESS, ...args], {
    timeout: limit * 1000,
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout);
}

/**
 * Writes what the processes are given, and tells the answers of plain loops.
 *
 * @param {string} file @param {(typeof SCENES)[number]} scene
 */
function writeScene(file, { rows, queries, engines }) {
  const teams = makeTeams().slice(0, Math.min(rows, MOST_TEAMS));
  const users = [...makeUserBatches(rows)].flat();
  for (const [i, user] of users.entries()) user.team = teams[i % teams.length]?.id ?? "";
  const constants = SHAPES.map((id) => makeConstants(workloadById(id), rows, 0));
  const calls = Array.from({ length: queries }, (_, i) => {
    const shape = i % SHAPES.length;
    const of = constants[shape] ?? [];
    const one = of[Math.floor(i / SHAPES.length) % of.length];
    return [SHAPES[shape], shape === 4 ? { name: teams[i % teams.length]?.name } : one];
  });
  writeFileSync(file, JSON.stringify({ teams, users, calls, engines }));
  const reference = /** @type {import("../engines/contract.mjs").Instance} */ (
    referenceAdapter.create()
  );
  reference.load(teams, [users]);
  return calls
    .map(([id, one]) =>
      digestAnswer(
        workloadById(`${id}`).kind,
        reference.run[`${id}`]?.(one, () => {}),
      ),
    )
    .join("\n\n");
}

/**
 * @typedef {object} Figure
 * @property {string} engine
 * @property {string} [unsupported] why there is none
 * @property {number} [overEmptyMs] from the start of the process to the last answer
 * @property {number} [importMs]
 * @property {number} [fillMs] making the engine and its tables, loading them, and the indexes advised
 * @property {number} [queryMs]
 * @property {number} [firstTenMs] of many engines in a process the first ten
 * @property {number} [warmMs] one of the last of them
 */

/**
 * @param {Map<string, any[]>} runs @param {Map<string, string>} failures @param {number} emptyMs
 * @returns {Figure[]}
 */
function summarize(runs, failures, emptyMs) {
  return [...runs].flatMap(
    /** @returns {Figure[]} */ ([engine, results]) => {
      if (engine === NOTHING) return [];
      const unsupported = failures.get(engine);
      if (unsupported !== undefined) return [{ engine, unsupported }];
      const of = (/** @type {(result: any) => number} */ read) => median(results.map(read));
      const many = results[0].engineMs.length > 1 && {
        firstTenMs: of(({ engineMs }) => sum(engineMs.slice(0, 10))),
        warmMs: of(({ engineMs }) => median(engineMs.slice(-50))),
      };
      return [
        {
          engine,
          overEmptyMs: of(({ allMs }) => allMs) - emptyMs,
          importMs: of(({ importMs }) => importMs),
          fillMs: of(({ fillMs }) => fillMs),
          queryMs: of(({ queryMs }) => queryMs),
          ...many,
        },
      ];
    },
  );
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {Awaited<ReturnType<typeof measureCold>>} result */
export function formatCold({ rounds, processNode, clock, figures }) {
  const parts = figures.map(({ scene, emptyMs, engines }) => {
    const lines = engines.map((one) => [
      one.engine,
      ...[one.overEmptyMs, one.importMs, one.fillMs, one.queryMs, one.firstTenMs, one.warmMs].map(
        (ms) => (ms === undefined ? "" : formatNumber(ms)),
      ),
      one.unsupported ?? "",
    ]);
    const heading = ["", "over empty", "import", "fill", "queries", "first ten", "one warm", ""];
    return `${scene} (an empty process: ${formatNumber(emptyMs)} ms)\n${formatColumns([heading, ...lines])}`;
  });
  const about = `Fresh processes of Node ${processNode}; milliseconds (${clock}), medians of ${rounds} rounds`;
  return [about, ...parts].join("\n\n");
}

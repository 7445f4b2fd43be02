import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addChanges, type PastRun, summarizeRun } from "../conformance/report/history.js";
import type { ConformanceReport } from "../conformance.js";
import { UsageError } from "./command.js";

/** File names of runs. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.json$/;

/** Reads the runs in a folder; creates it if missing. */
export function readHistory(folder: string): PastRun[] {
  let names: string[];
  try {
    mkdirSync(folder, { recursive: true });
    names = readdirSync(folder).filter((name) => NAME.test(name));
  } catch (error) {
    throw new UsageError(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return names.map((name) => {
    const file = join(folder, name);
    try {
      const run: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (isPastRun(run)) return run;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new UsageError(`${file}: expected a run written by --history`);
  });
}

function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== "object" || value === null) return false;
  const run = value as { readonly [key in keyof PastRun]?: unknown }; // its members are validated below
  return (
    typeof run.at === "string" &&
    typeof run.service === "string" &&
    typeof run.verdicts === "object" &&
    run.verdicts !== null
  );
}

/** Adds a run to a folder, and the changes since earlier ones to its report. */
export function keepRun(
  report: ConformanceReport,
  folder: string,
  earlier: readonly PastRun[],
  service: string,
): ConformanceReport {
  const at = new Date().toISOString();
  const run = summarizeRun(report, service, at);
  writeFileSync(join(folder, `${at.replaceAll(":", "-")}.json`), `${JSON.stringify(run)}\n`);
  return addChanges(report, earlier, run);
}

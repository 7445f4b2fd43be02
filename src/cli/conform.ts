import { appendFileSync, writeFileSync } from "node:fs";
import { formatSummary } from "../conformance/report/text.js";
import { NoAnswerError } from "../conformance/target/connection.js";
import { openTarget } from "../conformance/target/open.js";
import { SeedingError } from "../conformance/target/sandbox.js";
import { ConformanceUsageError } from "../conformance/target/target.js";
import { isObject } from "../conformance/vectors/pattern.js";
import type { ConformanceReport } from "../conformance.js";
import { type Command, UsageError } from "./command.js";
import { type ConformCall, type ReportFile, readConformCall } from "./conform-arguments.js";
import { keepRun, readHistory } from "./conform-history.js";
import { sayLine, writeOut } from "./print.js";
import { showProgress } from "./progress.js";

type Kit = typeof import("../conformance.js") & typeof import("../conformance/runner/run.js");

/** `twinbase conform` */
export const CONFORM: Command = {
  async run(args) {
    const call = readConformCall(args);
    const earlier = call.history === undefined ? [] : readHistory(call.history);
    const stop = stopOnInterrupt();
    try {
      const kit = await loadKit();
      kit.chooseChecks(call.options); // throws for wrong arguments before any request
      const obstacle = await findObstacle(call);
      if (obstacle !== undefined) {
        sayLine(`twinbase conform: ${call.url}: ${obstacle}`);
        return COULD_NOT_DECIDE;
      }
      const progress = call.quiet ? {} : showProgress(process.stderr, process.env);
      const options = { ...call.options, ...progress, signal: stop.signal };
      const found = await kit.runConformance(call.target, options);
      const report =
        call.history === undefined ? found : keepRun(found, call.history, earlier, call.url);
      for (const file of call.files) writeFileSync(file.file, format(kit, report, file.format));
      if (call.summary !== undefined) appendFileSync(call.summary, kit.formatMarkdown(report));
      const notes = call.files.map(({ file }) => `wrote ${file}\n`).join("");
      writeOut(notes === "" ? kit.formatText(report) : `${formatSummary(report)}${notes}`);
      return kit.exitCode(report);
    } catch (error) {
      if (error instanceof ConformanceUsageError) throw new UsageError(error.message);
      throw error;
    } finally {
      stop.forget();
    }
  },
};

const COULD_NOT_DECIDE = 3;

/** The kit needs fast-check, an optional peer. */
async function loadKit(): Promise<Kit> {
  try {
    return {
      ...(await import("../conformance.js")),
      ...(await import("../conformance/runner/run.js")),
    };
  } catch (error) {
    const missing = /Cannot find package '([^']+)'/.exec(String(error))?.[1];
    if (missing === undefined) throw error;
    throw new UsageError(`needs ${missing}; install it beside twinbase: npm install -D ${missing}`);
  }
}

/**
 * Finds causes that would fail every check: no answer, no workspace, another profile. Creates and
 * deletes a table in a database, like each check.
 */
async function findObstacle({ target }: ConformCall): Promise<string | undefined> {
  const sandbox = openTarget(target);
  const { connection } = sandbox;
  try {
    const health = { method: "GET", address: "control", path: "/_twinbase/health" } as const;
    const { status, body } = await connection.send(health);
    const profile = status === 200 && isObject(body) ? body.profile : undefined;
    const asked = connection.profile.base;
    if (typeof profile === "string" && profile !== asked) {
      return `it has the profile ${profile}, not ${asked}; pass --profile ${profile}`;
    }
    await sandbox.open({ tables: [{ name: "probe", columns: [], records: [] }] });
    return undefined;
  } catch (error) {
    if (error instanceof NoAnswerError) return `it does not answer: ${error.message}`;
    if (error instanceof SeedingError) return `it cannot create a table: ${error.message}`;
    throw error;
  } finally {
    await sandbox.clean();
  }
}

function format(kit: Kit, report: ConformanceReport, ending: ReportFile["format"]): string {
  const formats = {
    ".txt": kit.formatText,
    ".json": (value: ConformanceReport) => `${JSON.stringify(value, undefined, 2)}\n`,
    ".xml": kit.formatJUnit,
    ".html": kit.formatHtml,
    ".svg": kit.formatBadge,
    ".md": kit.formatMarkdown,
  };
  return formats[ending](report);
}

/** Ctrl-C stops the run and cleans up; a second one ends the process. */
function stopOnInterrupt(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    process.stderr.write("\nstopping: deleting created databases\n");
    controller.abort();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  return {
    signal: controller.signal,
    forget: () => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, stop);
    },
  };
}

import { readFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { parseArgs } from "node:util";
import {
  type ConformanceOptions,
  type ConformanceReport,
  ConformanceUsageError,
  exitCode,
  formatHtml,
  formatJUnit,
  formatText,
  parseDeviations,
  runConformance,
  type ServiceTarget,
  type Tier,
} from "../conformance.js";
import { PROFILES, type ProfileName } from "../profile.js";
import { type Command, UsageError } from "./command.js";
import { keepRun, readHistory } from "./conform-history.js";
import { showProgress } from "./progress.js";

/** `twinbase conform` */
export const CONFORM: Command = {
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    const [url, ...others] = positionals;
    if (url === undefined || others.length > 0) throw new UsageError("give one address");
    const files = (values.out ?? []).map((file) => ({ file, format: formatOf(file) }));
    const target = readTarget(url, values);
    const folder = values.history;
    const earlier = folder === undefined ? [] : readHistory(folder);
    const stop = stopOnInterrupt();
    const progress = values.quiet === true ? {} : showProgress(process.stderr, process.env);
    try {
      const options = { ...readOptions(values), ...progress, signal: stop.signal };
      const found = await runConformance(target, options);
      const report = folder === undefined ? found : keepRun(found, folder, earlier, url);
      for (const { file, format } of files) writeFileSync(file, format(report));
      process.stdout.write(formatText(report));
      return exitCode(report);
    } catch (error) {
      if (error instanceof ConformanceUsageError) throw new UsageError(error.message);
      throw error;
    } finally {
      stop.forget();
    }
  },
};

const OPTIONS = {
  control: { type: "string" },
  workspace: { type: "string" },
  key: { type: "string" },
  profile: { type: "string" },
  null: { type: "string" },
  auth: { type: "string" },
  without: { type: "string" },
  with: { type: "string" },
  "allow-writes": { type: "boolean" },
  rate: { type: "string" },
  tier: { type: "string" },
  only: { type: "string" },
  skip: { type: "string" },
  seed: { type: "string" },
  runs: { type: "string" },
  time: { type: "string" },
  path: { type: "string" },
  deviations: { type: "string" },
  out: { type: "string", multiple: true },
  history: { type: "string" },
  "fail-fast": { type: "boolean" },
  concurrent: { type: "boolean" },
  quiet: { type: "boolean" },
} as const;

type Values = { readonly [name in keyof typeof OPTIONS]?: unknown };

const FORMATS: Readonly<Record<string, (report: ConformanceReport) => string>> = {
  ".txt": formatText,
  ".json": (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  ".xml": formatJUnit,
  ".html": formatHtml,
};

function formatOf(file: string): (report: ConformanceReport) => string {
  const format = FORMATS[extname(file)];
  if (format === undefined) throw new UsageError(`${file}: a report is .txt, .json, .xml or .html`);
  return format;
}

function readTarget(url: string, values: Values): ServiceTarget {
  const base = readChoice<ProfileName>(values, "profile", Object.keys(PROFILES) as ProfileName[]); // its own keys
  const nullComparison = readChoice(values, "null", ["complement", "sql"] as const);
  const profile = { base: base ?? "documented", ...(nullComparison && { nullComparison }) };
  const capability = (name: "with" | "without") =>
    readList(values, name)?.map((each) => [each, name === "with"] as const) ?? [];
  return {
    workspaceUrl: readUrl(url),
    controlUrl: values.control === undefined ? undefined : readUrl(String(values.control)),
    workspace: values.workspace === undefined ? "local" : String(values.workspace),
    apiKey: values.key === undefined ? undefined : String(values.key),
    profile,
    auth: readChoice(values, "auth", ["open", "closed"] as const),
    capabilities: Object.fromEntries([...capability("with"), ...capability("without")]),
    requestsPerSecond: readNumber(values, "rate", 0.1),
    allowWrites: values["allow-writes"] === true,
  };
}

function readOptions(values: Values): ConformanceOptions {
  const tier = readChoice<Tier>(values, "tier", ["core", "complete", "strict"]);
  const seconds = readNumber(values, "time", 0.001);
  return {
    seed: readNumber(values, "seed", 0),
    runs: readNumber(values, "runs", 1),
    time: seconds === undefined ? undefined : seconds * 1000,
    failFast: values["fail-fast"] === true,
    concurrent: values.concurrent === true,
    tiers: tier === undefined ? undefined : [tier],
    only: readList(values, "only"),
    skip: readList(values, "skip"),
    path: values.path === undefined ? undefined : String(values.path),
    deviations: values.deviations === undefined ? [] : readDeviations(String(values.deviations)),
  };
}

function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new UsageError(`${text}: expected an address such as http://127.0.0.1:4000`);
  }
  return text;
}

function readChoice<T extends string>(
  values: Values,
  name: keyof Values,
  choices: readonly T[],
): T | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name}: expected ${choices.join(" or ")}`);
  return choice;
}

function readNumber(values: Values, name: keyof Values, least: number): number | undefined {
  if (values[name] === undefined) return undefined;
  const value = Number(values[name]);
  if (!(value >= least) || (name !== "rate" && name !== "time" && !Number.isSafeInteger(value))) {
    throw new UsageError(`--${name}: expected a number from ${least} on`);
  }
  return value;
}

function readList(values: Values, name: keyof Values): string[] | undefined {
  if (values[name] === undefined) return undefined;
  return String(values[name])
    .split(",")
    .filter((each) => each !== "");
}

function readDeviations(file: string): ReturnType<typeof parseDeviations> {
  try {
    return parseDeviations(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Ctrl-C ends the run and lets it clean up; a second one ends the process. */
function stopOnInterrupt(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    process.stderr.write("\nstopping: deleting what was made\n");
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

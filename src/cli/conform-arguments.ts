import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parseDeviations } from "../conformance/report/deviations.js";
import type { ConformanceOptions, ServiceTarget } from "../conformance.js";
import { PROFILE_NAMES, readArguments, readWord } from "./arguments.js";
import { UsageError } from "./command.js";
import { describeFailure } from "./print.js";

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

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

/** The forms of a report, by the ending of the file that it is written to. */
const FORMATS = [".txt", ".json", ".xml", ".html"] as const;

/** A file that the report is written to. */
export interface ReportFile {
  readonly file: string;
  readonly format: (typeof FORMATS)[number];
}

/** What is to be checked, how, and where it is told. */
export interface ConformCall {
  readonly url: string;
  readonly target: ServiceTarget;
  readonly options: ConformanceOptions;
  readonly files: readonly ReportFile[];
  readonly history: string | undefined;
  readonly quiet: boolean;
}

/** Reads all arguments, before anything is loaded or asked. */
export function readConformCall(args: readonly string[]): ConformCall {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0) throw new UsageError("give one address");
  return {
    url,
    target: readTarget(url, values),
    options: readOptions(values),
    files: (values.out ?? []).map((file) => ({ file, format: formatOf(file) })),
    history: values.history,
    quiet: values.quiet === true,
  };
}

function formatOf(file: string): ReportFile["format"] {
  const format = FORMATS.find((ending) => ending === extname(file));
  if (format === undefined) throw new UsageError(`${file}: a report is .txt, .json, .xml or .html`);
  return format;
}

function readTarget(url: string, values: Values): ServiceTarget {
  const base = readWord("profile", values.profile, PROFILE_NAMES);
  const nullComparison = readWord("null", values.null, ["complement", "sql"]);
  const capability = (name: "with" | "without") =>
    readList(values[name])?.map((each) => [each, name === "with"] as const) ?? [];
  return {
    workspaceUrl: readUrl(url),
    controlUrl: values.control === undefined ? undefined : readUrl(values.control),
    workspace: values.workspace ?? "local",
    apiKey: values.key,
    profile: { base: base ?? "documented", ...(nullComparison && { nullComparison }) },
    auth: readWord("auth", values.auth, ["open", "closed"]),
    capabilities: Object.fromEntries([...capability("with"), ...capability("without")]),
    requestsPerSecond: readNumber(values, "rate", 0.1),
    allowWrites: values["allow-writes"] === true,
  };
}

function readOptions(values: Values): ConformanceOptions {
  const tier = readWord("tier", values.tier, ["core", "complete", "strict"]);
  const seconds = readNumber(values, "time", 0.001);
  return {
    seed: readNumber(values, "seed", 0),
    runs: readNumber(values, "runs", 1),
    time: seconds === undefined ? undefined : seconds * 1000,
    failFast: values["fail-fast"] === true,
    concurrent: values.concurrent === true,
    tiers: tier === undefined ? undefined : [tier],
    only: readList(values.only),
    skip: readList(values.skip),
    path: values.path,
    deviations: values.deviations === undefined ? [] : readDeviations(values.deviations),
  };
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new UsageError(`expected an address such as http://127.0.0.1:4000, found ${text}`);
}

function readNumber(
  values: Values,
  name: "rate" | "seed" | "runs" | "time",
  least: number,
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const isWhole = name === "seed" || name === "runs";
  if (value >= least && Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value))) {
    return value;
  }
  const what = isWhole ? "a whole number" : "a number";
  throw new UsageError(`--${name}: expected ${what} from ${least} on, found ${text}`);
}

function readList(text: string | undefined): string[] | undefined {
  return text?.split(",").filter((each) => each !== "");
}

function readDeviations(file: string): ReturnType<typeof parseDeviations> {
  try {
    return parseDeviations(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new UsageError(
      `${file}: ${describeFailure(error) ?? (error instanceof Error ? error.message : String(error))}`,
    );
  }
}

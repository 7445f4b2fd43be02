import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parseDeviations } from "../conformance/report/deviations.js";
import type { ConformanceOptions, ServiceTarget } from "../conformance.js";
import { readArguments } from "./arguments.js";
import { UsageError } from "./command.js";
import { httpUrl } from "./options.js";
import { describeFailure } from "./print.js";
import { USAGES } from "./usage.js";

type Values = ReturnType<typeof readArguments<typeof USAGES.conform>>["values"];

/** The formats of a report, by the extension of its file. */
const FORMATS = [".txt", ".json", ".xml", ".html", ".svg", ".md"] as const;

/** A file that the report is written to. */
export interface ReportFile {
  readonly file: string;
  readonly format: (typeof FORMATS)[number];
}

/** The arguments of a run. */
export interface ConformCall {
  readonly url: string;
  readonly target: ServiceTarget;
  readonly options: ConformanceOptions;
  readonly files: readonly ReportFile[];
  /** A file to which the report is appended in Markdown. */
  readonly summary: string | undefined;
  readonly history: string | undefined;
  readonly quiet: boolean;
}

/** Reads and checks all arguments, before the kit is loaded. */
export function readConformCall(args: readonly string[]): ConformCall {
  const { values, operands } = readArguments(args, USAGES.conform);
  const [url = ""] = operands;
  return {
    url,
    target: readTarget(url, values),
    options: readOptions(values),
    files: values.out.map((file) => ({ file, format: formatOf(file) })),
    summary: values.summary,
    history: values.history,
    quiet: values.quiet,
  };
}

function formatOf(file: string): ReportFile["format"] {
  const format = FORMATS.find((ending) => ending === extname(file));
  if (format === undefined)
    throw new UsageError(`${file}: a report is ${FORMATS.slice(0, -1).join(", ")} or .md`);
  return format;
}

function readTarget(url: string, values: Values): ServiceTarget {
  const { profile, null: nullComparison } = values;
  const capability = (name: "with" | "without") =>
    values[name]?.map((each) => [each, name === "with"] as const) ?? [];
  return {
    workspaceUrl: httpUrl(url),
    controlUrl: values.control,
    workspace: values.workspace,
    apiKey: values.key,
    profile: { base: profile, ...(nullComparison && { nullComparison }) },
    auth: values.auth,
    capabilities: Object.fromEntries([...capability("with"), ...capability("without")]),
    requestsPerSecond: values.rate,
    allowWrites: values["allow-writes"],
  };
}

function readOptions(values: Values): ConformanceOptions {
  const { seed, runs, time, tier, only, skip, concurrent, chaos, path, deviations } = values;
  return {
    seed,
    runs,
    time: time === undefined ? undefined : time * 1000,
    failFast: values["fail-fast"],
    require: values.require,
    concurrent,
    chaos,
    tiers: [tier],
    only,
    skip,
    path,
    deviations: deviations === undefined ? [] : readDeviations(deviations),
  };
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

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

/** Supported compilers by name. */
const compilers: Readonly<Record<"TypeScript 5" | "TypeScript 7", string>> = {
  "TypeScript 7": join(root, "node_modules/typescript/bin/tsc"),
  // A dependency of @arethetypeswrong/core.
  "TypeScript 5": join(root, "node_modules/@arethetypeswrong/core/node_modules/typescript/bin/tsc"),
};

export interface Report {
  /** Empty if the compiler timed out; then the counts are 0. */
  readonly faults: string[];
  /** The same on every machine. */
  readonly instantiations: number;
  readonly types: number;
  readonly checkTime: string;
}

/** Runs a compiler on a project for at most a minute, in one thread, as counts depend on threads. */
export function checkProject(
  project: string,
  compiler: keyof typeof compilers = "TypeScript 7",
): Report {
  const { stdout } = spawnSync(
    process.execPath,
    [
      compilers[compiler],
      ...["-p", project, "--noEmit", "--extendedDiagnostics", "--pretty", "false"],
      ...(compiler === "TypeScript 7" ? ["--singleThreaded"] : []),
    ],
    { cwd: root, encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" },
  );
  const count = (name: string): string =>
    new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(stdout)?.[1] ?? "";
  return {
    faults: stdout.match(/^(?:\S.*: )?error TS\d+: .*(?:\n .*)*/gm) ?? [],
    instantiations: Number(count("Instantiations")),
    types: Number(count("Types")),
    checkTime: `checked in ${count("Check time")}`,
  };
}

export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { type Command, UsageError } from "./cli/command.js";
import { USAGES } from "./cli/usage.js";
import { suggest } from "./value/nearest.js";

type CommandName = keyof typeof USAGES;

/** The subcommands, each loaded only when it is asked for. */
const COMMANDS: Readonly<Record<CommandName, { summary: string; load: () => Promise<Command> }>> = {
  serve: {
    summary: "serve an engine over HTTP",
    load: async () => (await import("./cli/serve.js")).SERVE,
  },
  conform: {
    summary: "check a service against the rules of the interface",
    load: async () => (await import("./cli/conform.js")).CONFORM,
  },
  query: {
    summary: "query a file of CSV or JSON",
    load: async () => (await import("./cli/query.js")).QUERY,
  },
  inspect: {
    summary: "check an export and tell what it holds",
    load: async () => (await import("./cli/inspect.js")).INSPECT,
  },
  advise: {
    summary: "say which indexes a database in PostgreSQL lacks",
    load: async () => (await import("./cli/advise.js")).ADVISE,
  },
  copy: {
    summary: "copy an export into a database in PostgreSQL, or one into an export",
    load: async () => (await import("./cli/copy.js")).COPY,
  },
};

// Whoever reads the output, such as `head`, may have had enough of it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(describeCommands());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  if (!isCommand(name)) {
    const hint = suggest(name, Object.keys(COMMANDS));
    process.stderr.write(`twinbase: there is no command ${name}${hint}\n\n${describeCommands()}`);
    return 2;
  }
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGES[name]);
    return 0;
  }
  const command = await loadCommand(name, COMMANDS[name].load);
  if (command === undefined) return 2;
  try {
    return await command.run(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`twinbase ${name}: ${error.message}\n\n${USAGES[name]}`);
    return 2;
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version; // the package's own
}

/** The conformance kit needs an optional package. */
async function loadCommand(
  name: string,
  load: () => Promise<Command>,
): Promise<Command | undefined> {
  try {
    return await load();
  } catch (error) {
    const missing = /Cannot find package '([^']+)'/.exec(String(error))?.[1];
    if (missing === undefined) throw error;
    const call = `npx --package twinbase --package ${missing} twinbase ${name}`;
    process.stderr.write(`twinbase ${name} needs ${missing}; run it as: ${call}\n`);
    return undefined;
  }
}

function describeCommands(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `usage: twinbase <command> [options]\n\n${lines.join("\n")}\n\ntwinbase <command> --help tells more; twinbase --version prints the version.\n`;
}

/** Also what `node:util` throws for arguments it does not know. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_PARSE_ARGS_");
}

#!/usr/bin/env node
import { readFileSync } from "node:fs";
import module from "node:module";
import { type Command, UsageError } from "./cli/command.js";
import { sayLine } from "./cli/print.js";
import { USAGES } from "./cli/usage.js";

type CommandName = keyof typeof USAGES;

/** The subcommands, each loaded only when it is asked for. */
const COMMANDS: Readonly<Record<CommandName, { summary: string; load: () => Promise<Command> }>> = {
  serve: {
    summary: "serve an engine over HTTP",
    load: async () => (await import("./cli/serve.js")).SERVE,
  },
  init: {
    summary: "write a test with a double into a project",
    load: async () => (await import("./cli/init.js")).INIT,
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

// From 22.8 on Node can keep what it has compiled, for the next run.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// Whoever reads the output, such as `head`, may have had enough of it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "help" && args[0] !== undefined) return await main([args[0], "--help"]);
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(describeCommands());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  if (!isCommand(name)) {
    const { suggest } = await import("./value/nearest.js"); // it brings the engine along
    const hint = suggest(name, Object.keys(COMMANDS));
    process.stderr.write(`twinbase: there is no command ${name}${hint}\n\n${describeCommands()}`);
    return 2;
  }
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGES[name]);
    return 0;
  }
  const command = await COMMANDS[name].load();
  try {
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const help = `twinbase ${name} --help ${error.help}`;
    sayLine(`twinbase ${name}: ${error.message}\n${help}`);
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

function describeCommands(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `usage: twinbase <command> [options]\n\n${lines.join("\n")}\n\ntwinbase <command> --help tells more; twinbase --version prints the version.\n`;
}

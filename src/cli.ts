#!/usr/bin/env node
import { readFileSync } from "node:fs";
import module from "node:module";
import { type Command, UsageError } from "./cli/command.js";
import { formatHelp } from "./cli/help.js";
import { sayLine } from "./cli/print.js";
import { USAGES } from "./cli/usage.js";

type CommandName = keyof typeof USAGES;

/** Loads a subcommand, without the others. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import("./cli/serve.js")).SERVE,
  init: async () => (await import("./cli/init.js")).INIT,
  query: async () => (await import("./cli/query-file.js")).QUERY,
  inspect: async () => (await import("./cli/inspect.js")).INSPECT,
  conform: async () => (await import("./cli/conform.js")).CONFORM,
  copy: async () => (await import("./cli/copy.js")).COPY,
  advise: async () => (await import("./cli/advise.js")).ADVISE,
};

// Since 22.8 Node can cache compiled code for the next run.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// The output's reader, such as `head`, may close the pipe early.
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
    const { suggest } = await import("./value/nearest.js"); // loads the engine
    const hint = suggest(name, Object.keys(COMMANDS));
    process.stderr.write(`twinbase: unknown command ${name}${hint}\n\n${describeCommands()}`);
    return 2;
  }
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(formatHelp(name, USAGES[name]));
    return 0;
  }
  const command = await COMMANDS[name]();
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
  const width = Math.max(...Object.keys(USAGES).map((name) => name.length));
  const lines = Object.entries(USAGES).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `usage: twinbase <command> [options]\n\n${lines.join("\n")}\n\ntwinbase <command> --help lists the options; twinbase --version prints the version.\n`;
}

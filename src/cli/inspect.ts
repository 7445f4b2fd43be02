import { createReadStream, statSync } from "node:fs";
import { refuse } from "../errors.js";
import { importEngineFrom } from "../export.js";
import type { AnyDatabase, AnyEngine } from "../index.js";
import { openEngine } from "../node.js";
import { readArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { print } from "./print.js";
import { formatColumns } from "./query-file.js";
import { USAGES } from "./usage.js";

/** `twinbase inspect` */
export const INSPECT: Command = {
  run: (args) => print("inspect", () => inspectExport(args)),
};

/** Checks and describes an export, or the folder of `--data`. */
export async function inspectExport(args: readonly string[]): Promise<string> {
  const [folder = ""] = readArguments(args, USAGES.inspect).operands;
  if (!statSync(folder).isDirectory()) {
    return describeEngine(await importEngineFrom(createReadStream(folder)));
  }
  const initial = () =>
    refuse("invalid_request", `${folder}: no data of serve --data or openEngine`);
  const engine = await openEngine({ folder, initial });
  try {
    return describeEngine(engine);
  } finally {
    await engine.close();
  }
}

function describeEngine(engine: AnyEngine): string {
  const { base, metadataColumn } = engine.profile;
  const users = engine.users().length;
  const head = [
    `profile ${base} (metadata under ${metadataColumn}), seed ${engine.seed}`,
    `time ${new Date(engine.clock.now()).toISOString()}, ${users} ${users === 1 ? "user" : "users"}`,
  ];
  const workspaces = engine.workspaces().flatMap(({ id, name }) => {
    const databases = engine.workspace(id).databases();
    const title = `workspace ${id}${name === id ? "" : ` (${name})`}`;
    const parts = databases.map((database) => engine.workspace(id).database(database.name));
    return [title, ...parts.flatMap(describeDatabase)];
  });
  return [...head, ...workspaces].map((line) => `${line}\n`).join("");
}

function describeDatabase(database: AnyDatabase): string[] {
  const { region, createdAt } = database.metadata();
  const branches = database.branches().flatMap(({ name }) => {
    const branch = database.branch(name);
    const tables = branch.tables().flatMap((table) => {
      const { columns } = branch.table(table.name).schema();
      const count = branch.table(table.name).count();
      const lines = formatColumns(columns, "        ").split("\n").slice(0, -1);
      return [`      table ${table.name}: ${count} records`, ...lines];
    });
    return [`    branch ${name}`, ...tables];
  });
  return [`  database ${database.name} (${region}, ${createdAt})`, ...branches];
}

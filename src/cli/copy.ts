import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { refuse } from "../errors.js";
import { importEngineFrom } from "../export.js";
import type { AnyEngine } from "../index.js";
import { type Command, UsageError } from "./command.js";
import { isTarget, withDatabase } from "./postgres-target.js";
import { print } from "./print.js";
import { writeExport } from "./write-export.js";

/** `twinbase copy` */
export const COPY: Command = {
  run: (args) => print("copy", () => copy(args)),
};

/** Copies an export into a database, or a database into an export, and says how much it was. */
export async function copy(args: readonly string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { profile: { type: "string" } },
  });
  const [from, to, ...others] = positionals;
  if (from === undefined || to === undefined || others.length > 0) {
    throw new UsageError("give what to copy, and where to");
  }
  const { profile } = values;
  if (profile !== undefined && profile !== "documented" && profile !== "xata") {
    throw new UsageError(`--profile: expected documented or xata, found ${profile}`);
  }
  if (isTarget(from) === isTarget(to)) {
    throw new UsageError("one of the two is an export, the other postgres://… or pglite:folder");
  }
  if (isTarget(to)) {
    if (profile !== undefined) throw new UsageError("--profile: an export has its own");
    const engine = await importEngineFrom(createReadStream(from));
    const { seed } = engine;
    const options = { profile: engine.profile, seed };
    const { tables, records } = await withDatabase(to, options, (db) => db.fill(engine));
    return `copied ${tables} tables with ${records} records, and compared them\n`;
  }
  const engine = await withDatabase(from, { profile, indexes: "never" }, (db) => db.toEngine());
  writeExport(engine, to);
  const [written, read] = [engine, await importEngineFrom(createReadStream(to))].map(countRecords);
  if (written !== read) refuse("invalid_request", `${to}: ${read} records were read of ${written}`);
  return `copied ${written} records, and read them again\n`;
}

function countRecords(engine: AnyEngine): number {
  let count = 0;
  for (const { id } of engine.workspaces()) {
    const workspace = engine.workspace(id);
    for (const { name } of workspace.databases()) {
      const database = workspace.database(name);
      for (const { name: branchName } of database.branches()) {
        const branch = database.branch(branchName);
        for (const table of branch.tables()) count += branch.table(table.name).count();
      }
    }
  }
  return count;
}

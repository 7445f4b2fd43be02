import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { refuse } from "../errors.js";
import { outlineExport } from "../persist/contexts.js";
import type { PostgresOptions } from "../postgres.js";
import { readArguments } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { isTarget, withDatabase } from "./postgres-target.js";
import { print } from "./print.js";
import { USAGES } from "./usage.js";
import { writeWhole } from "./write-whole.js";

/** `twinbase copy` */
export const COPY: Command = {
  run: (args) => print("copy", () => copy(args)),
};

/** Starts to read an export. */
type ReadExport = () => AsyncIterable<string | Uint8Array>;

/** Copies between exports and databases. Holds some records at a time. */
export async function copy(args: readonly string[]): Promise<string> {
  const { operands, values } = readArguments(args, USAGES.copy);
  const [from = "", to = ""] = operands;
  const { profile } = values;
  const isFromTarget = isTarget(from);
  if (!(isFromTarget || isTarget(to))) {
    throw new UsageError("one operand must be postgres://… or pglite:folder");
  }
  if (from === to) throw new UsageError("source and target are the same");
  const write = (read: ReadExport): Promise<string> =>
    isTarget(to) ? fillTarget(read, to) : copyToFile(read, to);
  if (isFromTarget) {
    const options: PostgresOptions = { profile, indexes: "never" };
    return withDatabase(from, options, (db) => db.export(write));
  }
  if (profile !== undefined) throw new UsageError("--profile: an export contains its profile");
  return write(() => createReadStream(from));
}

async function fillTarget(read: ReadExport, to: string): Promise<string> {
  const { setup } = await outlineExport(read());
  const { profile, streams } = setup;
  const { tables, records, hash } = await withDatabase(to, { profile, seed: streams.seed }, (db) =>
    db.fill(read),
  );
  return `copied ${tables} tables with ${records} records, verified: ${hash}\n`;
}

/** Writes a file, and compares it with a second read of the source before it replaces another. */
export async function copyToFile(read: ReadExport, to: string): Promise<string> {
  let found = "";
  let records = 0;
  await writeWhole(read(), to, async (path) => {
    const hash = createHash("sha256");
    ({ records } = await outlineExport(hashed(createReadStream(path), hash)));
    found = hash.digest("hex");
    const again = createHash("sha256");
    for await (const chunk of read()) again.update(chunk);
    if (found !== again.digest("hex")) {
      refuse("invalid_request", `${path}: the copy differs from the source`);
    }
  });
  return `copied ${records} records, verified: ${found}\n`;
}

async function* hashed(
  source: ReturnType<ReadExport>,
  into: Hash,
): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of source) {
    into.update(chunk);
    yield chunk;
  }
}

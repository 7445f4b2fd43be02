import { existsSync } from "node:fs";
import type { Advice } from "../postgres.js";
import { readArguments } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { readPostgresTarget, withDatabase } from "./postgres-target.js";
import { print } from "./print.js";
import { USAGES } from "./usage.js";

/** `twinbase advise` */
export const ADVISE: Command = {
  run: (args) => print("advise", () => advise(args)),
};

export async function advise(args: readonly string[]): Promise<string> {
  const { operands, values } = readArguments(args, USAGES.advise);
  const [address = ""] = operands;
  const target = readPostgresTarget(address);
  if (typeof target === "object" && !existsSync(String(target.pglite))) {
    throw new UsageError(`${address}: there is no such folder`);
  }
  const options = { profile: values.profile, indexes: "never" } as const;
  return describeAdvice(await withDatabase(address, options, (db) => db.advise()));
}

function describeAdvice({ missing, unused }: Advice): string {
  const lacking = missing.map(
    ({ statement, asked, unfit, lacks }) =>
      `${statement};  -- requested ${asked} times or more${unfit ? "; not created: values are too long" : ""}${lacks === undefined ? "" : `; not created: ${lacks}`}`,
  );
  const idle = unused.map(({ statement, bytes }) => `${statement};  -- ${bytes} bytes`);
  return [
    "-- missing indexes",
    ...(lacking.length === 0 ? ["-- none"] : lacking),
    "-- unused indexes",
    ...(idle.length === 0 ? ["-- none"] : idle),
    "",
  ].join("\n");
}

import { parseArgs } from "node:util";
import type { Advice } from "../postgres.js";
import { type Command, UsageError } from "./command.js";
import { withDatabase } from "./postgres-target.js";
import { print } from "./print.js";

/** `twinbase advise` */
export const ADVISE: Command = {
  run: (args) => print("advise", () => advise(args)),
};

/** Says which indexes a database lacks, and which it does not use. */
export async function advise(args: readonly string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { profile: { type: "string" } },
  });
  const [address, ...others] = positionals;
  if (address === undefined || others.length > 0) throw new UsageError("give one address");
  const { profile } = values;
  if (profile !== undefined && profile !== "documented" && profile !== "xata") {
    throw new UsageError(`--profile: expected documented or xata, found ${profile}`);
  }
  const options = { profile, indexes: "never" } as const;
  return describeAdvice(await withDatabase(address, options, (db) => db.advise()));
}

function describeAdvice({ missing, unused }: Advice): string {
  const lacking = missing.map(
    ({ statement, asked, unfit }) =>
      `${statement};  -- asked ${asked} times or more${unfit ? "; given up: values are too long" : ""}`,
  );
  const idle = unused.map(({ statement, bytes }) => `${statement};  -- ${bytes} bytes`);
  return [
    "-- missing: queries could go by these",
    ...(lacking.length === 0 ? ["-- none"] : lacking),
    "-- unused: made for queries, and read by none",
    ...(idle.length === 0 ? ["-- none"] : idle),
    "",
  ].join("\n");
}

import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggest } from "../value/nearest.js";
import { UsageError } from "./command.js";

/** What `--profile` can be. */
export const PROFILE_NAMES = ["documented", "xata"] as const;

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads the arguments of a subcommand.
 *
 * @throws UsageError for an option that there is not, or one without its value
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw explain(error, options);
  }
}

/** What `node:util` says of arguments, in words that are as short as those of the commands. */
function explain(error: unknown, options: Options): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
      const known = Object.keys(options).map((name) => `--${name}`);
      return new UsageError(`unknown option ${option}${suggest(option, known)}`, "lists them");
    }
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE": {
      const takesValue = options[option.slice(2)]?.type === "string";
      return new UsageError(`${option}: expected ${takesValue ? "a value" : "no value"}`);
    }
    default:
      return error;
  }
}

/** One of several words that an option can have. */
export function readWord<T extends string>(
  option: string,
  value: string | undefined,
  words: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw new UsageError(`--${option}: expected ${words.join(" or ")}, found ${value}`);
}

import { parseArgs } from "node:util";
import { TwinbaseError } from "../errors.js";
import { suggest } from "../value/nearest.js";
import { UsageError } from "./command.js";
import {
  type CommandUsage,
  type CommandValues,
  type Option,
  optionsOf,
  readValue,
} from "./options.js";

/**
 * Reads the arguments of a subcommand by its declaration.
 *
 * @throws UsageError for unknown options, wrong values, options that exclude each other, and too
 * few or too many operands
 */
export function readArguments<const C extends CommandUsage>(
  args: readonly string[],
  usage: C,
): { readonly values: CommandValues<C>; readonly operands: readonly string[] } {
  const { operands } = usage;
  const options = optionsOf(usage);
  const { values, positionals } = parse(args, options);
  const least = operands.filter((each) => each.startsWith("<")).length;
  const most = operands.some((each) => each.includes("…]")) ? positionals.length : operands.length;
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`expected ${operands.join(" ") || "options only"}`);
  }
  for (const [name, { excludes = [] }] of Object.entries(options)) {
    const other = excludes.find((each) => name in values && each in values);
    if (other !== undefined) throw new UsageError(`--${other} cannot be combined with --${name}`);
  }
  const read = Object.entries(options).map(([name, option]) => [
    name,
    readOption(name, option, values[name]),
  ]);
  // Each value is parsed by the declaration that determines its type.
  return { values: Object.fromEntries(read) as CommandValues<C>, operands: positionals };
}

type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;

function readOption(name: string, option: Option, given: OptionValue): unknown {
  if (option.value === undefined) return given === true;
  const read = (text: unknown): unknown => {
    try {
      return readValue(option, String(text));
    } catch (error) {
      const isRefused = error instanceof UsageError || error instanceof TwinbaseError;
      throw isRefused ? new UsageError(`--${name}: ${error.message}`) : error;
    }
  };
  if (option.repeated) return Array.isArray(given) ? given.map(read) : [];
  return given === undefined ? option.default : read(given);
}

function parse(
  args: readonly string[],
  options: CommandUsage["options"],
): {
  readonly values: Readonly<Record<string, OptionValue>>;
  readonly positionals: readonly string[];
} {
  const config = Object.entries(options).map(([name, { value, repeated = false }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, { type, multiple: repeated }] as const;
  });
  try {
    const all = { args: [...args], options: Object.fromEntries(config), allowPositionals: true };
    return parseArgs(all);
  } catch (error) {
    throw explain(error, options);
  }
}

/** Shortens the messages of `node:util`. */
function explain(error: unknown, options: CommandUsage["options"]): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
      const flags = Object.keys(options).map((name) => `--${name}`);
      return new UsageError(`unknown option ${option}${suggest(option, flags)}`, "lists them");
    }
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE": {
      const takesValue = options[option.slice(2)]?.value !== undefined;
      return new UsageError(`${option}: expected ${takesValue ? "a value" : "no value"}`);
    }
    default:
      return error;
  }
}

import { READING } from "../fixtures/reading.js";
import { readNumber } from "../shape/fields.js";
import { UsageError } from "./command.js";

/** An option of a subcommand: a flag, unless it has a value. */
export interface Option {
  /** Markdown, for `--help` and `docs/command-line.md`. */
  readonly help: string;
  /** Placeholder of the value in the help; for type `word` the words, as `text|json`. */
  readonly value?: string;
  /** Default `text`; the items of a `list` are separated by commas. */
  readonly type?: "text" | "word" | "whole" | "number" | "list" | "url";
  readonly from?: number;
  readonly to?: number;
  readonly default?: string | number;
  readonly repeated?: true;
  /** Options that it cannot be combined with. */
  readonly excludes?: readonly string[];
}

/** The declaration of a subcommand. */
export interface CommandUsage {
  readonly summary: string;
  /** Arguments without a name: `<required>`, `[optional]`, `[any number …]`. */
  readonly operands: readonly string[];
  /** Markdown. */
  readonly about: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Whether it also has the options of reading files. */
  readonly readsFiles?: true;
  readonly exitCodes?: string;
}

/** All options of a subcommand. */
export function optionsOf({ options, readsFiles }: CommandUsage): Readonly<Record<string, Option>> {
  return readsFiles ? { ...options, ...READING } : options;
}

/** The parsed options of a subcommand. */
export type CommandValues<C extends CommandUsage> = Values<C["options"]> &
  (C extends { readonly readsFiles: true } ? Values<typeof READING> : unknown);

/** The parsed values of options. */
export type Values<O> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

type ValueOf<O> = O extends { readonly repeated: true }
  ? readonly SingleOf<O>[]
  : O extends { readonly default: string | number }
    ? SingleOf<O>
    : O extends { readonly value: string }
      ? SingleOf<O> | undefined
      : boolean;

type SingleOf<O> = O extends { readonly type: "word"; readonly value: infer Words }
  ? WordsOf<Words>
  : O extends { readonly type: "whole" | "number" }
    ? number
    : O extends { readonly type: "list" }
      ? readonly string[]
      : string;

type WordsOf<S> = S extends `${infer Head}|${infer Rest}` ? Head | WordsOf<Rest> : S;

/**
 * Reads the value of an option.
 *
 * @throws UsageError, or TwinbaseError for a number, without the name of the option
 */
export function readValue({ value = "", type, from = 0, to }: Option, text: string): unknown {
  switch (type) {
    case "word": {
      const words = value.split("|");
      return words.includes(text) ? text : fail(words.join(" or "), text);
    }
    case "list":
      return text.split(",").filter((item) => item !== "");
    case "url":
      return httpUrl(text);
    case "whole":
    case "number": {
      const kind = type === "whole" ? "a whole number" : "a number";
      const number = /^\d*\.?\d+$/.test(text) ? Number(text) : text;
      return readNumber(number, [from, to], { rule: "E-3" }, kind);
    }
    default:
      return text;
  }
}

export function httpUrl(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:/.test(text);
  return isHttp ? text : fail("an address such as http://127.0.0.1:4000", text);
}

function fail(expected: string, found: string): never {
  throw new UsageError(`expected ${expected}, found ${found}`);
}

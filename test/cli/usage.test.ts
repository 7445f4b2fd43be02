import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/cli/arguments.js";
import { formatHelp } from "../../src/cli/help.js";
import { type CommandUsage, optionsOf, readValue } from "../../src/cli/options.js";
import { USAGES } from "../../src/cli/usage.js";

const usages: readonly (readonly [string, CommandUsage])[] = Object.entries(USAGES);

describe.each(usages)("the declaration of %s", (name, usage) => {
  const options = Object.entries(optionsOf(usage));

  it("names only existing options", () => {
    const named = options.flatMap(([, { help, excludes = [] }]) => [
      ...excludes.map((other) => `--${other}`),
      ...(help.match(/--[\w-]+/g) ?? []),
    ]);
    const known = options.map(([option]) => `--${option}`);
    expect(named.filter((other) => !known.includes(other))).toEqual([]);
  });

  it("has valid defaults", () => {
    for (const [, option] of options) {
      if (option.default === undefined) continue;
      expect(readValue(option, String(option.default))).toBe(option.default);
    }
  });

  it("fits into 100 columns, with every option", () => {
    const lines = formatHelp(name, usage).split("\n");
    expect(lines.filter((line) => line.length > 100 && !line.startsWith("usage:"))).toEqual([]);
    for (const [option] of options) {
      expect(lines.filter((line) => line.startsWith(`  --${option}`)).length).toBeGreaterThan(0);
    }
  });
});

describe("readArguments", () => {
  const usage = {
    summary: "",
    operands: ["<from>", "[to]"],
    about: "",
    options: {
      size: { type: "whole", value: "n", from: 1, to: 9, default: 5, help: "" },
      rate: { type: "number", value: "n", help: "" },
      mode: { type: "word", value: "fast|slow", help: "" },
      only: { type: "list", value: "list", help: "" },
      at: { type: "url", value: "url", help: "" },
      file: { value: "file", repeated: true, help: "" },
      dry: { help: "", excludes: ["rate"] },
    },
  } as const;
  const read = (...args: string[]) => readArguments(args, usage);

  it("returns defaults, undefined, false and empty lists for absent options", () => {
    const values = { size: 5, rate: undefined, mode: undefined, only: undefined, at: undefined };
    expect(read("a")).toEqual({ operands: ["a"], values: { ...values, file: [], dry: false } });
  });

  it("reads each type of value", () => {
    const args = ["--size=9", "--rate", "0.5", "--mode", "slow", "--only", "a,,b", "--dry"];
    const files = ["--file", "x", "--file", "y", "--at", "http://localhost"];
    expect(() => read("a", ...args)).toThrow("--rate cannot be combined with --dry");
    expect(read("a", "b", ...args.slice(0, -1), ...files)).toEqual({
      operands: ["a", "b"],
      values: {
        size: 9,
        rate: 0.5,
        mode: "slow",
        only: ["a", "b"],
        at: "http://localhost",
        file: ["x", "y"],
        dry: false,
      },
    });
  });

  it.each([
    [["a", "--size", "0"], "--size: expected a whole number from 1 to 9, found 0"],
    [["a", "--size", "1.5"], "--size: expected a whole number from 1 to 9, found 1.5"],
    [["a", "--size="], '--size: expected a whole number from 1 to 9, found ""'],
    [["a", "--rate", "."], '--rate: expected a number from 0 up, found "."'],
    [["a", "--mode", "f"], "--mode: expected fast or slow, found f"],
    [
      ["a", "--at", "ftp://x"],
      "--at: expected an address such as http://127.0.0.1:4000, found ftp://x",
    ],
    [[], "expected <from> [to]"],
    [["a", "b", "c"], "expected <from> [to]"],
  ])("refuses %j", (args, message) => {
    expect(() => read(...args)).toThrow(new RegExp(`^${message.replaceAll(/[[\].]/g, "\\$&")}$`));
  });
});

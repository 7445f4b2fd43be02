import { type CommandUsage, type Option, optionsOf } from "./options.js";

const WIDTH = 100;

/** The text of `twinbase <name> --help`. */
export function formatHelp(name: string, usage: CommandUsage): string {
  const { about, exitCodes } = usage;
  const options = optionsOf(usage);
  const names = Object.entries(options).map(([option, each]) => formatOption(option, each));
  const indent = Math.max(0, ...names.map((each) => each.length).filter((n) => n < 24)) + 4;
  const lines = Object.values(options).map((option, at) => {
    const head = `  ${names[at]}`;
    const text = wrap(describeOption(option), WIDTH - indent).join(`\n${" ".repeat(indent)}`);
    return head.length + 2 > indent
      ? `${head}\n${" ".repeat(indent)}${text}`
      : `${head.padEnd(indent)}${text}`;
  });
  return [
    formatUsage(name, usage),
    wrap(about, WIDTH).join("\n"),
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    ...(exitCodes === undefined ? [] : [`Exit codes: ${exitCodes}.`]),
    "",
  ]
    .join("\n\n")
    .slice(0, -1);
}

/** The usage line of a subcommand. */
export function formatUsage(name: string, usage: CommandUsage): string {
  const isBare = Object.keys(optionsOf(usage)).length === 0;
  return ["usage: twinbase", name, ...usage.operands, ...(isBare ? [] : ["[options]"])].join(" ");
}

/** An option with its value: `--port n`. */
export function formatOption(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** The help of an option, its default and restrictions included. */
export function describeOption(option: Option): string {
  return [
    option.help,
    ...(option.default === undefined || option.default === 0 ? [] : [`default ${option.default}`]),
    ...(option.repeated ? ["may be repeated"] : []),
    ...(option.excludes === undefined
      ? []
      : [`not with ${option.excludes.map((name) => `\`--${name}\``).join(", ")}`]),
  ].join("; ");
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

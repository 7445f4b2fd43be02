import { describeOption, formatOption, formatUsage } from "../../src/cli/help.js";
import { type CommandUsage, optionsOf } from "../../src/cli/options.js";
import { USAGES } from "../../src/cli/usage.js";

/** Generates `docs/command-line.md` from the table of options. */
export function commandLinePage(): string {
  const commands = Object.entries(USAGES).map(([name, usage]) => describeCommand(name, usage));
  return [
    "# The command line",
    "Run `npx twinbase <command>`, with `--help` for the same text. The exit code is 1 for a rejected request or an unreadable file, and 2 for wrong arguments.",
    ...commands,
    "",
  ]
    .join("\n\n")
    .slice(0, -1);
}

function describeCommand(name: string, usage: CommandUsage): string {
  const rows = Object.entries(optionsOf(usage)).map(([option, each]) => {
    const cells = [`\`${formatOption(option, each)}\``, describeOption(each)];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const table = ["| option | effect |", "|---|---|", ...rows].join("\n");
  return [
    `## ${name}`,
    `\`\`\`text\n${formatUsage(name, usage)}\n\`\`\``,
    usage.about,
    ...(rows.length === 0 ? [] : [table]),
    ...(usage.exitCodes === undefined ? [] : [`Exit codes: ${usage.exitCodes}.`]),
  ].join("\n\n");
}

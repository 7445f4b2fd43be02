import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { OPERATOR_NAMES, OPERATORS, type Operator } from "../../src/schema/operators.js";

const root: string = resolve(import.meta.dirname, "../..");

const COLUMNS: Readonly<Record<Operator["columns"], string>> = {
  comparable: "all but vectors, files",
  text: "text, JSON",
  range: "numbers, datetimes, JSON; `xata`: text",
  list: "`multiple`, JSON",
  all: "all, by path",
};

/** `docs/query-language.md`, its table of operators made from the one that the code uses. */
export function queryLanguagePage(): string {
  const page = readFileSync(join(root, "docs/query-language.md"), "utf8");
  return page.replace(
    /(<!-- operators -->\n\n)[\s\S]*?(?=\n\n<!--)/,
    (_, start) => start + table(),
  );
}

/** The operators, each with the comment of its row. */
function table(): string {
  const code = readFileSync(join(root, "src/schema/operators.ts"), "utf8");
  const rows = OPERATOR_NAMES.map((name) => {
    const comment = new RegExp(`/\\*\\* (.*) \\*/\\n  \\${name}: `).exec(code)?.[1];
    return `| \`${name}\` | ${comment} | ${COLUMNS[OPERATORS[name].columns]} |`;
  });
  return ["| operator | meaning | on |", "|---|---|---|", ...rows].join("\n");
}

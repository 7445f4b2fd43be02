import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { OPERATOR_NAMES, OPERATORS, type Operator } from "../../src/schema/operators.js";

const root: string = resolve(import.meta.dirname, "../..");

const COLUMNS: Readonly<Record<Operator["columns"], string>> = {
  comparable: "all columns except vectors and files",
  text: "text, also in JSON",
  range: "numbers and datetimes, also in JSON; under `xata` text too",
  list: "`multiple`, and lists in JSON",
  all: "all columns, given as `{ $exists: path }`",
};

/** Generates `docs/query-language.md` with the operators of the code. */
export function queryLanguagePage(): string {
  const page = readFileSync(join(root, "docs/query-language.md"), "utf8");
  return page.replace(
    /(<!-- operators -->\n\n)[\s\S]*?(?=\n\n<!--)/,
    (_, start) => start + table(),
  );
}

/** A table per kind of column; the meanings are the comments in the code. */
function table(): string {
  const code = readFileSync(join(root, "src/schema/operators.ts"), "utf8");
  const groups = Object.entries(COLUMNS).map(([kind, columns]) => {
    const rows = OPERATOR_NAMES.filter((name) => OPERATORS[name].columns === kind).map((name) => {
      const comment = new RegExp(`/\\*\\* (.*) \\*/\\n  \\${name}: `).exec(code)?.[1];
      return `| \`${name}\` | ${comment} |`;
    });
    return [`| on ${columns} | |`, "|---|---|", ...rows].join("\n");
  });
  return groups.join("\n\n");
}

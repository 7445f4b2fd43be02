import { RULES, type Rule, SECTIONS } from "../../src/conformance/rules.js";
import { type ErrorCode, STATUS_BY_CODE } from "../../src/errors.js";

/** A sentence per code. */
const MEANING_BY_CODE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "The request is not JSON, or has an unknown key or invalid value.",
  invalid_name: "The name is not allowed.",
  invalid_schema: "Columns contradict each other, or a type lacks an option.",
  invalid_record: "A value does not fit its column, or a required one is missing.",
  invalid_filter: "The column does not support the operator or value.",
  invalid_sort: "The column or direction cannot be sorted by.",
  invalid_page: "Size, offset or cursors are invalid or contradict each other.",
  invalid_cursor: "The cursor was altered, or belongs to another table or schema.",
  unknown_column: "No such column; the message has the nearest one.",
  unauthorized: "The key is missing or unknown.",
  forbidden: "The key's owner lacks the permission, or the origin or host is not allowed.",
  workspace_not_found: "No such workspace, or the key's owner is no member.",
  workspace_member_not_found: "Nothing has this name or id.",
  invite_not_found: "Nothing has this name or id.",
  key_not_found: "Nothing has this name or id.",
  database_not_found: "Nothing has this name or id.",
  branch_not_found: "Nothing has this name or id.",
  table_not_found: "Nothing has this name or id.",
  column_not_found: "Nothing has this name or id.",
  record_not_found: "Nothing has this name or id.",
  file_not_found: "Nothing has this name or id.",
  git_branch_not_found: "Nothing has this name or id.",
  migration_request_not_found: "Nothing has this name or id.",
  route_not_found: "No such route; the message has the nearest one.",
  method_not_allowed: "The route has other methods, listed in the header Allow.",
  query_timeout: "The call exceeded its time limit.",
  payload_too_large: "A body, answer or stored value exceeds its limit.",
  database_exists: "The name or id is taken.",
  branch_exists: "The name or id is taken.",
  table_exists: "The name or id is taken.",
  column_exists: "The name or id is taken.",
  id_in_use: "The name or id is taken.",
  key_exists: "The name or id is taken.",
  version_conflict: "The record has another version.",
  schema_conflict: "Existing records or schemas do not allow this change.",
  last_branch: "The last branch cannot be deleted.",
  internal: "A bug in Twinbase.",
  not_implemented: "Twinbase lacks this call of the service.",
  unavailable: "The database is unreachable or overloaded; try again.",
};

/** Generates `docs/rules.md` from the tables of the code. */
export function rulesPage(): string {
  return `# Errors and rules

Every error is a \`TwinbaseError\`, and JSON over HTTP. \`message\` says what was expected and found, \`path\` is a JSON
Pointer into the request, \`rule\` the violated rule. If a batch is rejected, \`errors\` lists its invalid members. A failed
call changes nothing.

## Codes

| code | status | when |
|---|---|---|
${codeRows().join("\n")}

## Rules

*Core* rules are in the service's documentation, *complete* rules make it exact, *strict* rules go beyond it.

${Object.entries(SECTIONS)
  .map(([letter, title]) => sectionOf(letter, title))
  .join("\n\n")}
`;
}

/** A row per meaning. */
function codeRows(): string[] {
  const codesByMeaning = new Map<string, ErrorCode[]>();
  for (const [code, meaning] of Object.entries(MEANING_BY_CODE)) {
    const codes = codesByMeaning.get(meaning) ?? [];
    codesByMeaning.set(meaning, [...codes, code as ErrorCode]);
  }
  return [...codesByMeaning].map(([meaning, codes]) => {
    const statuses = new Set(codes.map((code) => STATUS_BY_CODE[code]));
    const names = codes.map((code) => `\`${code}\``).join(", ");
    return `| ${names} | ${[...statuses].join(", ")} | ${meaning} |`;
  });
}

/** A section; its heading names the tier if all rules share it. */
function sectionOf(letter: string, title: string): string {
  const rules = RULES.filter(({ section }) => section === letter);
  const tiers = new Set(rules.map(({ tier }) => tier));
  const isUniform = tiers.size === 1;
  const heading = `### ${letter}: ${title}${isUniform ? ` (${[...tiers].join()})` : ""}`;
  return [heading, ...rules.map((rule) => lineOf(rule, !isUniform))].join("\n\n");
}

function lineOf({ id, tier, meaning }: Rule, hasTier: boolean): string {
  const mark = hasTier ? ` (${tier})` : "";
  return `<a id="${id.toLowerCase()}"></a>**${id}**${mark} ${escapeMarkdown(meaning)}`;
}

/** Escapes Markdown. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<>*_[\]{}|\\$~]/g, (mark) => `\\${mark}`);
}

import { RULES, type Rule, SECTIONS } from "../../src/conformance/rules.js";
import { type ErrorCode, STATUS_BY_CODE } from "../../src/errors.js";

/** What each code says; the rules say when. */
const MEANING_BY_CODE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "The request cannot be read: no JSON, a key or a value that means nothing here.",
  invalid_name: "A name that the rules forbid.",
  invalid_schema: "Columns that cannot be together, or a type without what it needs.",
  invalid_record: "A value that its column does not take, or one that must be there and is not.",
  invalid_filter: "An operator or a value that the column does not have.",
  invalid_sort: "A column or a direction that cannot be sorted by.",
  invalid_page: "A size, an offset or cursors that do not go together.",
  invalid_cursor: "A cursor that was altered, or is of another table or schema.",
  unknown_column: "No column has that name; the message has the nearest one.",
  unauthorized: "No key, or one that nobody has.",
  forbidden: "The key's owner may not do that.",
  workspace_not_found: "No such workspace, or not one that the key's owner is a member of.",
  workspace_member_not_found: "No such member of the workspace.",
  invite_not_found: "No such invite.",
  key_not_found: "No key has that name.",
  database_not_found: "No such database in the workspace.",
  branch_not_found: "No such branch of the database.",
  table_not_found: "No such table in the branch.",
  column_not_found: "No such column, where the address names one.",
  record_not_found: "No record has that id.",
  file_not_found: "The record holds no such file.",
  git_branch_not_found: "No mapping has that git branch.",
  migration_request_not_found: "No such migration request.",
  route_not_found: "No call has that address; the message has the nearest one.",
  method_not_allowed:
    "The address is known, the method is not; the header Allow has those that are.",
  query_timeout: "The call worked longer than its limit, and changed nothing.",
  payload_too_large: "A body, an answer or what would be stored is over its limit.",
  database_exists: "The workspace has a database of that name.",
  branch_exists: "The database has a branch of that name.",
  table_exists: "The branch has a table of that name.",
  column_exists: "The table has a column of that name.",
  id_in_use: "A record of that id, or one with that unique value, is there.",
  key_exists: "The user has a key of that name.",
  version_conflict: "The record has another version than the one asked for.",
  schema_conflict: "The records that are there do not allow that change of the schema.",
  last_branch: "A database keeps one branch.",
  internal: "A fault of ours. Nothing of what is inside is told.",
  not_implemented: "The service has this call, Twinbase does not.",
  unavailable: "The database beneath cannot be reached or is in use by too many; send it again.",
};

/** The text of `docs/rules.md`, made from the tables that the code uses. */
export function rulesPage(): string {
  return `# Errors and rules

Every refusal is a \`TwinbaseError\`, and over HTTP the same as JSON: \`message\` says what was expected and
what was found, \`code\` is one of the list below, \`path\` is a JSON pointer (RFC 6901) into what was given,
\`rule\` the number of the rule that refuses. A refused batch lists its bad members under \`errors\`. A call
that is refused has changed nothing.

This page is made from the tables that the code uses: \`npm run docs\`.

## Codes

| code | status | when |
|---|---|---|
${Object.entries(STATUS_BY_CODE)
  .map(([code, status]) => `| \`${code}\` | ${status} | ${MEANING_BY_CODE[code as ErrorCode]} |`)
  .join("\n")}

## Rules

A rule marked *core* says what the service's own description shows, *complete* what had to be made exact,
*strict* what goes further. The conformance kit checks them, tests and errors name them.

${Object.entries(SECTIONS)
  .map(([letter, title]) => sectionOf(letter, title))
  .join("\n\n")}
`;
}

function sectionOf(letter: string, title: string): string {
  const rules = RULES.filter(({ section }) => section === letter).map(lineOf);
  return `### ${letter}: ${title}\n\n${rules.join("\n\n")}`;
}

function lineOf({ id, tier, meaning }: Rule): string {
  return `<a id="${id.toLowerCase()}"></a>**${id}** (${tier}) ${escapeMarkdown(meaning)}`;
}

/** Text that Markdown shows as it is. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<>*_[\]{}|\\$~]/g, (mark) => `\\${mark}`);
}

import { RULES, type Rule, SECTIONS } from "../../src/conformance/rules.js";
import { type ErrorCode, STATUS_BY_CODE } from "../../src/errors.js";

/** A sentence for each code. */
const MEANING_BY_CODE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "The request is not JSON, or has an unknown key or an invalid value.",
  invalid_name: "The name is not allowed.",
  invalid_schema: "The columns contradict each other, or a type lacks an option.",
  invalid_record: "A value does not fit its column, or a required value is missing.",
  invalid_filter: "The column does not support the operator or the value.",
  invalid_sort: "The column or the direction cannot be sorted by.",
  invalid_page: "Size, offset or cursors are invalid or contradict each other.",
  invalid_cursor: "The cursor was altered, or belongs to another table or schema.",
  unknown_column: "No column has this name; the message has the nearest one.",
  unauthorized: "The key is missing or unknown.",
  forbidden: "The owner of the key lacks the permission.",
  workspace_not_found: "The workspace does not exist, or the owner of the key is not a member.",
  workspace_member_not_found: "No such member of the workspace.",
  invite_not_found: "No such invite.",
  key_not_found: "No key has that name.",
  database_not_found: "No such database in the workspace.",
  branch_not_found: "No such branch of the database.",
  table_not_found: "No such table in the branch.",
  column_not_found: "The column in the address does not exist.",
  record_not_found: "No record has that id.",
  file_not_found: "The record has no such file.",
  git_branch_not_found: "The git branch has no mapping.",
  migration_request_not_found: "No such migration request.",
  route_not_found: "No route has this address; the message has the nearest one.",
  method_not_allowed:
    "The route does not support the method; the header Allow lists those it supports.",
  query_timeout: "The call exceeded its time limit and changed nothing.",
  payload_too_large: "A body, an answer or a stored value exceeds its limit.",
  database_exists: "The workspace already has a database of this name.",
  branch_exists: "The database already has a branch of this name.",
  table_exists: "The branch already has a table of this name.",
  column_exists: "The table already has a column of this name.",
  id_in_use: "A record with this id or unique value exists.",
  key_exists: "The user already has a key of this name.",
  version_conflict: "The record has a different version.",
  schema_conflict: "Existing records or schemas do not allow this change.",
  last_branch: "The last branch of a database cannot be deleted.",
  internal: "A bug in Twinbase. The answer has no internal details.",
  not_implemented: "The service supports this call, Twinbase does not.",
  unavailable: "The database is unreachable or overloaded; try again.",
};

/** The text of `docs/rules.md`, made from the tables that the code uses. */
export function rulesPage(): string {
  return `# Errors and rules

Every error is a \`TwinbaseError\`, and over HTTP the same as JSON: \`message\` has the expected and the found value,
\`code\` is listed below, \`path\` is a JSON Pointer (RFC 6901) into your argument, \`rule\` is the number of the
broken rule. A refused batch lists its bad members under \`errors\`. A failed call changes nothing.

## Codes

| code | status | when |
|---|---|---|
${Object.entries(STATUS_BY_CODE)
  .map(([code, status]) => `| \`${code}\` | ${status} | ${MEANING_BY_CODE[code as ErrorCode]} |`)
  .join("\n")}

## Rules

*Core* rules are in the service's own description, *complete* rules make it exact, *strict* rules go further. The
conformance kit checks them; tests and errors cite them. \`npm run docs\` writes this page.

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

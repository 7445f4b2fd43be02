import { expect } from "vitest";
import { RULES } from "../../src/conformance/rules.js";
import { readPointer, STATUS_BY_CODE } from "../../src/errors.js";
import { type BatchFault, TwinbaseError } from "../../src/index.js";

const RULE_NUMBERS: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

/** Codes of errors about a name or id in the address of a call, which have no path. */
const OF_ADDRESS: ReadonlySet<string> = new Set([
  ...["invalid_name", "record_not_found", "column_not_found", "version_conflict", "id_in_use"],
  ...["workspace_not_found", "database_not_found", "branch_not_found", "table_not_found"],
  ...["database_exists", "branch_exists", "table_exists", "git_branch_not_found"],
]);
const ADDRESSED: ReadonlySet<string> = new Set(["put", "upsert", "updateUser", "createWorkspace"]);

/** Requires an error with a known code, rule, and path in the arguments (E-1). */
export function expectSoundRefusal(call: string, error: unknown, args: readonly unknown[]): void {
  if (!(error instanceof TwinbaseError)) throw error;
  const { code, status, message, errors } = error;
  const label = `${call}: ${code}: ${message}`;
  expect(Object.keys(STATUS_BY_CODE), label).toContain(code);
  expect([STATUS_BY_CODE[code], 400, 401], label).toContain(status);
  expect(code, label).not.toBe("internal");
  expect(message.length, label.slice(0, 200)).toBeLessThan(3000);
  expectPlace(call, error, args, label);
  for (const fault of errors ?? []) expectPlace(call, fault, args, label);
}

function expectPlace(
  call: string,
  { code, path, rule, message }: TwinbaseError | BatchFault,
  args: readonly unknown[],
  label: string,
): void {
  expect(RULE_NUMBERS.has(rule ?? ""), `${label}: rule ${rule}`).toBe(true);
  if (path === undefined) {
    const isOfAddress = OF_ADDRESS.has(code) || (ADDRESSED.has(call) && rule !== "P-9");
    expect(isOfAddress, `${label}: no path`).toBe(true);
    return;
  }
  // The path of a missing value may lead through missing parents.
  const isMissing = message.endsWith("found nothing");
  expect(isMissing || pointsInto(args, path), `${label}: path ${path} leads nowhere`).toBe(true);
}

/** Whether the parent of a path is in the arguments: an absent member is reported there. */
function pointsInto(args: readonly unknown[], path: string): boolean {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const [first] = args;
  // Some arguments are named as keys in paths, such as operations.
  const roots = [...args, { operations: first }, { name: args.at(-1) }, { gitBranch: first }];
  return path === "" || roots.some((root) => isObject(readPointer(root, above)));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

import { refuse } from "../../errors.js";
import type { Limits, Profile } from "../../profile.js";
import { type NumberRange, readNumber } from "../../value/fields.js";
import { countCodePoints } from "../../value/text.js";
import {
  type Fields,
  listOf,
  numberIn,
  oneOf,
  readFields,
  readFlag,
  readLater,
  refuseAt,
  textFor,
  type Unbound,
} from "./fields.js";
import {
  DEFAULT_FUZZINESS,
  DEFAULT_SIZE,
  FUZZINESS,
  MAX_BOOSTERS,
  MAX_QUERY_LENGTH,
  PAGE_OFFSET,
  PAGE_SIZE,
  PREFIXES,
  WEIGHT,
} from "./limits.js";
import { type ParsedBooster, readBooster } from "./read-booster.js";

export interface Settings {
  readonly query: string;
  readonly fuzziness: number;
  readonly isPhrase: boolean;
  readonly highlight: { readonly enabled: boolean; readonly encodeHTML: boolean };
  readonly size: number;
  readonly offset: number;
}

/** The parts of a search for one table, unbound; keys in the order of the request. */
export interface TableParts {
  readonly target?: readonly ParsedTarget[];
  readonly filter?: Unbound;
  readonly boosters?: readonly ParsedBooster[];
}

export interface ParsedTarget {
  readonly column: Unbound;
  readonly weight: number;
}

export interface ParsedTable {
  readonly name: string;
  readonly parts: TableParts;
}

export interface RequestContext {
  readonly profile: Profile;
  readonly limits: Limits;
}

const MAX_TABLES = 10_000;

export function readTableSearch(
  request: unknown,
  context: RequestContext,
): { readonly settings: Settings; readonly parts: TableParts } {
  const readers = { ...settingReaders(context), ...partReaders(context) };
  const fields = readFields(request === undefined ? {} : request, "", readers, context.profile);
  return { settings: toSettings(fields), parts: fields };
}

export function readBranchSearch(
  request: unknown,
  context: RequestContext,
  hasTable: (name: string) => boolean,
): { readonly settings: Settings; readonly tables: readonly ParsedTable[] | undefined } {
  const tables = (value: unknown, at: string): ParsedTable[] =>
    readTables(value, at, context, hasTable);
  const readers = { ...settingReaders(context), tables };
  const fields = readFields(request === undefined ? {} : request, "", readers, context.profile);
  const { query } = fields; // a branch search needs a query
  if (query === undefined || query === "") refuseAt("a non-empty string", query, "/query", "Q-2");
  return { settings: toSettings(fields), tables: fields.tables };
}

type SettingReaders = ReturnType<typeof settingReaders>;

function settingReaders({ profile }: RequestContext) {
  return {
    query: readQuery,
    fuzziness: numberIn(FUZZINESS, "Q-3"),
    prefix: oneOf(PREFIXES, "Q-4"),
    highlight: (value: unknown, at: string) =>
      readFields(value, at, { enabled: readFlag, encodeHTML: readFlag }, profile),
    page: (value: unknown, at: string) =>
      readFields(value, at, { size: readLater, offset: readLater }, profile),
  };
}

function readQuery(value: unknown, at: string): string {
  const query = textFor("a text", "Q-2")(value, at);
  const length = countCodePoints(query);
  if (length <= MAX_QUERY_LENGTH) return query;
  return refuse(
    "invalid_request",
    `query: expected at most ${MAX_QUERY_LENGTH} characters, found ${length}`,
    { path: at, rule: "Q-7" },
  );
}

function toSettings(fields: Fields<SettingReaders>): Settings {
  const { query = "", fuzziness = DEFAULT_FUZZINESS, prefix, highlight = {}, page = {} } = fields;
  let size = DEFAULT_SIZE;
  let offset = 0;
  for (const [key, part] of Object.entries(page)) {
    if (key === "size") size = readPagePart(part, PAGE_SIZE);
    else offset = readPagePart(part, PAGE_OFFSET);
  }
  const { enabled = true, encodeHTML = true } = highlight;
  return {
    query,
    fuzziness,
    isPhrase: prefix === "phrase",
    highlight: { enabled, encodeHTML },
    size,
    offset,
  };
}

/** Reads a part of `page`, after the shape of the whole request (E-6). */
function readPagePart({ value, at }: Unbound, range: NumberRange): number {
  const part = { what: `page ${at.slice("/page/".length)}`, path: at, rule: "Q-7" };
  return readNumber(value, range, { ...part, code: "invalid_page" });
}

function partReaders(context: RequestContext) {
  const { profile, limits } = context;
  return {
    target: listOf((value, at) => readTarget(value, at, profile), {
      least: 1,
      most: limits.columns,
      rule: "Q-1",
    }),
    filter: readLater,
    boosters: listOf((value, at) => readBooster(value, at, profile), {
      most: MAX_BOOSTERS,
      rule: "Q-5",
    }),
  };
}

function readTarget(value: unknown, at: string, profile: Profile): ParsedTarget {
  if (typeof value === "string") return { column: { value, at }, weight: 1 };
  const readers = {
    column: (path: unknown, place: string) =>
      readLater(textFor("a column path", "Q-1")(path, place), place),
    weight: numberIn(WEIGHT, "Q-1", "a number"),
  };
  const { column, weight = 1 } = readFields(value, at, readers, profile);
  if (column === undefined)
    return refuseAt("a column path, or an object with the key column", value, at, "Q-1");
  return { column, weight };
}

function readTables(
  value: unknown,
  at: string,
  context: RequestContext,
  hasTable: (name: string) => boolean,
): ParsedTable[] {
  const names = new Set<string>();
  const readName = (name: unknown, place: string): string => {
    if (typeof name !== "string") return refuseAt("the name of a table", name, place, "Q-1");
    if (!hasTable(name)) refuseTable(`table [${name.slice(0, 255)}] not found`, place);
    if (names.has(name)) refuseTable(`table [${name}] is named twice`, place);
    names.add(name);
    return name;
  };
  const readMember = (member: unknown, place: string): ParsedTable => {
    if (typeof member === "string") return { name: readName(member, place), parts: {} };
    const readers = { table: readName, ...partReaders(context) };
    const { table, ...parts } = readFields(member, place, readers, context.profile);
    if (table === undefined)
      return refuseAt("the name of a table, or an object with the key table", member, place, "Q-1");
    return { name: table, parts };
  };
  return listOf(readMember, { least: 1, most: MAX_TABLES, rule: "Q-1" })(value, at);
}

function refuseTable(message: string, path: string): never {
  refuse("invalid_request", message, { path, rule: "Q-1" });
}

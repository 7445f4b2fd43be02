import { refuse } from "../../errors.js";
import * as s from "../../shape/schema.js";
import { countCodePoints } from "../../value/text.js";
import {
  columnOf,
  FILTER,
  type Fields,
  FLAG,
  listOf,
  mapped,
  missingIn,
  named,
  numberOf,
  objectOf,
  oneOf,
  optionsOf,
  type Reader,
  type RequestContext,
  readNumberBy,
  refuseAt,
  textOf,
  textOr,
  type Unbound,
  unbound,
} from "./fields.js";
import { BOOSTER, type ParsedBooster } from "./read-booster.js";

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

const MAX_QUERY_LENGTH = 2048;
const DEFAULT_SIZE = 25;
const SIZE = s.wholeOf(1, 200, `Default ${DEFAULT_SIZE}.`);
const OFFSET = s.wholeOf(0, 800, "Default 0.");

const SETTINGS = {
  fuzziness: numberOf(s.wholeOf(0, 2, "Default 1."), "Q-3"),
  prefix: oneOf(["phrase", "disabled"], "Q-4"),
  highlight: optionsOf({ enabled: FLAG, encodeHTML: FLAG }),
  page: optionsOf({ size: unbound(SIZE), offset: unbound(OFFSET) }),
};

const TARGET = textOr<ParsedTarget>(
  (value, at) => ({ column: { value, at }, weight: 1 }),
  mapped(
    objectOf(
      { column: columnOf("a column path", "Q-1") },
      { weight: numberOf(s.numberOf(1, 10), "Q-1") },
      missingIn("a column path, or an object with the key column", "Q-1"),
    ),
    ({ column, weight = 1 }) => ({ column, weight }),
  ),
);

const PARTS = {
  target: listOf(named("SearchTarget", TARGET), {
    least: 1,
    most: 1000,
    limit: "columns",
    rule: "Q-1",
  }),
  filter: FILTER,
  // Limits the cost of a search.
  boosters: listOf(BOOSTER, { most: 100, rule: "Q-5" }),
};

const TABLE_NAME: Reader<string> = {
  schema: s.TEXT,
  read(name, at, { takeTable }) {
    if (typeof name !== "string") return refuseAt("the name of a table", name, at, "Q-1");
    takeTable?.(name, at);
    return name;
  },
};

const TABLE = textOr<ParsedTable>(
  (name, at, context) => ({ name: TABLE_NAME.read(name, at, context), parts: {} }),
  mapped(
    objectOf(
      { table: TABLE_NAME },
      PARTS,
      missingIn("the name of a table, or an object with the key table", "Q-1"),
    ),
    ({ table, ...parts }) => ({ name: table, parts }),
  ),
);

const TABLE_SEARCH = optionsOf({ query: queryOf(0), ...SETTINGS, ...PARTS });

const BRANCH_SEARCH = objectOf(
  { query: queryOf(1) },
  { ...SETTINGS, tables: listOf(TABLE, { least: 1, most: 10_000, rule: "Q-1" }) },
  () => refuseEmpty(undefined),
);

export const TABLE_SEARCH_SCHEMA: s.Schema = s.named("SearchRequest", TABLE_SEARCH.schema);
export const BRANCH_SEARCH_SCHEMA: s.Schema = s.named("BranchSearchRequest", BRANCH_SEARCH.schema);

export function readTableSearch(
  request: unknown,
  context: RequestContext,
): { readonly settings: Settings; readonly parts: TableParts } {
  const fields = TABLE_SEARCH.read(request === undefined ? {} : request, "", context);
  return { settings: toSettings(fields), parts: fields };
}

export function readBranchSearch(
  request: unknown,
  context: RequestContext,
  hasTable: (name: string) => boolean,
): { readonly settings: Settings; readonly tables: readonly ParsedTable[] | undefined } {
  const names = new Set<string>();
  const takeTable = (name: string, at: string): void => {
    if (!hasTable(name)) refuseTable(`table [${name.slice(0, 255)}] not found`, at);
    if (names.has(name)) refuseTable(`table [${name}] is named twice`, at);
    names.add(name);
  };
  const { profile, limits } = context;
  const given = request === undefined ? {} : request;
  const fields = BRANCH_SEARCH.read(given, "", { profile, limits, takeTable });
  if (fields.query === "") refuseEmpty("");
  return { settings: toSettings(fields), tables: fields.tables };
}

function refuseTable(message: string, path: string): never {
  refuse("invalid_request", message, { path, rule: "Q-1" });
}

/** A branch search needs a query. */
function refuseEmpty(query: unknown): never {
  refuseAt("a non-empty string", query, "/query", "Q-2");
}

function queryOf(least: number): Reader<string> {
  const text = textOf("a text", "Q-2");
  return {
    schema: s.textOf(least, MAX_QUERY_LENGTH),
    read(value, at, context) {
      const query = text.read(value, at, context);
      const length = countCodePoints(query);
      if (length <= MAX_QUERY_LENGTH) return query;
      const expected = `expected at most ${MAX_QUERY_LENGTH} characters, found ${length}`;
      return refuse("invalid_request", `query: ${expected}`, { path: at, rule: "Q-7" });
    },
  };
}

type SettingFields = Fields<Record<never, never>, typeof SETTINGS> & { readonly query?: string };

function toSettings(fields: SettingFields): Settings {
  const { query = "", fuzziness = 1, prefix, highlight = {}, page = {} } = fields;
  let size = DEFAULT_SIZE;
  let offset = 0;
  for (const [key, part] of Object.entries(page)) {
    if (key === "size") size = readPagePart(part, SIZE);
    else offset = readPagePart(part, OFFSET);
  }
  const { enabled = true, encodeHTML = true } = highlight;
  const isPhrase = prefix === "phrase";
  return { query, fuzziness, isPhrase, highlight: { enabled, encodeHTML }, size, offset };
}

/** Reads a part of `page`, after the shape of the whole request (E-6). */
function readPagePart({ value, at }: Unbound, schema: s.JsonSchema): number {
  const part = { what: `page ${at.slice("/page/".length)}`, path: at, rule: "Q-7" };
  return readNumberBy(schema, value, { ...part, code: "invalid_page" });
}

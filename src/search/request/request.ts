import { pointerTo, refuse } from "../../errors.js";
import { type RequestPart, readNumber, refuseValue } from "../../shape/fields.js";
import * as s from "../../shape/schema.js";
import { countCodePoints } from "../../value/text.js";
import { BOOSTER, type ParsedBooster } from "./read-booster.js";
import { columnPath, UNBOUND_FILTER, type Unbound, unbound } from "./unbound.js";

export interface ParsedSettings {
  readonly query: string;
  readonly fuzziness: number;
  readonly isPhrase: boolean;
  readonly highlight: { readonly enabled: boolean; readonly encodeHTML: boolean };
  readonly size: number;
  readonly offset: number;
}

/** The parts of a search for one table, unbound; keys in the order of the request. */
export interface TableSearchParts {
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
  /** JSON Pointer of the name. */
  readonly at: string;
  readonly parts: TableSearchParts;
}

export interface TableSearch {
  readonly settings: ParsedSettings;
  readonly parts: TableSearchParts;
}

export interface BranchSearch {
  readonly settings: ParsedSettings;
  readonly tables: readonly ParsedTable[] | undefined;
}

const MAX_QUERY_LENGTH = 2048;
const DEFAULT_SIZE = 25;
const SIZE = s.wholeOf(0, 200, `Default ${DEFAULT_SIZE}; 0 only counts.`);
const OFFSET = s.wholeOf(0, 800, "Default 0.");

const SETTINGS = {
  fuzziness: s.reading(s.wholeOf(0, 2, "Default 1."), { rule: "Q-3" }),
  prefix: s.reading(s.oneOf(["phrase", "disabled"]), { rule: "Q-4" }),
  highlight: s.objectOf({}, { enabled: s.FLAG, encodeHTML: s.FLAG }),
  page: s.objectOf({}, { size: unbound(SIZE), offset: unbound(OFFSET) }),
};

const COLUMN = { expected: "a column path, or an object with the key column", rule: "Q-1" };
const TARGET: s.Schema<ParsedTarget> = {
  anyOf: [
    s.mapped(
      columnPath(COLUMN.expected, COLUMN.rule),
      (column): ParsedTarget => ({ column, weight: 1 }),
    ),
    s.mapped(
      s.reading(
        s.objectOf(
          { column: columnPath("a column path", "Q-1") },
          { weight: s.reading(s.numberOf(1, 10), { rule: "Q-1" }) },
        ),
        { rule: "E-3", missing: COLUMN },
      ),
      ({ column, weight = 1 }): ParsedTarget => ({ column, weight }),
    ),
  ],
};

const PARTS = {
  target: s.reading<readonly ParsedTarget[]>(
    { ...s.arrayOf(s.named("SearchTarget", TARGET)), minItems: 1, maxItems: 1000 },
    { rule: "Q-1", limit: "columns" },
  ),
  filter: UNBOUND_FILTER,
  // Limits the cost of a search.
  boosters: s.reading<readonly ParsedBooster[]>(
    { ...s.arrayOf(BOOSTER), maxItems: 100 },
    { rule: "Q-5" },
  ),
};

const NAME = { expected: "the name of a table, or an object with the key table", rule: "Q-1" };
const TABLE: s.Schema<ParsedTable> = {
  anyOf: [
    s.mapped(s.TEXT, (name, { path = "" }): ParsedTable => {
      return { name, at: pointerTo(path), parts: {} };
    }),
    s.mapped(
      s.reading(
        s.objectOf(
          { table: s.reading(s.TEXT, { expected: "the name of a table", rule: "Q-1" }) },
          PARTS,
        ),
        { rule: "E-3", missing: NAME },
      ),
      ({ table, ...parts }, { path = "" }): ParsedTable => {
        return { name: table, at: `${pointerTo(path)}/table`, parts };
      },
    ),
  ],
};

export const TABLE_SEARCH: s.Schema<TableSearch> = s.named(
  "SearchRequest",
  s.mapped(s.objectOf({}, { query: queryOf(0), ...SETTINGS, ...PARTS }), (fields) => ({
    settings: toSettings(fields),
    parts: fields,
  })),
);

export const BRANCH_SEARCH: s.Schema<BranchSearch> = s.named(
  "BranchSearchRequest",
  s.mapped(
    s.objectOf(
      { query: queryOf(1) },
      {
        ...SETTINGS,
        tables: s.reading<readonly ParsedTable[]>(
          { ...s.arrayOf(TABLE), minItems: 1, maxItems: 10_000 },
          { rule: "Q-1" },
        ),
      },
    ),
    (fields) => ({ settings: toSettings(fields), tables: fields.tables }),
  ),
);

/** Throws for missing and repeated tables. */
export function checkNames(
  tables: readonly ParsedTable[],
  hasTable: (name: string) => boolean,
): void {
  const names = new Set<string>();
  for (const { name, at } of tables) {
    if (!hasTable(name)) refuseTable(`table [${name.slice(0, 255)}] not found`, at);
    if (names.has(name)) refuseTable(`table [${name}] is named twice`, at);
    names.add(name);
  }
}

function refuseTable(message: string, path: string): never {
  refuse("invalid_request", message, { path, rule: "Q-1" });
}

function queryOf(least: number): s.Schema<string> {
  const text = s.described(s.textOf(least, MAX_QUERY_LENGTH), { rule: "Q-2" });
  return s.mapped(text, (query, part: RequestPart) => {
    if (typeof query !== "string") refuseValue(query, "a text", part);
    if (query.length < least) refuseValue(query, "a non-empty string", part);
    const length = countCodePoints(query);
    if (length <= MAX_QUERY_LENGTH) return query;
    const expected = `expected at most ${MAX_QUERY_LENGTH} characters, found ${length}`;
    const { path = "" } = part;
    return refuse("invalid_request", `query: ${expected}`, { path, rule: "Q-7" });
  });
}

type GivenSettings = { readonly query?: string } & {
  readonly [K in keyof typeof SETTINGS]?: s.TypeOf<(typeof SETTINGS)[K]>;
};

function toSettings(fields: GivenSettings): ParsedSettings {
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
function readPagePart({ value, at }: Unbound, { minimum, maximum }: s.JsonSchema): number {
  const what = `page ${at.slice("/page/".length)}`;
  const part = { what, path: at, rule: "Q-7", code: "invalid_page" } as const;
  return readNumber(value, [minimum, maximum], part);
}

/** Extent of the checks: `core` as documented, `complete` by the rules, `strict` all rules. */
export type Tier = "core" | "complete" | "strict";

/** The tiers; each includes the ones before it. */
export const TIERS: readonly Tier[] = ["core", "complete", "strict"];

/** The sections of the rules by letter. */
export const SECTIONS = {
  N: "names",
  T: "column types",
  R: "records",
  P: "column selection",
  F: "filters",
  S: "sorting",
  G: "pages",
  B: "branches and git mapping",
  M: "tables",
  D: "databases",
  U: "users and authentication",
  E: "errors",
  L: "limits",
  X: "records, schema and branches over HTTP",
  Q: "search",
  V: "vector search",
  H: "files",
  A: "accounts",
  K: "the history of a schema",
} as const;

export type Section = keyof typeof SECTIONS;

/** The number of a rule, such as `F-12`. */
export type RuleId = `${Section}-${number}`;

/** A rule of the interface. */
export interface Rule {
  readonly id: RuleId;
  readonly section: Section;
  readonly tier: Tier;
  /** The rule in a sentence. */
  readonly meaning: string;
}

/** The sentences of the rules, by the lowest tier that checks any part of them. */
const MEANINGS: { readonly [tier in Tier]: { readonly [id: RuleId]: string } } = {
  core: {
    "N-2": "An address has db:branch, with one colon.",
    "N-3":
      "A column name is unique in any case, starts with no $, and is not id, the metadata column, __proto__ or an index.",
    "N-4": "A column path joins names with dots, through objects and links.",
    "T-2": "int: safe integers, never rounded.",
    "T-4": "string: up to 2048 code points, no lone surrogates, in code point order.",
    "T-6": "email: local@domain of ASCII, as documented, up to 254 characters.",
    "T-7": "datetime: RFC 3339 with offset, to the microsecond, returned in UTC.",
    "T-8": "multiple: an ordered list of strings.",
    "T-9": "link: a record's id. If the record is missing, columns read through it are null.",
    "T-10": "object: its declared sub-columns only.",
    "R-1": "Every record has an id and metadata.",
    "P-1": "Without columns: all columns, and the ids of links.",
    "P-2": "With columns: id, metadata and the selected columns.",
    "P-3": "* selects all columns: objects whole, links by id.",
    "P-4": "obj and obj.* select a whole object, obj.sub a part. Selections add up.",
    "P-5": "link.sub and link.* select columns of the linked record; paths can continue.",
    "F-1": "All keys of a filter must match. An unknown operator is rejected.",
    "F-2":
      "$all needs every part, $any one; of no parts $all is true, $any false. An empty object is rejected.",
    "F-3": "$not negates its parts together; $none negates $any.",
    "F-4": "$exists matches non-null columns, $notExists null ones.",
    "F-5": "A plain value means $is, a plain null $notExists.",
    "F-6": "Dotted and nested paths are equivalent.",
    "F-8": "$is and $isNot compare by value, as the column's type does.",
    "F-9": "$any under a column matches any of several values.",
    "F-10": "$contains, $startsWith and $endsWith match exact text.",
    "F-11":
      "$pattern matches the whole text: * any characters, ? one, \\ escapes. Its time is bounded.",
    "F-12": "$gt, $ge, $lt and $le compare numbers and times.",
    "F-13": "$includesAny, $includesAll and $includesNone test the items of a list.",
    "S-1": "sort is an object, or an array of them, applied in turn.",
    "S-4": "A random order is new for each query and fixed while it is paged.",
    "G-1": "Page size and offset have defaults and maximums.",
    "G-2": "more is whether another page follows in the same direction.",
    "G-3": "Every page has a cursor, more and its size.",
    "G-4": "A cursor contains its query and position in URL-safe characters.",
    "G-5": "after returns the records after a page, before those before it.",
    "G-6": "start and end return the first and last page of a cursor's query.",
    "G-7": "With a cursor, columns and size can change, filter and sort cannot.",
    "G-8": "start and end exclude other cursors.",
    "G-9": "after with before returns the range between two pages.",
    "G-10": "Nothing is after end; the last page is before it.",
    "G-13": "A damaged, foreign or outdated cursor is refused.",
    "B-2": "The git mapping is listed in insertion order.",
    "B-3": "A mapping needs an existing branch; overwriting returns a warning.",
    "B-4": "Removing a missing mapping is refused.",
    "M-1": "PUT creates an empty table; a second one is refused.",
    "M-2": "DELETE deletes a table.",
    "M-3": "PATCH only renames a table.",
    "D-1": "PUT creates a database, with metadata of its branch; a second one is refused.",
    "D-2": "GET returns a database's metadata.",
    "D-3": "PATCH only sets a database's colour.",
    "D-4": "DELETE deletes a database with its contents.",
    "U-2": "Callers can read, replace and delete their own user.",
    "L-1": "Page size and offset are limited.",
  },
  complete: {
    "N-1": "Names of databases, branches and tables have 1–255 of A-Z a-z 0-9 _ - ~.",
    "N-5": "Names of object prototype members are ordinary; __proto__ is unknown.",
    "N-6":
      "Names of databases, branches and tables are case-sensitive; tables of a branch differ in more than case.",
    "T-1": "bool: false sorts before true.",
    "T-3": "float: finite numbers; −0 is 0.",
    "T-14": "A missing key is null. An object without values is null.",
    "T-15": "The error of a wrong value names table, column, expected and found.",
    "T-17": "A link's target table may be created later, deleted, renamed, or be the table itself.",
    "T-18":
      "A checked link names a record; deleting the record sets it to null. A free link names any id.",
    "T-19": "File columns are neither unique nor required, and have no defaults.",
    "R-4": "Returned records omit null columns, at every level.",
    "R-5": "A batch is atomic. The error lists every invalid record.",
    "R-6": "Returned records are copies.",
    "R-7":
      "An update keeps omitted columns, a replacement sets them to null. Objects are updated by sub-column.",
    "R-8":
      "Written records may have metadata, which is ignored, and dotted keys, but no unknown ones.",
    "R-9": "get and delete accept a missing record; update and replace do not.",
    "P-7": "A null link is omitted; a dangling one has only its id.",
    "P-8": "Naming id or metadata has no effect; on a link it selects both.",
    "P-9": "The error of an unknown path names it and the nearest column.",
    "P-10": "Keys are in the order id, columns of the schema, metadata.",
    "F-7": "A path contains either operators or names, which continue the path.",
    "F-14": "A null list has no items.",
    "F-15": "A literal null tests for null; only equality accepts it.",
    "F-16": "A literal of a wrong type is rejected before any record is read.",
    "F-18": "A type rejects the operators of other types. Typed members of a file are columns.",
    "F-30": "No condition matches null. Negations match it (complement) or not (sql).",
    "S-2": "Only scalar columns sort, also through paths.",
    "S-3":
      "Values sort by type; null is greater than every value. In summaries it is last both ways.",
    "G-11": "The cursor of an empty page is a position between records.",
    "G-12": "Paging returns every untouched record once, whatever else is written.",
    "B-6": "Deleting a branch deletes its mappings.",
    "M-4": "Everything that an address names must exist.",
    "D-5":
      "Addresses spell workspaces in any case. To non-members a workspace looks like an unknown one.",
    "E-1": "Each error has a code of a closed list, with its status.",
    "E-3": "Bad JSON, unknown keys and routes, and wrong methods are refused.",
    "E-4": "No request causes an internal error.",
    "E-5": "A refused request changes nothing.",
    "E-6": "Of several errors, the first in a fixed order is reported.",
    "E-8": "In profile xata, messages are those of the service, word for word; detail adds ours.",
    "L-2": "A request body has up to 20 MiB by default.",
    "L-3": "A filter has up to 1,000 predicates, 32 levels and lists of 100,000 values.",
    "L-4": "columns has up to 1,000 entries.",
    "L-5": "A path follows up to 16 links.",
    "X-8": "Under profile xata, a bulk has up to 1,000 records; batches have no files.",
    "Q-1": "Texts are searched, also in objects and json, or those in target; * is all.",
    "Q-5":
      "The best column scores, rare words and short texts higher; a numeric booster adds modifier(factor × value).",
    "Q-7":
      "A search page has 1–200 records and an offset up to 800. Filters apply first; profile xata limits them.",
    "H-2": "Content and signed URLs are returned only when named; a search shows the URLs.",
  },
  strict: {
    "T-5": "text: a string of any length.",
    "T-11": "json: any JSON value, compared as a whole; text under profile xata.",
    "T-12": "vector: as many finite numbers as its dimension.",
    "T-13": "Files are compared by name, type, size and version only.",
    "T-16": "Columns can be unique, notNull and have a defaultValue.",
    "R-2": "version starts at 0 and grows by one with each write.",
    "R-3": "Generated ids begin with the time and ascend. A given id must be free.",
    "P-6":
      "A bare link selects its id, unless more of it is selected; under xata all of its record.",
    "P-11": "A selection can contain records of another table that link here.",
    "F-17": "-> reaches into json columns.",
    "S-5": "Ties, and results without sort, are ordered by id.",
    "B-1":
      "A branch starts empty or as an independent copy, and tells of which. The last one cannot be deleted.",
    "B-5": "Resolving tries mapping, branch, fallback, default.",
    "D-6": "The path or the host gives the workspace; otherwise the default is used.",
    "D-7": "A database can be renamed; regions are listed.",
    "U-1": "A key identifies the caller. Without configured keys everyone is accepted.",
    "E-2": "An error body has id, message and code, or the list of a refused batch.",
    "E-7": "Writes from pages of other origins, and requests to foreign hosts, are refused.",
    "L-6": "A table has up to 1,000 columns, nested up to 16 deep.",
    "L-7": "A selection expands to up to 10,000 columns.",
    "L-8": "A request has up to 200 aggregations or summaries, 1,000 top values, 10,000 buckets.",
    "L-9": "A refused batch lists up to 100 errors; a message has up to 2,000 characters.",
    "L-10": "A call that exceeds its time limit is refused.",
    "L-11": "An answer over 256 MiB is refused, and its write with it.",
    "L-12": "Stored records, defaults, settings and a table's columns over time are limited.",
    "L-13": "Columns, tables, operations of a change and records have limits by profile.",
    "X-1": "Records are inserted, replaced, updated, read and deleted by address.",
    "X-2": "An update can increment, decrement, multiply or divide a number.",
    "X-3": "A transaction runs its operations in order, all or none.",
    "X-4": "Schemas and columns are read, changed, compared and applied by address.",
    "X-5": "Branches, their metadata and settings have addresses.",
    "X-6":
      "summarize groups records; aggregate computes over all of them. Under xata without links and ids.",
    "Q-2":
      "Words are runs of letters, marks and numbers, without case and accents. No query counts all records.",
    "Q-3": "A word matches equal ones; from three letters also similar ones.",
    "Q-4": "The words of a prefix phrase are adjacent; the last may be incomplete.",
    "Q-6": "Records are whole, with table, score and highlighted passages.",
    "Q-8": "A search sees every earlier write.",
    "V-1": "Records are ordered by vector similarity, ties by id.",
    "V-2": "Similarity is cosine, l1 or l2, exact and finite.",
    "H-1":
      "Files have an ASCII name, type and options; the service adds size and version, 0 without content.",
    "H-3":
      "Bytes are uploaded and downloaded unchanged, by record, column and id; uploads have no name.",
    "H-4": "Signed URLs need no key, and expire; a private url needs a member's key.",
    "H-5": "Equal contents are stored once and exported; images are not transformed.",
    "A-1": "Keys have names, are shown once, work at once, and never after deletion.",
    "A-2": "Workspaces are created, read, changed and deleted by address.",
    "A-3":
      "Maintainers may do what owners may, but not give or take that role; the last owner stays.",
    "A-4": "An unknown workspace is not found, with its members, invitations and settings.",
    "A-5": "Secrets do not reveal each other.",
    "K-1": "Every schema change is a migration; a new branch starts with a history.",
    "K-2": "A pushed migration follows the last one and keeps its id.",
    "K-3": "A merge applies what the target lacks since the common ancestor, once.",
    "K-4": "Records are copied between branches of equal schema.",
    "K-5": "A column that stays is altered: its values stay, by every way.",
  },
};

/** All rules, in order. */
export const RULES: readonly Rule[] = TIERS.flatMap((tier) =>
  (Object.entries(MEANINGS[tier]) as [RuleId, string][]).map(([id, meaning]) => {
    const [section] = id.split("-") as [Section];
    return { id, section, tier, meaning };
  }),
).sort((a, b) => placeOf(a) - placeOf(b));

function placeOf({ id, section }: Rule): number {
  return 100 * Object.keys(SECTIONS).indexOf(section) + Number(id.split("-")[1]);
}

/** Groups items by the section of their first rule; leaves out empty sections. */
export function groupBySection<T>(
  items: readonly T[],
  ruleOf: (item: T) => RuleId | undefined,
): { readonly section: string; readonly title: string; readonly own: readonly T[] }[] {
  return Object.entries(SECTIONS).flatMap(([section, title]) => {
    const own = items.filter((item) => ruleOf(item)?.startsWith(`${section}-`));
    return own.length === 0 ? [] : [{ section, title, own }];
  });
}

const RULE_IDS: ReadonlySet<string> = new Set(RULES.map((rule) => rule.id));

export function isRuleId(text: string): text is RuleId {
  return RULE_IDS.has(text);
}

/** Whether a run up to a tier includes the checks of another. */
export function isWithinTier(tier: Tier, limit: Tier): boolean {
  return TIERS.indexOf(tier) <= TIERS.indexOf(limit);
}

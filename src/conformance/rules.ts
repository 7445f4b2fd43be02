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

const MEANINGS: Readonly<Record<RuleId, readonly [Tier, string]>> = {
  "N-1": ["complete", "Names of databases, branches and tables have 1–255 of A-Z a-z 0-9 _ - ~."],
  "N-2": ["core", "An address has db:branch, with one colon."],
  "N-3": [
    "core",
    "A column name is unique in any case, starts with no $, and is not id, the metadata column, __proto__ or an index.",
  ],
  "N-4": ["core", "A column path joins names with dots, through objects and links."],
  "N-5": ["complete", "Names of object prototype members are ordinary; __proto__ is unknown."],
  "N-6": [
    "complete",
    "Names of databases, branches and tables are case-sensitive; tables of a branch differ in more than case.",
  ],

  "T-1": ["complete", "bool: false sorts before true."],
  "T-2": ["core", "int: safe integers, never rounded."],
  "T-3": ["complete", "float: finite numbers; −0 is 0."],
  "T-4": ["core", "string: up to 2048 code points, no lone surrogates, in code point order."],
  "T-5": ["strict", "text: a string of any length."],
  "T-6": ["core", "email: local@domain of ASCII, as documented, up to 254 characters."],
  "T-7": ["core", "datetime: RFC 3339 with offset, to the microsecond, returned in UTC."],
  "T-8": ["core", "multiple: an ordered list of strings."],
  "T-9": [
    "core",
    "link: a record's id. If the record is missing, columns read through it are null.",
  ],
  "T-10": ["core", "object: its declared sub-columns only."],
  "T-11": ["strict", "json: any JSON value, compared as a whole; text under profile xata."],
  "T-12": ["strict", "vector: as many finite numbers as its dimension."],
  "T-13": ["strict", "Files are compared by name, type, size and version only."],
  "T-14": ["complete", "A missing key is null. An object without values is null."],
  "T-15": ["complete", "The error of a wrong value names table, column, expected and found."],
  "T-16": ["strict", "Columns can be unique, notNull and have a defaultValue."],
  "T-17": [
    "complete",
    "A link's target table may be created later, deleted, renamed, or be the table itself.",
  ],
  "T-18": [
    "complete",
    "A checked link names a record; deleting the record sets it to null. A free link names any id.",
  ],
  "T-19": ["complete", "File columns are neither unique nor required, and have no defaults."],

  "R-1": ["core", "Every record has an id and metadata."],
  "R-2": ["strict", "version starts at 0 and grows by one with each write."],
  "R-3": ["strict", "Generated ids begin with the time and ascend. A given id must be free."],
  "R-4": ["complete", "Returned records omit null columns, at every level."],
  "R-5": ["complete", "A batch is atomic. The error lists every invalid record."],
  "R-6": ["complete", "Returned records are copies."],
  "R-7": [
    "complete",
    "An update keeps omitted columns, a replacement sets them to null. Objects are updated by sub-column.",
  ],
  "R-8": [
    "complete",
    "Written records may have metadata, which is ignored, and dotted keys, but no unknown ones.",
  ],
  "R-9": ["complete", "get and delete accept a missing record; update and replace do not."],

  "P-1": ["core", "Without columns: all columns, and the ids of links."],
  "P-2": ["core", "With columns: id, metadata and the selected columns."],
  "P-3": ["core", "* selects all columns: objects whole, links by id."],
  "P-4": ["core", "obj and obj.* select a whole object, obj.sub a part. Selections add up."],
  "P-5": ["core", "link.sub and link.* select columns of the linked record; paths can continue."],
  "P-6": [
    "strict",
    "A bare link selects its id, unless more of it is selected; under xata all of its record.",
  ],
  "P-7": ["complete", "A null link is omitted; a dangling one has only its id."],
  "P-8": ["complete", "Naming id or metadata has no effect; on a link it selects both."],
  "P-9": ["complete", "The error of an unknown path names it and the nearest column."],
  "P-10": ["complete", "Keys are in the order id, columns of the schema, metadata."],
  "P-11": ["strict", "A selection can contain records of another table that link here."],

  "F-1": ["core", "All keys of a filter must match. An unknown operator is rejected."],
  "F-2": [
    "core",
    "$all needs every part, $any one; of no parts $all is true, $any false. An empty object is rejected.",
  ],
  "F-3": ["core", "$not negates its parts together; $none negates $any."],
  "F-4": ["core", "$exists matches non-null columns, $notExists null ones."],
  "F-5": ["core", "A plain value means $is, a plain null $notExists."],
  "F-6": ["core", "Dotted and nested paths are equivalent."],
  "F-7": ["complete", "A path contains either operators or names, which continue the path."],
  "F-8": ["core", "$is and $isNot compare by value, as the column's type does."],
  "F-9": ["core", "$any under a column matches any of several values."],
  "F-10": ["core", "$contains, $startsWith and $endsWith match exact text."],
  "F-11": [
    "core",
    "$pattern matches the whole text: * any characters, ? one, \\ escapes. Its time is bounded.",
  ],
  "F-12": ["core", "$gt, $ge, $lt and $le compare numbers and times."],
  "F-13": ["core", "$includesAny, $includesAll and $includesNone test the items of a list."],
  "F-14": ["complete", "A null list has no items."],
  "F-15": ["complete", "A literal null tests for null; only equality accepts it."],
  "F-16": ["complete", "A literal of a wrong type is rejected before any record is read."],
  "F-17": ["strict", "-> reaches into json columns."],
  "F-18": [
    "complete",
    "A type rejects the operators of other types. Typed members of a file are columns.",
  ],
  "F-30": ["complete", "No condition matches null. Negations match it (complement) or not (sql)."],

  "S-1": ["core", "sort is an object, or an array of them, applied in turn."],
  "S-2": ["complete", "Only scalar columns sort, also through paths."],
  "S-3": [
    "complete",
    "Values sort by type; null is greater than every value. In summaries it is last both ways.",
  ],
  "S-4": ["core", "A random order is new for each query and fixed while it is paged."],
  "S-5": ["strict", "Ties, and results without sort, are ordered by id."],

  "G-1": ["core", "Page size and offset have defaults and maximums."],
  "G-2": ["core", "more is whether another page follows in the same direction."],
  "G-3": ["core", "Every page has a cursor, more and its size."],
  "G-4": ["core", "A cursor contains its query and position in URL-safe characters."],
  "G-5": ["core", "after returns the records after a page, before those before it."],
  "G-6": ["core", "start and end return the first and last page of a cursor's query."],
  "G-7": ["core", "With a cursor, columns and size can change, filter and sort cannot."],
  "G-8": ["core", "start and end exclude other cursors."],
  "G-9": ["core", "after with before returns the range between two pages."],
  "G-10": ["core", "Nothing is after end; the last page is before it."],
  "G-11": ["complete", "The cursor of an empty page is a position between records."],
  "G-12": ["complete", "Paging returns every untouched record once, whatever else is written."],
  "G-13": ["core", "A damaged, foreign or outdated cursor is refused."],

  "B-1": [
    "strict",
    "A branch starts empty or as an independent copy, and tells of which. The last one cannot be deleted.",
  ],
  "B-2": ["core", "The git mapping is listed in insertion order."],
  "B-3": ["core", "A mapping needs an existing branch; overwriting returns a warning."],
  "B-4": ["core", "Removing a missing mapping is refused."],
  "B-5": ["strict", "Resolving tries mapping, branch, fallback, default."],
  "B-6": ["complete", "Deleting a branch deletes its mappings."],

  "M-1": ["core", "PUT creates an empty table; a second one is refused."],
  "M-2": ["core", "DELETE deletes a table."],
  "M-3": ["core", "PATCH only renames a table."],
  "M-4": ["complete", "Everything that an address names must exist."],

  "D-1": ["core", "PUT creates a database, with metadata of its branch; a second one is refused."],
  "D-2": ["core", "GET returns a database's metadata."],
  "D-3": ["core", "PATCH only sets a database's colour."],
  "D-4": ["core", "DELETE deletes a database with its contents."],
  "D-5": [
    "complete",
    "Addresses spell workspaces in any case. To non-members a workspace looks like an unknown one.",
  ],
  "D-6": ["strict", "The path or the host gives the workspace; otherwise the default is used."],
  "D-7": ["strict", "A database can be renamed; regions are listed."],

  "U-1": ["strict", "A key identifies the caller. Without configured keys everyone is accepted."],
  "U-2": ["core", "Callers can read, replace and delete their own user."],
  "E-1": ["complete", "Each error has a code of a closed list, with its status."],
  "E-2": ["strict", "An error body has id, message and code, or the list of a refused batch."],
  "E-3": ["complete", "Bad JSON, unknown keys and routes, and wrong methods are refused."],
  "E-4": ["complete", "No request causes an internal error."],
  "E-5": ["complete", "A refused request changes nothing."],
  "E-6": ["complete", "Of several errors, the first in a fixed order is reported."],
  "E-7": [
    "strict",
    "Writes from pages of other origins, and requests to foreign hosts, are refused.",
  ],
  "E-8": [
    "complete",
    "In profile xata, messages are those of the service, word for word; detail adds ours.",
  ],
  "L-1": ["core", "Page size and offset are limited."],
  "L-2": ["complete", "A request body has up to 20 MiB by default."],
  "L-3": [
    "complete",
    "A filter has up to 1,000 predicates, 32 levels and lists of 100,000 values.",
  ],
  "L-4": ["complete", "columns has up to 1,000 entries."],
  "L-5": ["complete", "A path follows up to 16 links."],
  "L-6": ["strict", "A table has up to 1,000 columns, nested up to 16 deep."],
  "L-7": ["strict", "A selection expands to up to 10,000 columns."],
  "L-8": [
    "strict",
    "A request has up to 200 aggregations or summaries, 1,000 top values, 10,000 buckets.",
  ],
  "L-9": [
    "strict",
    "A refused batch lists up to 100 errors; a message has up to 2,000 characters.",
  ],
  "L-10": ["strict", "A call that exceeds its time limit is refused."],
  "L-11": ["strict", "An answer over 256 MiB is refused, and its write with it."],
  "L-12": [
    "strict",
    "Stored records, defaults, settings and a table's columns over time are limited.",
  ],
  "L-13": ["strict", "Columns, tables, operations of a change and records have limits by profile."],
  "X-1": ["strict", "Records are inserted, replaced, updated, read and deleted by address."],
  "X-2": ["strict", "An update can increment, decrement, multiply or divide a number."],
  "X-3": ["strict", "A transaction runs its operations in order, all or none."],
  "X-4": ["strict", "Schemas and columns are read, changed, compared and applied by address."],
  "X-5": ["strict", "Branches, their metadata and settings have addresses."],
  "X-8": ["complete", "Under profile xata, a bulk has up to 1,000 records; batches have no files."],
  "X-6": [
    "strict",
    "summarize groups records; aggregate computes over all of them. Under xata without links and ids.",
  ],
  "Q-1": [
    "complete",
    "Texts are searched, also in objects and json, or those in target; * is all.",
  ],
  "Q-2": [
    "strict",
    "Words are runs of letters, marks and numbers, without case and accents. No query counts all records.",
  ],
  "Q-3": ["strict", "A word matches equal ones; from three letters also similar ones."],
  "Q-4": ["strict", "The words of a prefix phrase are adjacent; the last may be incomplete."],
  "Q-5": [
    "complete",
    "The best column scores, rare words and short texts higher; a numeric booster adds modifier(factor × value).",
  ],
  "Q-6": ["strict", "Records are whole, with table, score and highlighted passages."],
  "Q-7": [
    "complete",
    "A search page has 1–200 records and an offset up to 800. Filters apply first; profile xata limits them.",
  ],
  "Q-8": ["strict", "A search sees every earlier write."],
  "V-1": ["strict", "Records are ordered by vector similarity, ties by id."],
  "V-2": ["strict", "Similarity is cosine, l1 or l2, exact and finite."],
  "H-1": [
    "strict",
    "Files have an ASCII name, type and options; the service adds size and version, 0 without content.",
  ],
  "H-2": [
    "complete",
    "Content and signed URLs are returned only when named; a search shows the URLs.",
  ],
  "H-3": [
    "strict",
    "Bytes are uploaded and downloaded unchanged, by record, column and id; uploads have no name.",
  ],
  "H-4": ["strict", "Signed URLs need no key, and expire; a private url needs a member's key."],
  "H-5": ["strict", "Equal contents are stored once and exported; images are not transformed."],
  "A-1": ["strict", "Keys have names, are shown once, work at once, and never after deletion."],
  "A-2": ["strict", "Workspaces are created, read, changed and deleted by address."],
  "A-3": [
    "strict",
    "Maintainers may do what owners may, but not give or take that role; the last owner stays.",
  ],
  "A-4": [
    "strict",
    "An unknown workspace is not found, with its members, invitations and settings.",
  ],
  "A-5": ["strict", "Secrets do not reveal each other."],
  "K-1": ["strict", "Every schema change is a migration; a new branch starts with a history."],
  "K-2": ["strict", "A pushed migration follows the last one and keeps its id."],
  "K-3": ["strict", "A merge applies what the target lacks since the common ancestor, once."],
  "K-4": ["strict", "Records are copied between branches of equal schema."],
  "K-5": ["strict", "A column that stays is altered: its values stay, by every way."],
};

/** All rules, in order. */
export const RULES: readonly Rule[] = Object.entries(MEANINGS).map(([id, [tier, meaning]]) => ({
  id: id as RuleId, // Object.entries widens the keys
  section: id.slice(0, 1) as Section, // every number starts with its section's letter
  tier,
  meaning,
}));

const RULE_IDS: ReadonlySet<string> = new Set(RULES.map((rule) => rule.id));

export function isRuleId(text: string): text is RuleId {
  return RULE_IDS.has(text);
}

/** Whether a run up to a tier includes the checks of another. */
export function isWithinTier(tier: Tier, limit: Tier): boolean {
  return TIERS.indexOf(tier) <= TIERS.indexOf(limit);
}

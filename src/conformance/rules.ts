/** Extent of the checks: `core` as documented, `complete` as the rules define, `strict` all rules. */
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
  "N-1": ["complete", "Databases, branches and tables are named by 1 to 255 of A-Z a-z 0-9 _ - ~."],
  "N-2": ["core", "An address names database and branch as db:branch, with exactly one colon."],
  "N-3": [
    "core",
    "A column's name never starts with $, clashes with no sibling in any case, and is neither reserved nor an array index.",
  ],
  "N-4": ["core", "A column path is names joined by dots, through objects and links."],
  "N-5": [
    "complete",
    "Names of object prototype members are ordinary, __proto__ is unknown, and no prototype is ever touched.",
  ],
  "N-6": ["complete", "Names of databases, branches and tables differ by case."],

  "T-1": ["complete", "bool holds true and false; false comes first."],
  "T-2": ["core", "int holds safe whole numbers and refuses the rest instead of rounding."],
  "T-3": ["complete", "float holds finite numbers; minus zero is zero."],
  "T-4": [
    "core",
    "string holds up to 2048 code points without lone surrogates, ordered by code point.",
  ],
  "T-5": ["strict", "text is a string of any length."],
  "T-6": ["core", "email holds local@domain in at most 254 characters."],
  "T-7": [
    "core",
    "datetime holds an RFC 3339 instant with offset, to the microsecond, and gives it back in UTC.",
  ],
  "T-8": ["core", "multiple holds a list of strings and keeps their order."],
  "T-9": [
    "core",
    "link holds a record's id, whether or not that record exists; through a broken link all else is null.",
  ],
  "T-10": ["core", "object holds its declared sub-columns and nothing else."],
  "T-11": [
    "strict",
    "json holds any JSON value, compared as a whole; the xata profile speaks it as text.",
  ],
  "T-12": ["strict", "vector holds exactly as many finite numbers as its dimension."],
  "T-13": ["strict", "Files are compared by name, type, size and version alone."],
  "T-14": [
    "complete",
    "A missing key and null are the same; an object without any value is null itself.",
  ],
  "T-15": [
    "complete",
    "A value of the wrong kind is refused with table, column, the type wanted and what came.",
  ],
  "T-16": ["strict", "Columns can be unique, notNull and have a default value."],
  "T-17": [
    "complete",
    "A link names its target table, which may come later, go, be renamed or be the table itself.",
  ],

  "R-1": ["core", "Every record has an id and its metadata."],
  "R-2": ["strict", "A record's version is 0 at first and grows by one with each write."],
  "R-3": ["strict", "Ids are made in ascending order or given, and taken only once."],
  "R-4": ["complete", "A null column is left out of a returned record, at every level."],
  "R-5": [
    "complete",
    "A write of several records happens whole or not at all, and names every bad one.",
  ],
  "R-6": ["complete", "A returned record belongs to the caller; changing it changes nothing else."],
  "R-7": [
    "complete",
    "An update keeps what it does not name, a replacement nulls it; objects are updated by sub-column.",
  ],
  "R-8": [
    "complete",
    "Written records may carry metadata, which is ignored, and dotted keys; other unknown keys are refused.",
  ],
  "R-9": ["complete", "Reading or deleting what is not there is no fault; changing it is."],

  "P-1": ["core", "Without columns a query gives every column, and of a link its id."],
  "P-2": ["core", "With columns it gives id, metadata and those, no more."],
  "P-3": ["core", "* is every column, objects whole, links by id."],
  "P-4": ["core", "An object's name or obj.* is all of it, obj.sub a part; selections add up."],
  "P-5": ["core", "link.sub and link.* give the linked record, and paths go on from there."],
  "P-6": ["strict", "A link's bare name gives its id, unless more of it is selected too."],
  "P-7": ["complete", "A null link is left out, a dangling one is its id alone."],
  "P-8": [
    "complete",
    "id and metadata may be named without effect; of a link they give id and metadata.",
  ],
  "P-9": ["complete", "An unknown path is refused by name, with a near one suggested."],
  "P-10": [
    "complete",
    "Keys are ordered: id, columns in schema order, metadata; the selection does not matter.",
  ],
  "P-11": ["strict", "A selection can hold the records of another table that link here."],

  "F-1": ["core", "A filter is an object whose keys all have to hold."],
  "F-2": ["core", "$all wants every part, $any one; of nothing they are true and false."],
  "F-3": ["core", "$not negates its parts together, $none is $not around $any."],
  "F-4": ["core", "$exists holds where a column is not null, $notExists where it is."],
  "F-5": ["core", "A plain value means $is, a plain null $notExists."],
  "F-6": ["core", "Dotted and nested paths mean the same."],
  "F-7": ["complete", "Under a path are operators or names, never both; names continue the path."],
  "F-8": ["core", "$is and $isNot compare by value, in the way of the column's type."],
  "F-9": ["core", "$any under a column matches any of several values."],
  "F-10": ["core", "$contains, $startsWith and $endsWith look for exact text."],
  "F-11": [
    "core",
    "$pattern matches whole text with * and ? and \\ as the escape, without ever hanging.",
  ],
  "F-12": ["core", "$gt, $ge, $lt and $le bound numbers and times."],
  "F-13": ["core", "$includesAny, $includesAll and $includesNone ask about the items of a list."],
  "F-14": ["complete", "A null list has no items."],
  "F-15": ["complete", "Null as a literal asks for null, and only equality takes it."],
  "F-16": ["complete", "A literal of another type is refused before any record is read."],
  "F-17": ["strict", "Paths reach into json columns with ->."],
  "F-18": ["complete", "Each type has its own operators and refuses the others."],
  "F-30": [
    "complete",
    "Null satisfies nothing positive; negations take it in (complement) or leave it out (sql).",
  ],

  "S-1": ["core", "sort is an object or an array of them, its keys applied in turn."],
  "S-2": [
    "complete",
    "Scalar columns sort, also through paths; others and other directions are refused.",
  ],
  "S-3": ["complete", "Values sort by their type and nulls come last, both ways."],
  "S-4": ["core", "A random order is its own for each query and holds while it is paged through."],
  "S-5": ["strict", "Ties, and results without sort, go by id."],

  "G-1": ["core", "A page has a size and an offset, each with a default and a bound."],
  "G-2": [
    "core",
    "A page is taken in the direction of travel and says exactly whether more lies there.",
  ],
  "G-3": ["core", "Every page comes with a cursor, more and its size."],
  "G-4": ["core", "A cursor holds its query and position, in plain letters."],
  "G-5": ["core", "after gives the records after a page, before those just before it."],
  "G-6": ["core", "start and end give the first and last page of a cursor's query."],
  "G-7": ["core", "A cursor's filter and sort cannot be changed; its columns and size can."],
  "G-8": ["core", "start and end refuse another cursor beside them."],
  "G-9": ["core", "after with before is the range between two pages of one query."],
  "G-10": [
    "core",
    "end is the end of the result: nothing is after it yet, and the last page is before it.",
  ],
  "G-11": [
    "complete",
    "An empty page's cursor is a gap between records, with a position of its own.",
  ],
  "G-12": ["complete", "A walk meets every untouched record once, whatever happens to others."],
  "G-13": ["core", "A damaged, foreign or outdated cursor is refused."],

  "B-1": ["strict", "Branches start empty or as a copy, live apart, and one always remains."],
  "B-2": ["core", "The git mapping is listed in the order it was made."],
  "B-3": ["core", "Adding to the mapping wants a branch that exists and warns when it overwrites."],
  "B-4": ["core", "Removing from the mapping wants an entry that exists."],
  "B-5": ["strict", "Resolving tries mapping, branch, fallback and default, in this order."],
  "B-6": ["complete", "A deleted branch takes its mappings with it."],

  "M-1": ["core", "PUT makes an empty table, once."],
  "M-2": ["core", "DELETE removes a table."],
  "M-3": ["core", "PATCH renames a table and does nothing else."],
  "M-4": ["complete", "What an address names has to exist."],

  "D-1": ["core", "PUT makes a database, once."],
  "D-2": ["core", "GET gives a database's metadata."],
  "D-3": ["core", "PATCH sets a database's colour and does nothing else."],
  "D-4": ["core", "DELETE removes a database with all in it."],
  "D-5": ["complete", "A workspace that is unknown and one that is not the caller's look alike."],
  "D-6": ["strict", "A request names its workspace by its path or host, or means the usual one."],
  "D-7": ["strict", "A database can be renamed, and the regions are listed."],

  "U-1": ["strict", "A key names the caller; without configured keys every caller is welcome."],
  "U-2": ["core", "The caller's own record can be read, replaced and deleted."],
  "E-1": ["complete", "Refusals come from a closed list of codes, each with its status."],
  "E-2": [
    "strict",
    "An error's body has an id, a message and a code, or the list of a refused batch.",
  ],
  "E-3": [
    "complete",
    "Bad JSON, unknown keys, unknown routes and wrong methods are refused by name.",
  ],
  "E-4": ["complete", "No request brings out an internal error."],
  "E-5": ["complete", "A refused request changes nothing."],
  "E-6": ["complete", "Of several faults the first in a fixed order is reported."],
  "E-7": [
    "strict",
    "Foreign pages and hosts are refused; programs that are no browser are let in.",
  ],
  "L-1": ["core", "Page size and offset are bounded."],
  "L-2": ["complete", "A request body is bounded."],
  "L-3": [
    "complete",
    "A filter's predicates, depth and lists are bounded, and the depth of a body.",
  ],
  "L-4": ["complete", "The entries of columns are bounded."],
  "L-5": ["complete", "The links of one path are bounded."],
  "L-6": ["strict", "A table's columns are bounded, in number and in depth."],
  "L-7": [
    "strict",
    "What a selection expands to is bounded, and what a condition on an object compares.",
  ],
  "L-8": ["strict", "Aggregations, summaries, top values and buckets are bounded."],
  "L-9": ["strict", "A refused batch lists its first hundred faults, and a message is never long."],
  "L-10": ["strict", "What works too long is ended, and has changed nothing."],
  "L-11": ["strict", "An answer above 256 MiB is refused, and a write with it."],
  "L-12": [
    "strict",
    "Records, default values, settings and the columns of a table's life are bounded.",
  ],
  "X-1": ["strict", "Records are inserted, replaced, updated, read and deleted by their address."],
  "X-2": ["strict", "A number can be changed in place by one operation."],
  "X-3": ["strict", "A transaction of several operations happens in order, whole or not at all."],
  "X-4": [
    "strict",
    "Schemas and columns are read and changed by their address, compared and applied.",
  ],
  "X-5": ["strict", "Branches, their metadata and settings have addresses of their own."],
  "X-6": ["strict", "Summaries group records; aggregations measure a whole result."],
  "Q-1": ["strict", "Columns with text are searched, those of objects too, or the ones named."],
  "Q-2": [
    "strict",
    "Words are runs of letters, marks and numbers, compared without case or accents.",
  ],
  "Q-3": ["strict", "A word matches equal ones, and with three letters or more those close to it."],
  "Q-4": ["strict", "The words of a prefix phrase follow one another; the last may be longer."],
  "Q-5": ["strict", "Scores weigh rare words and short texts more; the best records come first."],
  "Q-6": ["strict", "Records come whole, with table, score and the passages that match."],
  "Q-7": ["strict", "A page of a search has 1–200 records after at most 800; filters come first."],
  "Q-8": ["strict", "A search sees every write before it."],
  "V-1": ["strict", "Records come by how similar their vectors are to one, ties by id."],
  "V-2": ["strict", "Similarity is by cosine, l1 or l2, exact and always finite."],
  "H-1": ["strict", "Files have names, types and options; the service adds size and version."],
  "H-2": ["strict", "Contents and signed addresses are given where they are named alone."],
  "H-3": ["strict", "Bytes go up and down by record, column and id, and stay as they are."],
  "H-4": ["strict", "Signed addresses need no key, and lead to one file for their time."],
  "H-5": [
    "strict",
    "Equal contents are stored once, and exports contain them; images are not transformed.",
  ],
  "A-1": ["strict", "Keys have names; one is shown once, works at once, and deleted is refused."],
  "A-2": ["strict", "Workspaces are made, read, changed and deleted by their address."],
  "A-3": ["strict", "Owners decide on members and invites, and one of them always stays."],
  "A-4": ["strict", "An unknown workspace is not found by what is about the workspace itself."],
  "A-5": ["strict", "Secrets that are drawn one after the other have nothing in common."],
  "K-1": ["strict", "Every change of a schema is a migration, and a branch begins with a history."],
  "K-2": ["strict", "A migration that is pushed follows the last one and keeps its id."],
  "K-3": ["strict", "Merging brings what a branch lacks since the common ancestor, once."],
  "K-4": ["strict", "Records are copied between branches of equal schema."],
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

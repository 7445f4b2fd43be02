// src/value/nearest.ts
var MAX_LENGTH = 64;
var MAX_PAIRS = 1e5;
function findNearest(word, candidates) {
  if (word.length > MAX_LENGTH) return void 0;
  const lowered = word.toLowerCase();
  let limit = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
  let nearest;
  let left = MAX_PAIRS;
  for (const candidate of candidates) {
    if (--left < 0) break;
    if (Math.abs(candidate.length - word.length) > limit) continue;
    left -= word.length * candidate.length;
    const distance = editDistance(lowered, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = candidate;
    limit = distance - 1;
  }
  return nearest;
}
function suggest(word, known, meant = translate(word, known) ?? findNearest(word, known)) {
  return meant === void 0 ? "" : `; did you mean ${meant}?`;
}
var FOREIGN_WORDS = /* @__PURE__ */ new Map([
  ["where", ["filter", "filter"]],
  ["orderBy", ["sort", "sort"]],
  ["sortBy", ["sort", "sort"]],
  ["sortedBy", ["sort", "sort"]],
  ["include", ["columns", 'columns: ["link.*"]']],
  ["select", ["columns", "columns"]],
  ["limit", ["page", "page: { size }"]],
  ["take", ["page", "page: { size }"]],
  ["skip", ["page", "page: { offset }"]],
  ["offset", ["page", "page: { offset }"]],
  ["number", ["int", "int or float"]],
  ["integer", ["int", "int"]],
  ["boolean", ["bool", "bool"]],
  ["text[]", ["multiple", "multiple"]],
  ["string[]", ["multiple", "multiple"]],
  ["timestamp", ["datetime", "datetime"]],
  ["date", ["datetime", "datetime"]]
]);
function translate(word, known) {
  const foreign = FOREIGN_WORDS.get(word);
  if (foreign === void 0) return void 0;
  for (const each of known) if (each === foreign[0]) return foreign[1];
  return void 0;
}
var FEW = 5;
function suggestAmong(word, known) {
  return suggest(word, known.keys()) || listFew(known);
}
function listFew(known) {
  const { size } = known;
  return size > 0 && size <= FEW ? `; there is ${[...known.keys()].join(", ")}` : "";
}
function editDistance(a, b, limit) {
  let twoAbove = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let min = i;
    for (let j = 1; j <= b.length; j++) {
      const same2 = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same2 ? 0 : 1));
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, twoAbove[j - 2] + 1);
      row.push(cost);
      min = Math.min(min, cost);
    }
    if (min > limit) return min;
    twoAbove = above;
    above = row;
  }
  return above[b.length];
}

// src/schema/traits.ts
var TRAITS = {
  id: {
    rule: "R-3",
    expected: "a string",
    stored: "text",
    operators: "text",
    sortable: true
  },
  bool: {
    rule: "T-1",
    expected: "true or false",
    stored: "bool",
    operators: "equality",
    sortable: true
  },
  int: {
    rule: "T-2",
    expected: "a whole number within \xB1(2^53 \u2212 1)",
    stored: "number",
    operators: "range",
    sortable: true
  },
  float: {
    rule: "T-3",
    expected: "a finite number",
    stored: "number",
    operators: "range",
    sortable: true
  },
  string: {
    rule: "T-4",
    expected: "a string of at most 2048 characters without lone surrogates",
    stored: "text",
    operators: "text",
    sortable: true
  },
  text: {
    rule: "T-5",
    expected: "a string without lone surrogates",
    stored: "text",
    operators: "text",
    sortable: true
  },
  email: {
    rule: "T-6",
    expected: "an e-mail address of at most 254 characters",
    stored: "text",
    operators: "text",
    sortable: true
  },
  datetime: {
    rule: "T-7",
    expected: "an RFC 3339 date-time with an offset",
    stored: "instant",
    operators: "range",
    sortable: true
  },
  multiple: {
    rule: "T-8",
    expected: "an array of strings without lone surrogates",
    stored: "list",
    operators: "list",
    sortable: false
  },
  link: {
    rule: "T-9",
    expected: "the id of a record, or an object with that id",
    stored: "code",
    operators: "equality",
    sortable: true
  },
  object: {
    rule: "T-10",
    expected: "an object",
    stored: "none",
    operators: "equality",
    sortable: false
  },
  json: {
    rule: "T-11",
    expected: "a JSON value",
    stored: "value",
    operators: "equality",
    sortable: false
  },
  vector: {
    rule: "T-12",
    expected: "an array of finite numbers",
    stored: "value",
    operators: "none",
    sortable: false
  },
  file: {
    rule: "T-13",
    expected: "an object that describes a file",
    stored: "value",
    operators: "none",
    sortable: false
  },
  "file[]": {
    rule: "T-13",
    expected: "an array of objects that describe files",
    stored: "value",
    operators: "none",
    sortable: false
  },
  item: {
    rule: "T-8",
    expected: "a string",
    stored: "text",
    operators: "text",
    sortable: false
  }
};
var COLUMN_TYPES = Object.keys(TRAITS).filter(
  (type) => type !== "id" && type !== "item"
);
function isColumnType(type) {
  return COLUMN_TYPES.includes(type);
}
function isCoded(type) {
  const { stored } = TRAITS[type];
  return stored === "code" || stored === "list";
}
function isUnbounded(type) {
  const { stored } = TRAITS[type];
  return type === "text" || stored === "list" || stored === "value";
}
var LONG_VALUE = 4096;
var MAX_UNIT_BYTES = 6;
function shortBytesOf(type) {
  const characters = isUnbounded(type) ? LONG_VALUE : type === "string" ? 2048 : 255;
  return characters * MAX_UNIT_BYTES;
}
function typesWith(has) {
  const types = Object.keys(TRAITS);
  return new Set(types.filter((type) => type !== "object" && type !== "item" && has(TRAITS[type])));
}
var NUMERIC_TYPES = typesWith(({ stored }) => stored === "number");
var COMPARABLE_TYPES = typesWith(
  ({ operators }) => operators !== "none"
);

// src/schema/operators.ts
var OPERATORS = {
  /** Equals the operand, or one member of an array operand; `null` matches null. */
  $is: { columns: "comparable", operand: "literal", foreign: ["$eq"] },
  /** Does not equal the operand, nor a member of an array operand. */
  $isNot: { columns: "comparable", operand: "literal", negated: true, foreign: ["$ne"] },
  /** Matches at least one of the values or conditions. */
  $any: { columns: "comparable", operand: "conditions", combine: "any", foreign: ["$in", "$or"] },
  /** Matches all conditions. */
  $all: { columns: "comparable", operand: "conditions", combine: "all", foreign: ["$and"] },
  /** Does not match all of the conditions. */
  $not: { columns: "comparable", operand: "conditions", combine: "all", negated: true },
  /** Matches none of the values or conditions. */
  $none: {
    columns: "comparable",
    operand: "conditions",
    combine: "any",
    negated: true,
    foreign: ["$nin", "$nor"]
  },
  /** Contains the text. */
  $contains: { columns: "text", operand: "text" },
  /** Starts with the text. */
  $startsWith: { columns: "text", operand: "text" },
  /** Ends with the text. */
  $endsWith: { columns: "text", operand: "text" },
  /** Contains the text, ignoring case. */
  $iContains: { columns: "text", operand: "text" },
  /** Matches the whole text: `*` is any text, `?` one character, `\` escapes the next one. */
  $pattern: { columns: "text", operand: "pattern", foreign: ["$regex", "$like"] },
  /** Like `$pattern`, ignoring case. */
  $iPattern: { columns: "text", operand: "pattern" },
  /** Is greater or later. */
  $gt: { columns: "range", operand: "bound", isLow: true, inclusive: false },
  /** Is greater, later or equal. */
  $ge: { columns: "range", operand: "bound", isLow: true, inclusive: true, foreign: ["$gte"] },
  /** Is less or earlier. */
  $lt: { columns: "range", operand: "bound", isLow: false, inclusive: false },
  /** Is less, earlier or equal. */
  $le: { columns: "range", operand: "bound", isLow: false, inclusive: true, foreign: ["$lte"] },
  /** Has an item that matches. */
  $includes: { columns: "list", operand: "items", quantifier: "some" },
  /** Same as `$includes`. */
  $includesAny: { columns: "list", operand: "items", quantifier: "some" },
  /** Every item matches. */
  $includesAll: { columns: "list", operand: "items", quantifier: "every" },
  /** Has no item that matches. */
  $includesNone: { columns: "list", operand: "items", quantifier: "some", negated: true },
  /** The column is not null; with an array, none of the columns is null. */
  $exists: { columns: "all", operand: "paths" },
  /** The column is null; with an array, all of the columns are null. */
  $notExists: { columns: "all", operand: "paths", negated: true },
  /** Same as `$notExists`; not in profile `documented`. */
  $existsNot: { columns: "all", operand: "paths", negated: true, isHosted: true }
};
var OPERATOR_NAMES = Object.keys(OPERATORS);
function findOperator(name, base) {
  if (!Object.hasOwn(OPERATORS, name)) return void 0;
  const operator = OPERATORS[name];
  return !operator.isHosted || base !== "documented" ? operator : void 0;
}
function suggestOperator(name, base, isBelow) {
  if (findOperator(name, base) !== void 0) {
    return isBelow ? ` here; write {"${name}": column}` : " here; use it under a column";
  }
  const names = OPERATOR_NAMES.filter((key) => {
    const operand = findOperator(key, base)?.operand;
    if (operand === void 0) return false;
    return isBelow ? operand !== "paths" : operand === "paths" || operand === "conditions";
  });
  const same2 = OPERATOR_NAMES.filter((key) => findOperator(key, base)?.foreign?.includes(name));
  return suggest(name, names, same2[0]);
}
function hasOperator(type, { columns }, { textRanges }) {
  const { operators } = TRAITS[type];
  if (columns === "all") return true;
  if (columns === "comparable") return operators !== "none";
  return operators === columns || columns === "range" && operators === "text" && textRanges;
}

// src/profile.ts
var DOCUMENTED = {
  metadataColumn: "service",
  mappingTarget: "serviceBranch",
  maxPageSize: 200,
  maxPageOffset: 800,
  nullComparison: "complement",
  branchCopies: "records",
  links: "free",
  searchStore: "complete",
  batches: "free"
};
var HOSTED = {
  metadataColumn: "xata",
  mappingTarget: "xataBranch",
  maxPageSize: 1e3,
  maxPageOffset: 49e3,
  nullComparison: "sql",
  branchCopies: "schema",
  links: "checked",
  searchStore: "limited",
  batches: "limited"
};
var PROFILES = {
  documented: /* @__PURE__ */ profileOf("documented"),
  xata: /* @__PURE__ */ profileOf("xata"),
  "xata-next": /* @__PURE__ */ profileOf("xata-next")
};
function profileOf(base) {
  const isHosted = base !== "documented";
  return {
    base,
    ...isHosted ? HOSTED : DOCUMENTED,
    jsonAsText: isHosted,
    textRanges: isHosted,
    wholeLinks: isHosted,
    joinedNames: isHosted,
    sortedResults: isHosted,
    storeAggregates: isHosted,
    lenient: isHosted,
    serviceErrors: isHosted,
    mappingsKey: isHosted ? "mapping" : "mappings",
    idColumn: base === "xata-next" ? "xata_id" : "id"
  };
}
var MAX_LIMITS = {
  tableColumns: 1e3,
  branchTables: 1e4,
  recordBytes: 64 * 1024 * 1024
};
var DEFAULT_LIMITS = {
  documented: /* @__PURE__ */ limitsWith(1e3, 1e4, 64 * 1024 * 1024),
  xata: /* @__PURE__ */ limitsWith(256, 100, 600 * 1024),
  "xata-next": /* @__PURE__ */ limitsWith(256, 100, 600 * 1024)
};
function limitsWith(tableColumns, branchTables, recordBytes) {
  return {
    bodyBytes: 20 * 1024 * 1024,
    filterPredicates: 1e3,
    filterLevels: 32,
    filterListMembers: 1e5,
    columns: 1e3,
    pathLinks: 16,
    queryMs: 0,
    tableColumns,
    branchTables,
    schemaOperations: 1e3,
    recordBytes
  };
}

// src/errors.ts
var STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_name: 400,
  invalid_schema: 400,
  invalid_record: 400,
  invalid_filter: 400,
  invalid_sort: 400,
  invalid_page: 400,
  invalid_cursor: 400,
  unknown_column: 400,
  unauthorized: 401,
  forbidden: 403,
  workspace_not_found: 404,
  workspace_member_not_found: 404,
  invite_not_found: 404,
  key_not_found: 404,
  database_not_found: 404,
  branch_not_found: 404,
  table_not_found: 404,
  column_not_found: 404,
  record_not_found: 404,
  file_not_found: 404,
  git_branch_not_found: 404,
  migration_request_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  query_timeout: 408,
  payload_too_large: 413,
  database_exists: 422,
  branch_exists: 422,
  table_exists: 422,
  column_exists: 422,
  id_in_use: 422,
  key_exists: 422,
  version_conflict: 422,
  schema_conflict: 422,
  last_branch: 422,
  internal: 500,
  not_implemented: 501,
  unavailable: 503
};
var MAX_MESSAGE_LENGTH = 2e3;
var TwinbaseError = class extends Error {
  constructor(code, message, details = {}) {
    super(shorten(message, MAX_MESSAGE_LENGTH - 1), details);
    this.name = "TwinbaseError";
    this.code = code;
    this.status = details.status ?? STATUS_BY_CODE[code];
    this.path = details.path;
    this.rule = details.rule;
    this.errors = details.errors;
    this.batchOf = details.batchOf;
    this.more = details.more;
    this.hint = details.hint;
    this.reason = details.reason;
    this.table = details.table;
  }
};
function refuse(code, message, { path, ...details } = {}) {
  throw new TwinbaseError(code, message, { ...details, path: path && pointerTo(path) });
}
function refuseRecord(table, code, text, details) {
  const reason2 = { kind: "record", text };
  refuse(code, `table [${table}]: ${text}`, { reason: reason2, ...details });
}
function isRefusal(error) {
  return error instanceof TwinbaseError && error.code !== "query_timeout";
}
function pointer(base, key) {
  return typeof key === "number" || !/[~/]/.test(key) ? `${base}/${key}` : `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
var ROOT = "";
function below(above, key) {
  return { above, key };
}
function pointerTo(at) {
  return typeof at === "string" ? at : pointer(pointerTo(at.above), at.key);
}
function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length)}\u2026` : text;
}
function describe(value) {
  if (value === null) return "null";
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(value, 40));
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value === BigInt.asIntN(64, value) ? String(value) : "a bigint";
    case "undefined":
      return "nothing";
    case "object":
      return isInstance(value) ? "an instance of a class" : "an object";
    default:
      return `a ${typeof value}`;
  }
}
function isInstance(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

// src/value/datetime.ts
var MIN_INSTANT_MS = -621355968e5;
var MAX_INSTANT_MS = 253402300799999;
var DAY_MS = 864e5;
var ZERO = 48;
var COLON = 58;
var PLUS = 43;
var HYPHEN = 45;
var POINT = 46;
var UPPER_T = 84;
var UPPER_Z = 90;
function parseInstant(text) {
  const instant = { ms: 0, micros: 0 };
  return typeof text === "string" && parseInstantInto(instant, text) ? instant : void 0;
}
function parseInstantInto(instant, text) {
  const days = readDate(text);
  const seconds = readTime(text);
  const digits = text.charCodeAt(19) === POINT ? countDigits(text, 20) : 0;
  const offset = readOffset(text, digits === 0 ? 19 : 20 + digits);
  if (Number.isNaN(days + seconds + offset)) return false;
  const micro = digits === 0 ? 0 : Number(text.slice(20, 20 + Math.min(digits, 6)).padEnd(6, "0"));
  const milli = micro / 1e3 | 0;
  const ms = days * DAY_MS + (seconds - offset * 60) * 1e3 + milli;
  if (ms < MIN_INSTANT_MS || ms > MAX_INSTANT_MS) return false;
  instant.ms = ms;
  instant.micros = micro - milli * 1e3;
  return true;
}
function readDate(text) {
  const century = readPair(text, 0);
  const year = century * 100 + readPair(text, 2);
  const month = readPair(text, 5);
  const day = readPair(text, 8);
  return text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN && (text.charCodeAt(10) | 32) === 116 && // T or t
  year >= 1 && month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysInMonth(year, month)) ? daysFromCivil(year, month, day) : Number.NaN;
}
function readTime(text) {
  const hour = readPair(text, 11);
  const minute = readPair(text, 14);
  const second = readPair(text, 17);
  return text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON && hour <= 23 && minute <= 59 && second <= 59 ? (hour * 60 + minute) * 60 + second : Number.NaN;
}
function countDigits(text, from) {
  let end = from;
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= ZERO + 9) end++;
  return end - from;
}
function formatInstant(ms, micros) {
  const days = Math.floor(ms / DAY_MS);
  const inDay = ms - days * DAY_MS;
  const seconds = inDay / 1e3 | 0;
  const milli = inDay - seconds * 1e3;
  const whole = formatSeconds(days, seconds);
  return milli === 0 && micros === 0 ? whole : whole.slice(0, -1) + formatFraction(milli, micros);
}
function compareInstants(a, b) {
  return a.ms < b.ms ? -1 : a.ms > b.ms ? 1 : a.micros - b.micros;
}
function formatDate(date) {
  const ms = date.getTime();
  return ms >= MIN_INSTANT_MS && ms <= MAX_INSTANT_MS ? new Date(ms).toISOString() : void 0;
}
function readPair(text, at) {
  const tens2 = text.charCodeAt(at) - ZERO;
  const ones2 = text.charCodeAt(at + 1) - ZERO;
  return tens2 >= 0 && tens2 <= 9 && ones2 >= 0 && ones2 <= 9 ? tens2 * 10 + ones2 : Number.NaN;
}
function readOffset(text, at) {
  const sign = text.charCodeAt(at);
  if ((sign | 32) === 122 && text.length === at + 1) return 0;
  if (sign !== HYPHEN && sign !== PLUS || text.length !== at + 6) return Number.NaN;
  const hours = readPair(text, at + 1);
  const minutes = readPair(text, at + 4);
  if (text.charCodeAt(at + 3) !== COLON || !(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === HYPHEN ? -1 : 1) * (hours * 60 + minutes);
}
function daysInMonth(year, month) {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
function daysFromCivil(year, month, day) {
  const y = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = (y / 4 | 0) - (y / 100 | 0) + (y / 400 | 0);
  return y * 365 + leapDays + ((monthFromMarch * 153 + 2) / 5 | 0) + day - 719469;
}
function startOfMonths(ms, months) {
  const date = civilFromDays(Math.floor(ms / DAY_MS));
  const month = monthOf(date) - 1;
  return daysFromCivil(yearOf(date), month - month % months + 1, 1) * DAY_MS;
}
function civilFromDays(days) {
  const fromMarch0 = days + 719468;
  const era = fromMarch0 / 146097 | 0;
  const dayOfEra = fromMarch0 - era * 146097;
  const yearOfEra = (dayOfEra - (dayOfEra / 1460 | 0) + (dayOfEra / 36524 | 0) - (dayOfEra / 146096 | 0)) / 365 | 0;
  const dayOfYear = dayOfEra - (yearOfEra * 365 + (yearOfEra / 4 | 0) - (yearOfEra / 100 | 0));
  const monthFromMarch = (dayOfYear * 5 + 2) / 153 | 0;
  const day = dayOfYear - ((monthFromMarch * 153 + 2) / 5 | 0) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return year << 9 | month << 5 | day;
}
function yearOf(date) {
  return date >> 9;
}
function monthOf(date) {
  return date >> 5 & 15;
}
function formatSeconds(days, seconds) {
  const date = civilFromDays(days);
  const year = yearOf(date);
  const month = monthOf(date);
  const day = date & 31;
  const century = year / 100 | 0;
  const ofCentury = year - century * 100;
  const minutes = seconds / 60 | 0;
  const hour = minutes / 60 | 0;
  const minute = minutes - hour * 60;
  const second = seconds - minutes * 60;
  return String.fromCharCode(
    tens(century),
    ones(century),
    tens(ofCentury),
    ones(ofCentury),
    HYPHEN,
    tens(month),
    ones(month),
    HYPHEN,
    tens(day),
    ones(day),
    UPPER_T,
    tens(hour),
    ones(hour),
    COLON,
    tens(minute),
    ones(minute),
    COLON,
    tens(second),
    ones(second),
    UPPER_Z
  );
}
function tens(number) {
  return ZERO + (number / 10 | 0);
}
function ones(number) {
  return ZERO + number % 10;
}
function formatFraction(milli, micros) {
  let significant = milli * 1e3 + micros;
  let digits = 6;
  for (; significant % 10 === 0; digits--) significant /= 10;
  return `.${String(significant).padStart(digits, "0")}Z`;
}

// src/value/json.ts
var MAX_LEVELS = 500;
function copyJson(value) {
  const walk = { ancestors: [], steps: [], fault: "" };
  const copy = copyValue(value, walk);
  if (copy !== void 0) return { value: copy };
  return { fault: walk.fault, at: walk.steps.reduceRight(pointer, "") };
}
function isArray(value) {
  if (!Array.isArray(value)) return false;
  const { length } = value;
  return Number.isInteger(length) && length >= 0 && length < 2 ** 32;
}
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function inheritsKeys(value) {
  const prototype = Object.getPrototypeOf(value);
  for (const _ in prototype) return true;
  return false;
}
function cloneJson(value) {
  if (typeof value !== "object" || value === null) return value;
  if (isArray(value)) return value.map(cloneJson);
  const copy = {};
  for (const key of Object.keys(value)) setKey(copy, key, cloneJson(value[key]));
  return copy;
}
function equalJson(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isArray(a) || isArray(b)) {
    if (!isArray(a) || !isArray(b) || a.length !== b.length) return false;
    return a.every((member, i) => equalJson(member, b[i]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
}
function canonicalJson(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${entries.join(",")}}`;
}
function copyValue(value, walk) {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : refuse2(walk, "a lone surrogate");
    case "number":
      if (!Number.isFinite(value)) return refuse2(walk, String(value));
      return value === 0 ? 0 : value;
    case "boolean":
      return value;
    case "undefined":
      return refuse2(walk, "undefined");
    case "object":
      return value === null ? null : copyObject(value, walk);
    default:
      return refuse2(walk, `a ${typeof value}`);
  }
}
function copyObject(value, walk) {
  if (value instanceof Date)
    return formatDate(value) ?? refuse2(walk, "a Date without RFC 3339 form");
  const { ancestors } = walk;
  if (ancestors.includes(value)) return refuse2(walk, "a cycle");
  if (ancestors.length === MAX_LEVELS) return refuse2(walk, `more than ${MAX_LEVELS} levels`);
  ancestors.push(value);
  if (Array.isArray(value) && !isArray(value)) return refuse2(walk, "an array of invalid length");
  const copy = isArray(value) ? copyMembers(value, walk) : copyProperties(value, walk);
  ancestors.pop();
  return copy;
}
function copyMembers(members, walk) {
  const copy = [];
  for (let i = 0; i < members.length; i++) {
    const member = copyValue(members[i], walk);
    if (member === void 0) return step(walk, i);
    copy.push(member);
  }
  return copy;
}
function copyProperties(value, walk) {
  if (!isPlainObject(value)) return refuse2(walk, "an instance of a class");
  const copy = {};
  for (const key of Object.keys(value)) {
    const property = value[key];
    if (property === void 0) continue;
    const member = key.isWellFormed() ? copyValue(property, walk) : refuse2(walk, "a lone surrogate in a key");
    if (member === void 0) return step(walk, key);
    setKey(copy, key, member);
  }
  return copy;
}
function refuse2(walk, fault) {
  walk.fault = fault;
  return void 0;
}
function step(walk, key) {
  walk.steps.push(key);
  return void 0;
}
function setKey(target, key, value) {
  if (key !== "__proto__") target[key] = value;
  else {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true
    });
  }
}

// src/value/text.ts
var SURROGATE = /[\ud800-\udfff]/;
var SHORT = 32;
var MAX_EMAIL_LENGTH = 254;
var EMAIL = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
function isText(value) {
  return typeof value === "string" && value.isWellFormed();
}
function countCodePoints(text) {
  const length = text.length;
  if (length > SHORT && !SURROGATE.test(text)) return length;
  let count = length;
  for (let i = 1; i < length; i++) {
    if ((text.charCodeAt(i) & 64512) === 56320 && (text.charCodeAt(i - 1) & 64512) === 55296) {
      count--;
    }
  }
  return count;
}
function utf8Length(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) bytes += unit > 2047 && (unit & 63488) !== 55296 ? 2 : 1;
  }
  return bytes;
}
function foldCase(text) {
  const folded = text.includes("\u03A3") ? text.replaceAll("\u03A3", "\u03C3") : text;
  return folded.includes("\u0130") ? folded.split("\u0130").map((part) => part.toLowerCase()).join("\u0130") : folded.toLowerCase();
}
function isEmail(text) {
  return typeof text === "string" && text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

// src/shape/fields.ts
function partAt(key, rule = "E-3") {
  return { what: key, path: `/${key}`, rule };
}
function readFields(value, keys, part) {
  if (value === void 0) return {};
  requireObject(value, part);
  requireKnownKeys(value, keys, part);
  const fields = {};
  for (const key of keys) {
    const field = Object.hasOwn(value, key) ? value[key] : void 0;
    if (field !== void 0) fields[key] = field;
  }
  return fields;
}
function requireObject(value, part) {
  if (!isPlainObject(value)) refuseValue(value, "an object", part);
}
function requireKnownKeys(object, keys, { what, path = "", code = "invalid_request" } = {}) {
  for (const key of Object.keys(object)) {
    if (keys.includes(key) || object[key] === void 0) continue;
    const message = `${prefix(what)}unknown key ${describe(key)}${suggest(key, keys)}`;
    const reason2 = { kind: "unknown_key", key };
    refuse(code, message, { path: below(path, key), rule: "E-3", reason: reason2 });
  }
}
function readChoice(value, choices, { path, rule }) {
  const object = isPlainObject(value) ? value : {};
  const keys = Object.keys(object).filter((key2) => object[key2] !== void 0);
  const choice = choices.find((each) => each === keys[0]);
  if (choice !== void 0 && keys.length === 1) return [choice, object[choice]];
  const key = keys.find((each) => !choices.some((known) => known === each));
  const found = keys.slice(0, 5).map(describe).join(", ") || describe(value === object ? void 0 : value);
  const hint = key === void 0 ? "" : suggest(key, choices);
  refuse("invalid_request", `expected one of ${choices.join(", ")}, found ${found}${hint}`, {
    path,
    rule,
    reason: key === void 0 ? void 0 : { kind: "unknown_key", key }
  });
}
function readOneOf(value, choices, part) {
  return choices.find((each) => each === value) ?? refuseValue(value, choices.join(" or "), part);
}
function readFlag(value, part) {
  if (value === void 0 || typeof value === "boolean") return value;
  return refuseValue(value, "true or false", part);
}
function readString(value, min, max, part) {
  if (isText(value) && value.length <= 2 * max) {
    const length = countCodePoints(value);
    if (length >= min && length <= max) return value;
  }
  refuseValue(value, `a string of ${min}\u2013${max} characters`, part);
}
function readNumber(value, [least, most], part, kind = "a whole number") {
  const number = value;
  const isKind = kind === "a number" ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (isKind && number >= (least ?? number) && number <= (most ?? number)) return number;
  const to = most === void 0 ? "up" : `to ${most}`;
  refuseValue(value, least === void 0 ? kind : `${kind} from ${least} ${to}`, part);
}
function readStrings(value, part) {
  if (!isArray(value)) refuseValue(value, "an array of strings", part);
  return Array.from(value, (member, index) => {
    if (typeof member === "string") return member;
    return refuseValue(member, "a string", { ...part, path: below(part.path ?? "", index) });
  });
}
function readJsonObject(value, part) {
  if (value === void 0) return {};
  requireObject(value, part);
  const copy = copyJson(value);
  if ("fault" in copy) {
    refuse("invalid_request", `${prefix(part.what)}expected a JSON value, found ${copy.fault}`, {
      path: pointerTo(part.path ?? "") + copy.at,
      rule: part.rule
    });
  }
  return copy.value;
}
function refuseValue(value, expected, { what, path = "", rule, code = "invalid_request" }) {
  refuse(code, `${prefix(what)}expected ${expected}, found ${describe(value)}`, { path, rule });
}
function prefix(what) {
  return what === void 0 ? "" : `${what}: `;
}

// src/shape/profile.ts
var NAMES = /* @__PURE__ */ new Set(["metadataColumn", "mappingTarget"]);
function resolveProfile(option = "documented") {
  const options = typeof option === "string" ? { base: option } : option;
  const names = Object.keys(PROFILES.documented);
  const fields = readFields(options, names, partAt("profile"));
  const { base = "documented" } = fields;
  if (!Object.hasOwn(PROFILES, base)) {
    refuseValue(base, Object.keys(PROFILES).join(" or "), partAt("profile"));
  }
  const defaults = PROFILES[base];
  for (const field of names) {
    const { [field]: value = defaults[field] } = fields;
    if (value === defaults[field]) continue;
    const part = partAt(`profile/${field}`);
    const bases = Object.hasOwn(HOSTED, field) ? [PROFILES.documented, PROFILES.xata] : [defaults];
    const choices = bases.map((profile) => profile[field]);
    if (bases.length > 1 && typeof defaults[field] === "number")
      readNumber(value, [field === "maxPageSize" ? 1 : 0], part);
    else if (NAMES.has(field) ? typeof value !== "string" : !choices.includes(value)) {
      refuseValue(value, NAMES.has(field) ? "a string" : choices.join(" or "), part);
    }
  }
  return { ...defaults, ...fields };
}

// src/conformance/target/target.ts
var CAPABILITIES = [
  "tables",
  "databases",
  "mappings",
  "resolve",
  "user",
  "records",
  "transaction",
  "schema",
  "branches",
  "migrations",
  "history",
  "copy",
  "accounts",
  "files",
  "settings",
  "summarize",
  "aggregate",
  "search",
  "vectorSearch",
  "otherUser",
  "hosts",
  "http",
  "large"
];
var LackError = class extends Error {
  constructor() {
    super(...arguments);
    this.name = "LackError";
  }
};
var ConformanceUsageError = class extends Error {
  constructor() {
    super(...arguments);
    this.name = "ConformanceUsageError";
  }
};
function resolveTraits(target) {
  const isEngine = "engine" in target;
  if (!isEngine && target.fetch === void 0 && target.allowWrites !== true) {
    for (const url of [target.workspaceUrl, controlUrlOf(target)]) requireLoopback(url);
  }
  const missing = new Set(isEngine ? [] : ["hosts"]);
  if (!isEngine && target.fetch === void 0) missing.add("user").add("accounts");
  const otherApiKey = isEngine ? void 0 : target.otherApiKey;
  if (otherApiKey === void 0) missing.add("otherUser");
  const auth = isEngine ? "open" : target.auth;
  const given = target.capabilities ?? {};
  const served = isEngine ? target.engine.profile : resolveProfile(target.profile);
  return {
    profile: served.idColumn === "id" ? served : { ...served, base: "xata", idColumn: "id" },
    served,
    limits: isEngine ? target.engine.limits : { ...DEFAULT_LIMITS[served.base], ...target.limits },
    capabilities: new Set(CAPABILITIES.filter((name) => given[name] ?? !missing.has(name))),
    lacks: /* @__PURE__ */ new Set(),
    auth,
    apiKey: (isEngine ? void 0 : target.apiKey) ?? (auth === "open" ? "any" : void 0),
    otherApiKey
  };
}
function controlUrlOf({ controlUrl, workspaceUrl }) {
  return controlUrl ?? parseUrl(workspaceUrl).origin;
}
function parseUrl(address) {
  if (typeof address === "string" && URL.canParse(address)) return new URL(address);
  throw new ConformanceUsageError(
    `expected an address such as http://127.0.0.1:4000, found ${JSON.stringify(address)}`
  );
}
function requireLoopback(address) {
  const { hostname } = parseUrl(address);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new ConformanceUsageError(
      `${hostname} is another machine, and the checks create and delete databases: allow it with allowWrites (--allow-writes)`
    );
  }
}

// src/conformance/arbitraries/choice.ts
import fc from "fast-check";
var Choice = class extends fc.Arbitrary {
  constructor(values, simplify) {
    super();
    this.values = values;
    this.simplify = simplify;
  }
  generate(random) {
    const value = this.values[random.nextInt(0, this.values.length - 1)];
    return new fc.Value(value, void 0);
  }
  canShrinkWithoutContext(_) {
    return true;
  }
  shrink(value) {
    const simpler = this.simplify(value).map((each) => new fc.Value(each, void 0));
    return fc.stream(simpler.values());
  }
};
function derive(seed, label) {
  let hash = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < label.length; i++) {
    hash = Math.imul(hash ^ label.charCodeAt(i), 16777619) >>> 0;
  }
  hash = Math.imul(hash ^ hash >>> 16, 2246822507) >>> 0;
  hash = Math.imul(hash ^ hash >>> 13, 3266489909) >>> 0;
  return (hash ^ hash >>> 16) >>> 0;
}
function happens(seed, label, probability) {
  return derive(seed, label) < probability * 2 ** 32;
}
function choose(seed, label, options) {
  const option = options[derive(seed, label) % options.length];
  if (option === void 0) throw new RangeError(`nothing to choose from for ${label}`);
  return option;
}
function chooseSkewed(seed, label, options) {
  if (!happens(seed, `few ${label}`, 0.6)) return choose(seed, label, options);
  const start = derive(0, label) % options.length;
  return choose(seed, label, [...options.slice(start), ...options.slice(0, start)].slice(0, 4));
}
function chooseWeighted(seed, label, weights) {
  const forms = Object.entries(weights);
  const total = forms.reduce((sum, [, weight]) => sum + weight, 0);
  let left = derive(seed, label) / 2 ** 32 * total;
  for (const [form, weight] of forms) {
    left -= weight;
    if (left < 0) return form;
  }
  throw new RangeError(`nothing to choose from for ${label}`);
}
function several(seed, label, least, most, make) {
  const count = least + derive(seed, label) % (most - least + 1);
  return Array.from({ length: count }, (_, i) => make(derive(seed, `${label} ${i}`)));
}
function once(make) {
  let made;
  return () => made ??= make();
}

// src/conformance/arbitraries/covering.ts
function interactionsOf(row, triples) {
  const whole = triples.filter((triple) => triple.every((factor) => row[factor] !== void 0));
  return [...whole, ...pairsOf(Object.keys(row))].map((factors) => render(row, factors));
}
var BESIDE = " \xD7 ";
function render(row, factors) {
  return factors.map((factor) => `${factor} ${row[factor]}`).join(BESIDE);
}
function coverRows(groups, triples) {
  const left = /* @__PURE__ */ new Map();
  const want = (rows, factors) => {
    for (const row of rows) {
      const interaction = render(row, factors);
      if (left.has(interaction)) continue;
      left.set(interaction, Object.fromEntries(factors.map((each) => [each, row[each] ?? ""])));
    }
  };
  for (const triple of triples) want(groups[0] ?? [], triple);
  for (const [i, group] of groups.entries()) {
    for (const pair of pairsOf(Object.keys(group[0] ?? {}))) want(group, pair);
    for (const one of levelsOf(group)) {
      for (const other of levelsOf(groups.slice(i + 1).flat())) {
        const both = { ...one, ...other };
        want([both], Object.keys(both));
      }
    }
  }
  const postings = groups.map(indexRows);
  const own = /* @__PURE__ */ new Map();
  const gainOf = (row, candidate) => {
    const inner = own.get(candidate) ?? interactionsOf(candidate, triples);
    own.set(candidate, inner);
    const crossed = Object.keys(row).flatMap(
      (one) => Object.keys(candidate).map(
        (other) => `${one} ${row[one]}${BESIDE}${other} ${candidate[other]}`
      )
    );
    return [...inner, ...crossed].filter((each) => left.has(each)).length;
  };
  const chosen = [];
  for (const [interaction, part] of left) {
    if (!left.has(interaction)) continue;
    const row = groups.reduce(
      (held, group, i) => extend(held, findRows(postings[i], part) ?? group, gainOf),
      {}
    );
    for (const each of interactionsOf(row, triples)) left.delete(each);
    chosen.push(row);
  }
  return chosen;
}
function pairsOf(factors) {
  return factors.flatMap((one, i) => factors.slice(i + 1).map((other) => [one, other]));
}
function levelsOf(rows) {
  const levels = rows.flatMap((row) => Object.entries(row));
  const distinct = new Map(
    levels.map(([factor, level]) => [`${factor} ${level}`, { [factor]: level }])
  );
  return [...distinct.values()];
}
function indexRows(rows) {
  const postings = /* @__PURE__ */ new Map();
  for (const row of rows) {
    for (const level of levelNames(row)) {
      const known = postings.get(level);
      if (known === void 0) postings.set(level, [row]);
      else known.push(row);
    }
  }
  return postings;
}
function levelNames(row) {
  return Object.keys(row).map((factor) => render(row, [factor]));
}
function findRows(postings, part) {
  const known = levelNames(part).flatMap((level) => {
    const rows = postings?.get(level);
    return rows === void 0 ? [] : [rows];
  });
  const [fewest] = known.toSorted((a, b) => a.length - b.length);
  const factors = Object.keys(part);
  return fewest?.filter(
    (row) => factors.every((factor) => row[factor] === void 0 || row[factor] === part[factor])
  );
}
var MOST_CANDIDATES = 60;
function extend(row, candidates, gainOf) {
  const stride = Math.ceil(candidates.length / MOST_CANDIDATES);
  let [best, most] = [row, -1];
  for (let i = 0; i < candidates.length; i += stride) {
    const candidate = candidates[i] ?? {};
    const gain = gainOf(row, candidate);
    if (gain > most) [best, most] = [{ ...row, ...candidate }, gain];
  }
  return best;
}

// src/conformance/arbitraries/domains.ts
var CLOCK_START = Date.UTC(2024, 0, 1);
var CLOCK_TICK = 500;
var RECORD_IDS = [
  ..."abcdefAB",
  ..."10|9|a b|rec_1|\uFF5E|\u{1F600}|\u{1F600}a|constructor".split("|")
];
var TEXTS = "a|ab|b|aB||a*b|A|Ab|\xE9|a\u03A3|\u0130|ba|\uFF5E|\\?|\u{1F600}|aba".split("|");
var DOMAINS = {
  link: RECORD_IDS,
  bool: [true, false],
  int: [0, 1, 2, -1, 10, -0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  float: [0, -0, 1, 0.1, -1.5, 10, 1e300, 5e-324, -1e-7],
  string: TEXTS,
  text: [...TEXTS, "a\u{1F600}b", "ab ".repeat(20)],
  email: ["a@b.c", "A@b.c", "a@b.co", "b@a.c", "a'b+c@x.org"],
  datetime: [
    ..."2020-01-01T00:00:00Z|2020-01-01T01:00:00+01:00|2019-12-31t22:30:00.0000009-01:30|2020-01-01T00:00:00.5Z".split(
      "|"
    ),
    ..."2020-01-01T00:00:00.500z|2020-01-01T00:00:00.500001Z|1969-12-31T23:59:59.999999Z|1969-12-31T23:59:59.999Z|0001-01-01T00:00:00Z".split(
      "|"
    ),
    ..."9999-12-31T23:59:59.999999Z|2400-02-29T12:00:00.000001Z|2400-02-29T12:00:00Z|2024-01-01T00:00:00.5Z".split(
      "|"
    )
  ],
  multiple: [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "a"], ["", "\uFF5E", "\u{1F600}"]],
  json: [
    { a: "a" },
    { a: "ab" },
    { a: "Ba" },
    { a: [1, "x", null, { b: 2 }], b: false },
    [1, "a"],
    1,
    "a",
    true,
    [],
    {},
    { a: 1 },
    { a: 2 },
    { a: 10 },
    { a: null },
    { b: null },
    { a: { b: null, constructor: 1 } },
    { b: false, a: [1, "x", null, { b: 2 }] },
    { a: { b: "ab" } },
    { a: ["a", "b"] },
    [[1], 2],
    -1.5
  ],
  vector: [
    [0, 1],
    [0.5, -1]
  ],
  file: [
    { name: "a.txt", mediaType: "text/plain", base64Content: "aGk=" },
    { name: "b", base64Content: "" },
    { base64Content: "AAEC" }
  ],
  "file[]": [
    [],
    [{ id: "f1", name: "a.txt", mediaType: "text/plain", base64Content: "aGk=" }],
    [
      { id: "f2", base64Content: "" },
      { id: "f1", name: "~", base64Content: "AAEC" }
    ]
  ]
};
function makeValue(writing, column, seed) {
  const domain = domainOf(writing, column.type);
  switch (column.type) {
    case "link": {
      const id = chooseSkewed(seed, "id", domain);
      return happens(seed, "as object", 0.15) ? { id, name: "not read", n: 1 } : id;
    }
    case "object":
      return happens(seed, "empty", 0.1) ? {} : makeValues(writing, column.columns ?? [], seed);
    case "json": {
      const value = chooseSkewed(seed, column.name, domain);
      const asText2 = typeof value === "string" || happens(seed, "as text", 0.5);
      return PROFILES[writing.base].jsonAsText && asText2 ? JSON.stringify(value) : value;
    }
    default:
      return chooseSkewed(seed, column.name, domain);
  }
}
function domainOf({ domains = DOMAINS }, type) {
  return domains[type] ?? [];
}
function makeValues(writing, columns, seed) {
  const values = [];
  for (const column of columns) {
    const own = derive(seed, column.name);
    if (happens(own, "missing", 0.2)) continue;
    const value = happens(own, "null", 0.1) ? null : makeValue(writing, column, own);
    values.push([column.name, value]);
  }
  return Object.fromEntries(values);
}
function makeClockTime(seed) {
  return new Date(CLOCK_START + CLOCK_TICK * (derive(seed, "clock") % 12)).toISOString();
}
function makeTextOperand(operator, seed, texts = TEXTS) {
  const ignoresCase = operator.startsWith("$i");
  if (ignoresCase && happens(seed, "letter", 0.4)) {
    return choose(seed, "letters", ["i", "I", "\u0130", "\u03C3", "\u03C2", "\u03A3", "\xC9"]);
  }
  return operator.endsWith("attern") ? makePattern(seed, texts) : makeSearch(seed, texts);
}
function makeSearch(seed, texts = TEXTS) {
  if (happens(seed, "of a text", 0.4)) {
    const characters = [...String(choose(seed, "text", texts))];
    const from = derive(seed, "from") % Math.max(1, characters.length);
    const part = characters.slice(from, from + 1 + derive(seed, "length") % 2).join("");
    return happens(seed, "case", 0.2) ? swapCase(part) : part;
  }
  return choose(seed, "search", ["a", "", "A", "b", "B", "*", "\\", "i", "\uFF5E", "\u{1F600}"]);
}
function swapCase(text) {
  const lower = text.toLowerCase();
  return lower === text ? text.toUpperCase() : lower;
}
function makePattern(seed, texts) {
  if (happens(seed, "of a text", 0.6)) {
    const text = String(choose(seed, "text", texts)).replace(/[*?\\]/g, "\\$&");
    const cased = happens(seed, "case", 0.5) ? swapCase(text) : text;
    return choose(seed, "stars", [cased, `*${cased}`, `${cased}*`]);
  }
  const parts = ["*", "?", "a", "B", "\\*", "\\\\", "\\?", "\\a", "\u{1F600}", "\u0130"];
  return several(seed, "pattern", 0, 4, (part) => choose(part, "part", parts)).join("");
}

// src/conformance/rules.ts
var TIERS = ["core", "complete", "strict"];
var MEANINGS = {
  "N-1": ["complete", "Names of databases, branches and tables have 1\u2013255 of A-Z a-z 0-9 _ - ~."],
  "N-2": ["core", "An address has db:branch, with one colon."],
  "N-3": [
    "core",
    "A column name is unique in any case, starts with no $, and is not id, the metadata column, __proto__ or an index."
  ],
  "N-4": ["core", "A column path joins names with dots, through objects and links."],
  "N-5": ["complete", "Names of object prototype members are ordinary; __proto__ is unknown."],
  "N-6": [
    "complete",
    "Names of databases, branches and tables are case-sensitive; tables of a branch differ in more than case."
  ],
  "T-1": ["complete", "bool: false sorts before true."],
  "T-2": ["core", "int: safe integers, never rounded."],
  "T-3": ["complete", "float: finite numbers; \u22120 is 0."],
  "T-4": ["core", "string: up to 2048 code points, no lone surrogates, in code point order."],
  "T-5": ["strict", "text: a string of any length."],
  "T-6": ["core", "email: local@domain of ASCII, as documented, up to 254 characters."],
  "T-7": ["core", "datetime: RFC 3339 with offset, to the microsecond, returned in UTC."],
  "T-8": ["core", "multiple: an ordered list of strings."],
  "T-9": [
    "core",
    "link: a record's id. If the record is missing, columns read through it are null."
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
    "A link's target table may be created later, deleted, renamed, or be the table itself."
  ],
  "T-18": [
    "complete",
    "A checked link names a record; deleting the record sets it to null. A free link names any id."
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
    "An update keeps omitted columns, a replacement sets them to null. Objects are updated by sub-column."
  ],
  "R-8": [
    "complete",
    "Written records may have metadata, which is ignored, and dotted keys, but no unknown ones."
  ],
  "R-9": ["complete", "get and delete accept a missing record; update and replace do not."],
  "P-1": ["core", "Without columns: all columns, and the ids of links."],
  "P-2": ["core", "With columns: id, metadata and the selected columns."],
  "P-3": ["core", "* selects all columns: objects whole, links by id."],
  "P-4": ["core", "obj and obj.* select a whole object, obj.sub a part. Selections add up."],
  "P-5": ["core", "link.sub and link.* select columns of the linked record; paths can continue."],
  "P-6": [
    "strict",
    "A bare link selects its id, unless more of it is selected; under xata all of its record."
  ],
  "P-7": ["complete", "A null link is omitted; a dangling one has only its id."],
  "P-8": ["complete", "Naming id or metadata has no effect; on a link it selects both."],
  "P-9": ["complete", "The error of an unknown path names it and the nearest column."],
  "P-10": ["complete", "Keys are in the order id, columns of the schema, metadata."],
  "P-11": ["strict", "A selection can contain records of another table that link here."],
  "F-1": ["core", "All keys of a filter must match. An unknown operator is rejected."],
  "F-2": [
    "core",
    "$all needs every part, $any one; of no parts $all is true, $any false. An empty object is rejected."
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
    "$pattern matches the whole text: * any characters, ? one, \\ escapes. Its time is bounded."
  ],
  "F-12": ["core", "$gt, $ge, $lt and $le compare numbers and times."],
  "F-13": ["core", "$includesAny, $includesAll and $includesNone test the items of a list."],
  "F-14": ["complete", "A null list has no items."],
  "F-15": ["complete", "A literal null tests for null; only equality accepts it."],
  "F-16": ["complete", "A literal of a wrong type is rejected before any record is read."],
  "F-17": ["strict", "-> reaches into json columns."],
  "F-18": [
    "complete",
    "A type rejects the operators of other types. Typed members of a file are columns."
  ],
  "F-30": ["complete", "No condition matches null. Negations match it (complement) or not (sql)."],
  "S-1": ["core", "sort is an object, or an array of them, applied in turn."],
  "S-2": ["complete", "Only scalar columns sort, also through paths."],
  "S-3": [
    "complete",
    "Values sort by type; null is greater than every value. In summaries it is last both ways."
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
    "A branch starts empty or as an independent copy, and tells of which. The last one cannot be deleted."
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
    "Addresses spell workspaces in any case. To non-members a workspace looks like an unknown one."
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
    "Writes from pages of other origins, and requests to foreign hosts, are refused."
  ],
  "E-8": [
    "complete",
    "In profile xata, messages are those of the service, word for word; detail adds ours."
  ],
  "L-1": ["core", "Page size and offset are limited."],
  "L-2": ["complete", "A request body has up to 20 MiB by default."],
  "L-3": [
    "complete",
    "A filter has up to 1,000 predicates, 32 levels and lists of 100,000 values."
  ],
  "L-4": ["complete", "columns has up to 1,000 entries."],
  "L-5": ["complete", "A path follows up to 16 links."],
  "L-6": ["strict", "A table has up to 1,000 columns, nested up to 16 deep."],
  "L-7": ["strict", "A selection expands to up to 10,000 columns."],
  "L-8": [
    "strict",
    "A request has up to 200 aggregations or summaries, 1,000 top values, 10,000 buckets."
  ],
  "L-9": [
    "strict",
    "A refused batch lists up to 100 errors; a message has up to 2,000 characters."
  ],
  "L-10": ["strict", "A call that exceeds its time limit is refused."],
  "L-11": ["strict", "An answer over 256 MiB is refused, and its write with it."],
  "L-12": [
    "strict",
    "Stored records, defaults, settings and a table's columns over time are limited."
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
    "summarize groups records; aggregate computes over all of them. Under xata without links and ids."
  ],
  "Q-1": [
    "complete",
    "Texts are searched, also in objects and json, or those in target; * is all."
  ],
  "Q-2": [
    "strict",
    "Words are runs of letters, marks and numbers, without case and accents. No query counts all records."
  ],
  "Q-3": ["strict", "A word matches equal ones; from three letters also similar ones."],
  "Q-4": ["strict", "The words of a prefix phrase are adjacent; the last may be incomplete."],
  "Q-5": [
    "complete",
    "The best column scores, rare words and short texts higher; a numeric booster adds modifier(factor \xD7 value)."
  ],
  "Q-6": ["strict", "Records are whole, with table, score and highlighted passages."],
  "Q-7": [
    "complete",
    "A search page has 1\u2013200 records and an offset up to 800. Filters apply first; profile xata limits them."
  ],
  "Q-8": ["strict", "A search sees every earlier write."],
  "V-1": ["strict", "Records are ordered by vector similarity, ties by id."],
  "V-2": ["strict", "Similarity is cosine, l1 or l2, exact and finite."],
  "H-1": [
    "strict",
    "Files have an ASCII name, type and options; the service adds size and version, 0 without content."
  ],
  "H-2": [
    "complete",
    "Content and signed URLs are returned only when named; a search shows the URLs."
  ],
  "H-3": [
    "strict",
    "Bytes are uploaded and downloaded unchanged, by record, column and id; uploads have no name."
  ],
  "H-4": ["strict", "Signed URLs need no key, and expire; a private url needs a member's key."],
  "H-5": ["strict", "Equal contents are stored once and exported; images are not transformed."],
  "A-1": ["strict", "Keys have names, are shown once, work at once, and never after deletion."],
  "A-2": ["strict", "Workspaces are created, read, changed and deleted by address."],
  "A-3": [
    "strict",
    "Maintainers may do what owners may, but not give or take that role; the last owner stays."
  ],
  "A-4": [
    "strict",
    "An unknown workspace is not found, with its members, invitations and settings."
  ],
  "A-5": ["strict", "Secrets do not reveal each other."],
  "K-1": ["strict", "Every schema change is a migration; a new branch starts with a history."],
  "K-2": ["strict", "A pushed migration follows the last one and keeps its id."],
  "K-3": ["strict", "A merge applies what the target lacks since the common ancestor, once."],
  "K-4": ["strict", "Records are copied between branches of equal schema."],
  "K-5": ["strict", "A column that stays is altered: its values stay, by every way."]
};
var RULES = Object.entries(MEANINGS).map(([id, [tier, meaning]]) => ({
  id,
  // Object.entries widens the keys
  section: id.slice(0, 1),
  // every number starts with its section's letter
  tier,
  meaning
}));
var RULE_IDS = new Set(RULES.map((rule) => rule.id));
function isWithinTier(tier, limit) {
  return TIERS.indexOf(tier) <= TIERS.indexOf(limit);
}

// src/conformance/arbitraries/levels.ts
var NEEDS = {
  "path object": "type object",
  "path link": "type link",
  "path links": "type link",
  "order linked": "type link",
  "order ties": "order random",
  "columns object": "type object",
  "columns bare": "type link",
  "columns link": "type link",
  "columns reverse": "type link",
  "skip first": "page offset",
  "skip last": "page offset"
};
var CONNECTIVES = OPERATOR_NAMES.filter((name) => OPERATORS[name].operand === "conditions");
var CHAINS = CONNECTIVES.flatMap((outer) => CONNECTIVES.map((inner) => `${outer} ${inner}`));
var BELOW = [...CONNECTIVES, ...CHAINS].map((names) => `below ${names}`);
var COMBINATORS = ["bare", ...CONNECTIVES, ...CHAINS, ...BELOW];
var TIER_OF = {
  ...tierOf("complete", "type", ["id", "bool", "float"]),
  ...tierOf("complete", "literal", ["null", "empty", "list"]),
  ...tierOf("complete", "path", ["link", "links"]),
  ...tierOf("complete", "page", ["previous", "first", "last", "rest", "range", "back", "offset"]),
  ...tierOf("complete", "skip", ["first", "last"]),
  ...tierOf("complete", "order", ["linked"]),
  ...tierOf("complete", "combinator", [...CHAINS, ...BELOW]),
  "nulls some": "complete",
  ...tierOf("strict", "type", ["text", "json", "vector", "file", "file[]"]),
  ...tierOf("strict", "operator", ["$iContains", "$iPattern", "$existsNot"]),
  ...tierOf("strict", "order", ["none", "random", "ties"]),
  ...tierOf("strict", "path", ["json", "metadata"]),
  "columns reverse": "strict"
};
function tierOf(tier, factor, levels) {
  return Object.fromEntries(levels.map((level) => [`${factor} ${level}`, tier]));
}
function isInTier(feature, tier = "strict") {
  return isWithinTier(TIER_OF[feature] ?? "core", tier);
}
function levelsOf2({ lacks, capabilities, tier }, factor, levels) {
  return levels.filter((level) => {
    const feature = `${factor} ${level}`;
    const isFile = factor === "type" && level.startsWith("file");
    const combined = factor === "combinator" ? level.match(/\$\w+/g) ?? [] : [];
    return !lacks.has(feature) && !lacks.has(NEEDS[feature] ?? "") && !combined.some((name) => lacks.has(`operator ${name}`)) && isInTier(feature, tier) && !(isFile && !capabilities.has("files"));
  });
}

// src/conformance/arbitraries/predicate.ts
function operatorsWith(operands) {
  return OPERATOR_NAMES.filter((name) => operands.includes(OPERATORS[name].operand));
}
var TEXT_OPERATORS = operatorsWith(["text", "pattern"]);
var CONNECTIVES2 = operatorsWith(["conditions"]);
var TYPED_OPERATORS = operatorsWith(["text", "pattern", "bound", "items"]);
var LITERALS = ["value", "list", "empty", "null", "conditions"];
function literalsOf(operator, path) {
  switch (OPERATORS[operator].operand) {
    case "literal":
      return holdsLists(path) ? ["value", "null"] : ["value", "list", "empty", "null"];
    case "conditions":
      return LITERALS.filter((kind) => kind !== "null" || /^\$(any|none)$/.test(operator));
    case "items":
      return ["value", "list", "empty", "conditions"];
    case "text":
    case "pattern":
      return ["value", "empty"];
    case "bound":
      return ["value"];
    case "paths":
      return ["value", "list"];
  }
}
function makePredicate(branch, path, seed, depth = 2) {
  const operators = operatorsOf(branch, path);
  const isObject2 = path.column.type === "object";
  const allows = (kind) => isInTier(`literal ${kind}`, branch.tier);
  const form = chooseWeighted(seed, "form", {
    plain: isObject2 ? 0 : 16,
    null: allows("null") ? 4 : 0,
    list: allows("list") && !isObject2 && !holdsLists(path) ? 4 : 0,
    equality: isObject2 ? 60 : 36,
    operator: operators.length > 0 ? 40 : 0,
    two: operators.length > 0 ? 20 : 0,
    connective: depth > 0 ? 20 : 0
  });
  const make = (label, from) => {
    const own = derive(seed, label);
    const operator = choose(own, "operator", from);
    const literal = choose(own, "literal", COMMON_LITERALS[OPERATORS[operator].operand]);
    const fits = literalsOf(operator, path).includes(literal) && allows(literal);
    const levels = { operator, literal: fits ? literal : "value" };
    return makeCondition(branch, path, levels, own, depth);
  };
  const boundsOf2 = (isLow) => {
    const bounds = operators.filter((name) => {
      const operator = OPERATORS[name];
      return operator.operand === "bound" && operator.isLow === isLow;
    });
    return bounds.length === 0 ? operators : bounds;
  };
  switch (form) {
    case "plain":
      return makePlain(branch, path, derive(seed, "plain"));
    case "null":
      return null;
    case "list":
      return makeValues2(branch, path, seed, makePlain);
    case "equality":
      return make("equality", ["$is", "$isNot"]);
    case "operator":
      return make("one", operators);
    case "two":
      return { ...make("one", boundsOf2(true)), ...make("two", boundsOf2(false)) };
    case "connective":
      return make("connective", CONNECTIVES2);
  }
}
var COMMON_LITERALS = {
  literal: ["value", "value", "value", "list", "list", "null"],
  conditions: ["value", "conditions", "conditions", "list", "empty", "null"],
  items: ["value", "value", "conditions", "list", "list", "empty"],
  text: ["value"],
  pattern: ["value"],
  bound: ["value"],
  paths: ["value"]
};
function makeValues2(branch, path, seed, make) {
  return several(
    seed,
    "list",
    happens(seed, "empty list", 0.1) ? 0 : 1,
    3,
    (own) => isInTier("literal null", branch.tier) && happens(own, "null", 0.12) ? null : make(branch, path, own)
  );
}
function makeCondition(branch, path, { operator, literal }, seed, depth = 0) {
  const { operand } = OPERATORS[operator];
  switch (operand) {
    case "literal":
      if (literal === "null") return { [operator]: null };
      if (literal === "empty") return { [operator]: [] };
      if (literal === "list") return { [operator]: makeValues2(branch, path, seed, makeLiteral) };
      return { [operator]: makeLiteral(branch, path, seed) };
    case "conditions":
      return { [operator]: makeParts(branch, path, literal, seed, depth) };
    case "items":
      if (literal === "empty") return { [operator]: [] };
      if (literal === "value") return { [operator]: makeSearch(seed) };
      if (literal === "conditions") return { [operator]: makeItemCondition(branch, seed, 1) };
      return {
        [operator]: several(seed, "item", 1, 3, (own) => makeItemCondition(branch, own, 1))
      };
    case "text":
    case "pattern":
      if (literal === "empty") return { [operator]: "" };
      return { [operator]: makeTextOperand(operator, seed, textsAt(branch, path)) };
    case "paths":
      return { [operator]: path.names.join(".") };
    case "bound": {
      if (path.kind !== "json path") return { [operator]: makeLiteral(branch, path, seed) };
      const strings = PROFILES[branch.base].textRanges && happens(seed, "strings", 0.5);
      return { [operator]: strings ? makeSearch(seed) : choose(seed, "number", [0, 1, 2, -1.5]) };
    }
  }
}
function textsAt(branch, path) {
  if (path.kind === "id") return RECORD_IDS;
  return path.kind === "column" ? domainOf(branch, path.column.type) : void 0;
}
function makeParts(branch, path, literal, seed, depth) {
  const value = (own) => {
    const plain = makePlain(branch, path, own);
    const isScalar = typeof plain !== "object" && path.column.type !== "object";
    return isScalar ? plain : { $is: makeLiteral(branch, path, own) };
  };
  switch (literal) {
    case "value":
      return value(seed);
    case "empty":
      return [];
    case "null":
      return [null, value(seed)];
    case "list":
      return several(seed, "values", 1, 3, value);
    case "conditions": {
      if (depth === 0) {
        const other = makeLiteral(branch, path, derive(seed, "other"));
        return [{ $is: makeLiteral(branch, path, seed) }, { $isNot: other }];
      }
      const part = (own) => makePredicate(branch, path, own, depth - 1);
      return several(seed, "members", 1, 3, part).filter((each) => each !== null);
    }
  }
}
function makeItemCondition(branch, seed, depth) {
  const text = makeSearch(seed);
  const form = chooseWeighted(seed, "item form", {
    plain: 30,
    is: 8,
    isNot: 8,
    isList: 6,
    text: 30,
    connective: depth > 0 ? 25 : 0
  });
  switch (form) {
    case "plain":
      return text;
    case "is":
      return { $is: text };
    case "isNot":
      return { $isNot: text };
    case "isList":
      return { $is: [text, makeSearch(derive(seed, "other"))] };
    case "text": {
      const operator = choose(seed, "operator", operatorsInTier(branch, TEXT_OPERATORS));
      return { [operator]: makeTextOperand(operator, seed) };
    }
    case "connective": {
      const connective = choose(seed, "connective", CONNECTIVES2);
      const members = several(
        seed,
        "part",
        0,
        2,
        (own) => makeItemCondition(branch, own, depth - 1)
      );
      const alone = members[0];
      return { [connective]: alone !== void 0 && members.length === 1 ? alone : members };
    }
  }
}
function operatorsOf(branch, path) {
  return operatorsInTier(branch, TYPED_OPERATORS).filter(
    (name) => allowsOperator(branch, path, name)
  );
}
function operatorsInTier({ tier }, names) {
  return names.filter((name) => isInTier(`operator ${name}`, tier));
}
function allowsOperator({ base }, { kind, column }, name) {
  if (findOperator(name, base) === void 0) return false;
  if (kind === "json path" && OPERATORS[name].operand !== "paths") return true;
  return hasOperator(kind === "id" ? "id" : column.type, OPERATORS[name], PROFILES[base]);
}
function holdsLists(path) {
  return path.column.type === "multiple" || path.column.type === "json";
}
function makePlain(branch, path, seed) {
  if (path.column.type === "link") return chooseSkewed(seed, "id", domainOf(branch, "link"));
  const literal = makeLiteral(branch, path, seed);
  return JSON.stringify(literal) === "{}" ? { $is: literal } : literal;
}
function makeLiteral(branch, path, seed) {
  switch (path.kind) {
    case "metadata":
      return path.column.type === "int" ? derive(seed, "version") % 4 : makeClockTime(seed);
    case "id":
      return choose(seed, "id", RECORD_IDS);
    case "json path":
      return choose(seed, "json", JSON_LITERALS);
    case "column":
      if (path.column.type === "multiple" && happens(seed, "item", 0.4)) return makeSearch(seed);
      return makeValue(branch, path.column, seed);
  }
}
var JSON_LITERALS = [1, 2, 10, "a", "x", "ab", true, [1], { b: 2 }, ["a", "b"]];

// src/conformance/oracle/files.ts
var NEW = {
  name: "",
  mediaType: "application/octet-stream",
  enablePublicUrl: false,
  signedUrlTimeout: 60,
  uploadUrlTimeout: 86400,
  size: 0,
  version: 0,
  attributes: {},
  base64Content: ""
};
function settle(given, before) {
  const isContent = given.base64Content !== void 0;
  const base = isContent || before === void 0 ? NEW : before;
  const merged = { ...base, ...given };
  const { length: size } = atob(merged.base64Content);
  return { ...merged, size, version: isContent ? nextVersion(before, size) : base.version };
}
function nextVersion({ version } = NEW, size) {
  return version === 0 && size === 0 ? 0 : version + 1;
}
function asJson(file) {
  return { ...file };
}
var FILE_MEMBERS = [
  { name: "name", type: "string" },
  { name: "mediaType", type: "string" },
  { name: "base64Content", type: "text" },
  { name: "size", type: "int" },
  { name: "version", type: "int" }
];
function membersOf(file) {
  return asJson(settle(file, void 0));
}

// src/conformance/arbitraries/filter.ts
import fc2 from "fast-check";

// src/conformance/oracle/model.ts
function findTable(db, name) {
  return db.tables.find((table) => table.name === name);
}
function requireTable(db, name) {
  const table = findTable(db, name);
  if (table === void 0) throw new Error(`oracle: no table ${name}`);
  return table;
}
function findRecord(db, tableName, id) {
  return findTable(db, tableName)?.records.find((record) => record.id === id);
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function ownValue(object, key) {
  return object !== null && Object.hasOwn(object, key) ? object[key] ?? null : null;
}

// src/conformance/oracle/values.ts
function compareText(a, b) {
  if (a === b) return 0;
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (; ; ) {
    const [one, other] = [left.next(), right.next()];
    if (one.done || other.done) return Number(!one.done) - Number(!other.done);
    const difference = one.value.codePointAt(0) - other.value.codePointAt(0);
    if (difference !== 0) return difference;
  }
}
function instantOf(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(
    text
  );
  if (parts === null) throw new Error(`oracle: not a datetime: ${text}`);
  const part = (index) => Number(parts[index] ?? 0);
  const day = /* @__PURE__ */ new Date(0);
  day.setUTCFullYear(part(1), part(2) - 1, part(3));
  const offset = (part(9) * 60 + part(10)) * (parts[8] === "-" ? -1 : 1);
  const seconds = (part(4) * 60 + part(5) - offset) * 60 + part(6);
  const fraction = (parts[7] ?? "").slice(0, 6).padEnd(6, "0");
  return (BigInt(day.getTime()) + BigInt(seconds) * 1000n) * 1000n + BigInt(fraction);
}
function instantText(micros) {
  const fraction = (micros % 1000000n + 1000000n) % 1000000n;
  const whole = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(6, "0").replace(/0+$/, "");
  return `${whole}${digits === "" ? "" : `.${digits}`}Z`;
}
function lowerCase(text) {
  return [...text].map((character) => {
    const lower = character.toLowerCase();
    return [...lower].length > 1 ? character : lower;
  }).join("");
}
function matchesPattern(pattern, text) {
  const characters = [...text];
  const rest = [...pattern];
  let reached = [true, ...characters.map(() => false)];
  while (rest.length > 0) {
    const token = rest.shift();
    const before = reached;
    if (token === "*") {
      const first = before.indexOf(true);
      reached = before.map((_, i) => first >= 0 && i >= first);
      continue;
    }
    const wanted = token === "\\" ? rest.shift() : token;
    if (wanted === void 0) throw new Error("oracle: a pattern ends in a lone backslash");
    reached = before.map((_, i) => {
      const fits = token === "?" || characters[i - 1] === wanted;
      return i > 0 && before[i - 1] === true && fits;
    });
  }
  return reached.at(-1) === true;
}
function equalJson2(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, i) => equalJson2(member, b[i]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalJson2(a[key] ?? null, b[key] ?? null));
  }
  return a === b;
}
function isNullColumn(column, value) {
  if (column.type !== "object" || !isObject(value)) return value === null;
  return subColumns(column).every((sub) => isNullColumn(sub, ownValue(value, sub.name)));
}
function subColumns(column) {
  return column.columns ?? [];
}
function equalValues(column, a, b) {
  if (isNullColumn(column, a) || isNullColumn(column, b)) {
    return isNullColumn(column, a) && isNullColumn(column, b);
  }
  switch (column.type) {
    case "datetime":
      return instantOf(String(a)) === instantOf(String(b));
    case "link":
      return linkId(a) === linkId(b);
    case "object":
      return subColumns(column).every(
        (sub) => equalValues(sub, ownValue(a, sub.name), ownValue(b, sub.name))
      );
    default:
      return equalJson2(a, b);
  }
}
function linkId(value) {
  return isObject(value) ? ownValue(value, "id") : value;
}
function valueAt(object, path) {
  return path.split(".").reduce((at, name) => isObject(at) ? ownValue(at, name) : null, object);
}

// src/conformance/oracle/path.ts
var METADATA = [
  { name: "version", type: "int" },
  { name: "createdAt", type: "datetime" },
  { name: "updatedAt", type: "datetime" }
];
function recordValue(table, record) {
  return {
    type: "record",
    column: { name: "id", type: "string" },
    value: record.id,
    columns: table.columns,
    values: record.columns,
    record
  };
}
function plainValue(type, value) {
  const column = { name: "", type: type === "json path" ? "json" : "text" };
  return { type, column, value, columns: [], values: null, record: null };
}
function followPath(db, start, path) {
  const [names = "", ...keys] = path.split("->");
  const place = names.split(".").reduce((from, name) => step2(db, from, name), start);
  if (keys.length === 0) return place;
  return plainValue("json path", keys.reduce(stepIntoJson, place.value));
}
function step2(db, from, name) {
  if (from.type === "record" || from.type === "link") {
    if (name === "id") return { ...plainValue("id", from.value) };
    if (name === db.profile.metadataColumn) {
      const values = from.record && { ...from.record.metadata };
      return { ...plainValue("metadata", null), value: values, columns: METADATA, values };
    }
  }
  const column = from.columns.find((candidate) => candidate.name === name);
  if (column === void 0) throw new Error(`oracle: unknown column ${name}`);
  const value = ownValue(from.values, name);
  const place = { type: column.type, column, value, columns: [], values: null, record: null };
  switch (column.type) {
    case "object":
      if (isNullColumn(column, value))
        return { ...place, value: null, columns: subColumns(column) };
      return { ...place, columns: subColumns(column), values: value };
    case "link": {
      const target = column.link?.table ?? "";
      const record = typeof value === "string" ? findRecord(db, target, value) : void 0;
      return {
        ...place,
        columns: findTable(db, target)?.columns ?? [],
        values: record?.columns ?? null,
        record: record ?? null
      };
    }
    case "file":
      return { ...place, columns: FILE_MEMBERS, values: value === null ? null : membersOf(value) };
    default:
      return place;
  }
}
function stepIntoJson(value, key) {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] ?? null : null;
  return isObject(value) ? ownValue(value, key) : null;
}

// src/conformance/oracle/order.ts
function sortKeys(sort) {
  return sortEntries(sort).filter(([path]) => path !== "*").map(([path, direction]) => ({ path, descending: direction === "desc" }));
}
function isRandomSort(sort) {
  return sortEntries(sort).some(([path]) => path === "*");
}
function sortEntries(sort) {
  if (sort === void 0) return [];
  const parts = Array.isArray(sort) ? sort : [sort];
  return parts.flatMap(
    (part) => typeof part === "string" ? [[part, "asc"]] : Object.entries(part)
  );
}
function positionOf(db, tableName, sort, record) {
  const start = recordValue(requireTable(db, tableName), record);
  const values = sortKeys(sort).map((key) => {
    const place = followPath(db, start, key.path);
    return comparable(place.type, place.value);
  });
  return { keys: values, id: record.id };
}
function comparable(type, value) {
  if (value === null) return null;
  if (type === "datetime") return instantOf(String(value));
  return typeof value === "boolean" ? Number(value) : value;
}
function comparePositions(keys, a, b) {
  for (let i = 0; i < keys.length; i++) {
    const order = compareKeys(a.keys[i] ?? null, b.keys[i] ?? null, keys[i].descending);
    if (order !== 0) return order;
  }
  return compareText(a.id, b.id);
}
function compareKeys(a, b, descending) {
  return descending ? compareValues(b, a) : compareValues(a, b);
}
function compareValues(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a > b) - Number(a < b);
}
function sortRecords(db, tableName, sort, records) {
  const keys = sortKeys(sort);
  return records.map((record) => ({ record, position: positionOf(db, tableName, sort, record) })).sort((a, b) => comparePositions(keys, a.position, b.position));
}

// src/conformance/oracle/filter.ts
function matches(db, tableName, filter, record) {
  const place = recordValue(requireTable(db, tableName), record);
  return conditionHolds(db, place, filter) === true;
}
function conditionHolds(db, place, condition) {
  if (isPlainValue(place, condition)) return isEqual(db, place, condition);
  if (Array.isArray(condition)) return or(condition.map((part) => conditionHolds(db, place, part)));
  const keys = Object.entries(condition);
  return and(keys.map(([key, operand]) => keyHolds(db, place, key, operand)));
}
function isPlainValue(place, condition) {
  if (Array.isArray(condition)) return holdsLists2(place);
  if (!isObject(condition)) return true;
  return holdsJson(place) && !Object.keys(condition).some((key) => key.startsWith("$"));
}
function holdsJson(place) {
  return place.type === "json" || place.type === "json path";
}
function holdsLists2(place) {
  return place.type === "multiple" || holdsJson(place);
}
function keyHolds(db, place, key, operand) {
  const parts = () => partsOf(place, operand).map((part) => conditionHolds(db, place, part));
  switch (key) {
    case "$all":
      return and(parts());
    case "$any":
      return or(parts());
    case "$not":
      return not(and(parts()));
    case "$none":
      return not(or(parts()));
    // F-4, F-7: the path is relative to this one.
    case "$exists":
      return listOf(operand).every((path) => !isNull(followPath(db, place, String(path))));
    case "$notExists":
    case "$existsNot":
      return listOf(operand).every((path) => isNull(followPath(db, place, String(path))));
    default:
      if (key.startsWith("$")) return operatorHolds(db, place, key, operand);
      return conditionHolds(db, followPath(db, place, key), operand);
  }
}
function partsOf(place, operand) {
  if (Array.isArray(operand)) return operand;
  if (!isObject(operand) || isPlainValue(place, operand)) return [operand];
  return Object.entries(operand).map(([key, value]) => ({ [key]: value }));
}
function operatorHolds(db, place, operator, operand) {
  switch (operator) {
    case "$is":
      return isEqual(db, place, operand);
    case "$isNot":
      return not(isEqual(db, place, operand));
    case "$includes":
    case "$includesAny":
    case "$includesAll":
    case "$includesNone":
      return includes(db, place, operator, operand);
    default:
      if (isNull(place)) return unknown(db);
      return scalarHolds(place, operator, operand);
  }
}
function scalarHolds(place, operator, operand) {
  const { value } = place;
  if (typeof value !== typeof operand) return false;
  if (operator === "$gt" || operator === "$ge" || operator === "$lt" || operator === "$le") {
    const left = comparable(place.type, value);
    const right = comparable(place.type, operand);
    const order = typeof left === "string" && typeof right === "string" ? compareText(left, right) : Number(left > right) - Number(left < right);
    if (operator === "$gt") return order > 0;
    if (operator === "$ge") return order >= 0;
    if (operator === "$lt") return order < 0;
    return order <= 0;
  }
  const text = String(value);
  const wanted = String(operand);
  switch (operator) {
    case "$contains":
      return text.includes(wanted);
    case "$startsWith":
      return text.startsWith(wanted);
    case "$endsWith":
      return text.endsWith(wanted);
    case "$iContains":
      return lowerCase(text).includes(lowerCase(wanted));
    case "$pattern":
      return matchesPattern(wanted, text);
    case "$iPattern":
      return matchesPattern(lowerCase(wanted), lowerCase(text));
    default:
      throw new Error(`oracle: unknown operator ${operator}`);
  }
}
function isEqual(db, place, operand) {
  if (Array.isArray(operand) && !holdsLists2(place)) {
    return or(operand.map((member) => isEqual(db, place, member)));
  }
  if (place.type === "multiple" && typeof operand === "string") {
    return includes(db, place, "$includesAny", operand);
  }
  const literal = place.type === "json path" ? operand : readLiteral(db, place.column, operand);
  if (isNullColumn(place.column, literal)) return isNull(place);
  if (isNull(place)) return unknown(db);
  if (place.type === "json path") return equalJson2(place.value, literal);
  return equalValues(place.column, place.value, literal);
}
function readLiteral(db, column, operand) {
  if (column.type === "object" && isObject(operand)) {
    const literals = subColumns(column).map((sub) => [
      sub.name,
      readLiteral(db, sub, ownValue(operand, sub.name))
    ]);
    return Object.fromEntries(literals);
  }
  const reads = column.type === "json" && db.profile.base !== "documented" && typeof operand === "string";
  return reads ? JSON.parse(operand) : operand;
}
function includes(db, place, operator, operand) {
  if (!isNull(place) && !Array.isArray(place.value)) return operator === "$includesNone";
  const items = place.value ?? [];
  const type = place.type === "multiple" ? "text" : "json path";
  const conditions = listOf(operand);
  const fits = (item) => conditions.some((condition) => conditionHolds(db, plainValue(type, item), condition) === true);
  if (operator === "$includesAll") return items.every(fits);
  if (operator === "$includesNone") return !items.some(fits);
  return items.some(fits);
}
function isNull(place) {
  return place.value === null;
}
function listOf(operand) {
  return Array.isArray(operand) ? operand : [operand];
}
function unknown(db) {
  return db.profile.nullComparison === "complement" ? false : null;
}
function not(truth) {
  return truth === null ? null : !truth;
}
function and(truths) {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}
function or(truths) {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

// src/conformance/oracle/project.ts
function projectRecord(db, tableName, columns, record) {
  const table = requireTable(db, tableName);
  const selected = columns ?? ["*"];
  const paths = selected.flatMap((entry) => typeof entry === "string" ? [entry.split(".")] : []);
  const reverse = selected.filter((entry) => typeof entry !== "string");
  return {
    id: record.id,
    ...projectColumns(db, table.columns, record.columns, paths),
    ...Object.fromEntries(
      reverse.map((entry) => [
        entry.as ?? reverseName(db, entry),
        linkingRecords(db, entry, record)
      ])
    ),
    ...projectMetadata(db, record)
  };
}
function projectMetadata(db, record) {
  const { version, createdAt, updatedAt } = record.metadata;
  return {
    [db.profile.metadataColumn]: {
      version,
      createdAt: instantText(instantOf(createdAt)),
      updatedAt: instantText(instantOf(updatedAt))
    }
  };
}
function projectColumns(db, columns, values, paths) {
  const starred = paths.some((path) => path[0] === "*");
  const result = [];
  for (const column of columns) {
    const tails = paths.filter((path) => path[0] === column.name).map((path) => path.slice(1));
    const value = ownValue(values, column.name);
    if (value === null || !starred && tails.length === 0) continue;
    const bare = tails.some((tail) => tail.length === 0);
    const further = tails.filter((tail) => tail.length > 0);
    if (column.type === "object" && isObject(value)) {
      const inner = starred || bare ? [["*"], ...further] : further;
      const object = projectColumns(db, subColumns(column), value, inner);
      if (Object.keys(object).length > 0) result.push([column.name, object]);
    } else if (column.type === "link") {
      const whole = bare && db.profile.base !== "documented";
      const inner = whole ? [["*"], ...further] : further;
      result.push([column.name, projectLink(db, column, String(value), inner)]);
    } else if (column.type === "file" || column.type === "file[]") {
      const members = /* @__PURE__ */ new Set([...starred ? BRIEF : [], ...further.map(([name]) => name)]);
      const files = projectFiles(column, value, (member) => members.has(member));
      if (files !== null) result.push([column.name, files]);
    } else {
      result.push([column.name, renderValue(db, column, value)]);
    }
  }
  return Object.fromEntries(result);
}
var BRIEF = ["id", "name", "mediaType"];
function projectFiles({ type }, value, isChosen) {
  const files = Array.isArray(value) ? value : [value];
  const shown = files.map((file2) => {
    const members = membersOf(file2);
    const names = [...type === "file[]" ? ["id"] : [], ...FILE_MEMBERS.map(({ name }) => name)];
    const shown2 = names.filter(isChosen).map((name) => [name, ownValue(members, name)]);
    return Object.fromEntries(shown2);
  });
  if (type === "file[]") return shown;
  const [file = {}] = shown;
  return Object.keys(file).length > 0 ? file : null;
}
function projectLink(db, column, id, paths) {
  const target = column.link?.table ?? "";
  const record = paths.length === 0 ? void 0 : findRecord(db, target, id);
  if (record === void 0) return { id };
  const columns = findTable(db, target)?.columns ?? [];
  return {
    id,
    ...projectColumns(db, columns, record.columns, paths),
    ...projectMetadata(db, record)
  };
}
function renderValue(db, column, value) {
  if (column.type === "datetime") return instantText(instantOf(String(value)));
  if (column.type === "json" && db.profile.base !== "documented") return JSON.stringify(value);
  return value === 0 ? 0 : value;
}
function reverseName(db, { name }) {
  if (db.profile.base === "documented") return name;
  return name.slice("<-".length).replace(".", "");
}
function linkingRecords(db, selection, record) {
  const [tableName = "", ...link] = selection.name.slice("<-".length).split(".");
  const table = requireTable(db, tableName);
  const linking = table.records.filter(
    (other) => followPath(db, recordValue(table, other), link.join(".")).value === record.id
  );
  const start = selection.offset ?? 0;
  const records = sortRecords(db, tableName, selection.sort, linking).slice(start, start + (selection.limit ?? 20)).map((entry) => projectRecord(db, tableName, selection.columns, entry.record));
  return { records };
}

// src/conformance/oracle/evaluate.ts
function evaluateQuery(db, tableName, request) {
  const { after, before, start, end, offset = 0 } = request.page ?? {};
  const cursor = [start, end, after, before].find((key) => key !== void 0 && key !== "end");
  const { filter, sort } = cursor ?? request;
  const keys = sortKeys(sort);
  const columns = request.columns ?? cursor?.columns;
  const size = request.page?.size ?? cursor?.size ?? 20;
  const from = isToken(after) ? after.last : void 0;
  const to = isToken(before) ? before.first : void 0;
  if (from !== void 0 && to !== void 0 && comparePoints(keys, from, to) >= 0) {
    throw new RangeError("G-9: the page of `after` does not come before that of `before`");
  }
  const matching = sortMatches(db, tableName, { filter, sort });
  const range = matching.filter(({ position }) => {
    const at = { position, side: 0 };
    return (from === void 0 || comparePoints(keys, from, at) < 0) && (to === void 0 || comparePoints(keys, at, to) < 0);
  });
  const backward = before !== void 0 && after === void 0 || end !== void 0;
  const followed = after === "end" ? [] : range;
  const taken = backward ? followed.slice(
    Math.max(0, followed.length - offset - size),
    Math.max(0, followed.length - offset)
  ) : followed.slice(offset, offset + size);
  const first = taken[0];
  const last = taken.at(-1);
  const pointAfter = (entry) => entry === void 0 ? null : { position: entry.position, side: 1 };
  let gap;
  if (after === "end") gap = pointAfter(matching.at(-1));
  else if (offset > 0 && !(after !== void 0 && before !== void 0)) {
    gap = backward ? null : pointAfter(matching.at(-1));
  } else if (from !== void 0) gap = from?.side === 0 ? { ...from, side: 1 } : from;
  else if (to !== void 0) gap = to?.side === 0 ? { ...to, side: -1 } : to;
  else gap = null;
  return {
    records: taken.map(({ record }) => projectRecord(db, tableName, columns, record)),
    more: followed.length > offset + size,
    size,
    token: {
      columns,
      filter,
      sort,
      size,
      first: first === void 0 ? gap : { position: first.position, side: 0 },
      last: last === void 0 ? gap : { position: last.position, side: 0 }
    }
  };
}
function isToken(key) {
  return key !== void 0 && key !== "end";
}
function comparePoints(keys, a, b) {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const order = comparePositions(keys, a.position, b.position);
  return order === 0 ? a.side - b.side : order;
}
function matchingRecords(db, tableName, filter = {}) {
  const { records } = requireTable(db, tableName);
  return records.filter((record) => matches(db, tableName, filter, record));
}
function sortMatches(db, tableName, { filter, sort }) {
  return sortRecords(db, tableName, sort, matchingRecords(db, tableName, filter));
}

// src/conformance/arbitraries/filter.ts
function atPath(names, condition, seed) {
  const [name = "", ...rest] = names;
  if (rest.length === 0) return { [name]: condition };
  const inner = atPath(rest, condition, seed);
  if (happens(seed, `nest at ${rest.length}`, 0.35)) return { [name]: inner };
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [`${name}.${key}`, value]));
}

// src/conformance/arbitraries/walk.ts
var PAGES = {
  query: {},
  tail: { after: "end" },
  back: { before: "end" },
  next: { after: "of" },
  previous: { before: "of" },
  first: { start: "of" },
  last: { end: "of" },
  rest: { after: "of", before: "end" },
  range: { after: "of", before: "until" }
};
function boundsOf(kind, [of, until], member) {
  const marks = { of, until };
  const given = Object.entries(PAGES[kind]).flatMap(([key, name]) => {
    const mark = name === "end" ? name : marks[name]?.[member];
    return mark === void 0 ? [] : [[key, mark]];
  });
  return Object.fromEntries(given);
}
function findMarks(bookmarks, { kind, of = 0, until = 0 }) {
  const names = Object.values(PAGES[kind]);
  const back = (name, count) => names.includes(name) ? bookmarks.at(-1 - count % Math.max(1, bookmarks.length)) : void 0;
  return [back("of", of), back("until", until)];
}
function requestOf({ filter, sort, columns, page }, step4, isFresh) {
  return defined({
    ...isFresh && { filter, sort },
    columns: step4.columns ?? (isFresh ? columns : void 0),
    page: defined({
      size: step4.size ?? (isFresh ? page?.size : void 0),
      offset: step4.offset ?? (isFresh ? page?.offset : void 0)
    })
  });
}
function defined(members) {
  const entries = Object.entries(members).filter(([, value]) => value !== void 0);
  return Object.fromEntries(entries);
}

// src/conformance/arbitraries/features.ts
var TRIPLES = [
  ["operator", "type", "combinator"],
  ["operator", "type", "nulls"]
];
var TABLES = { none: "full", some: "sparse" };
var PREFIXES = {
  own: [],
  object: ["object"],
  link: ["link"],
  links: ["link", "link"],
  json: []
};
var ORDERS = {
  none: () => void 0,
  asc: (path) => ({ [path]: "asc" }),
  desc: (path) => ({ [path]: "desc" }),
  two: (path) => path === "id" ? ["id"] : [{ [path]: "desc" }, { id: "desc" }],
  random: () => ({ "*": "random" }),
  ties: (path) => [{ [path]: "asc" }, { "*": "random" }],
  linked: (path) => [{ [`link.${path}`]: "asc" }]
};
var SELECTIONS = {
  default: () => void 0,
  none: () => [],
  star: () => ["*"],
  path: (path) => [path],
  object: () => ["object.*"],
  bare: () => ["link"],
  link: () => ["link.*"],
  reverse: (_, table) => [{ name: `<-${table}.link`, as: "by", columns: ["link.*"] }],
  "reverse page": (_, table) => [
    { name: `<-${table}.link`, as: "by", sort: [{ id: "desc" }], limit: 2, offset: 1 }
  ]
};
var LEADING = {
  previous: ["next"],
  range: ["next", "next"]
};
function featureRows(traits) {
  const groups = featureGroups(traits);
  if (groups.some(({ length }) => length === 0)) throw new LackError("not supported: queries");
  const sortable = sortableRows(traits);
  return {
    covering: coverRows(groups, TRIPLES),
    telling: [
      ...operatorRows(traits),
      ...pageRows(traits, sortable),
      ...orderRows(traits, sortable)
    ]
  };
}
function featureGroups(traits) {
  return [conditionRows(traits), ...plainRows(traits)];
}
var ENDLESS = {
  random: /^(tail|back)$/,
  ties: /^(?!query|offset)/
};
function plainRows(traits) {
  const pages = levelsOf2(traits, "page", [...Object.keys(PAGES), "offset"]);
  const ordered = levelsOf2(traits, "order", Object.keys(ORDERS)).flatMap(
    (order) => pages.filter((page) => !ENDLESS[order]?.test(page)).map((page) => ({ order, page }))
  );
  return [
    ordered,
    levelsOf2(traits, "columns", Object.keys(SELECTIONS)).map((columns) => ({ columns }))
  ];
}
function conditionsOf(traits) {
  const operators = levelsOf2(traits, "operator", OPERATOR_NAMES);
  const types = levelsOf2(traits, "type", ["id", ...COLUMN_TYPES]);
  return types.flatMap(
    (type) => levelsOf2(traits, "path", Object.keys(PREFIXES)).flatMap((path) => {
      const walked = walkedPath(type, path);
      if (walked === void 0) return [];
      const fitting = operators.filter((name) => allowsOperator(traits.profile, walked, name));
      return fitting.flatMap(
        (operator) => literalsOf(operator, walked).map((literal) => ({ operator, type, path, literal }))
      );
    })
  );
}
function conditionRows(traits) {
  const combinators = levelsOf2(traits, "combinator", ["bare", "$not", "below $not"]);
  const nullness = levelsOf2(traits, "nulls", Object.keys(TABLES));
  return conditionsOf(traits).flatMap(
    (condition) => combinators.flatMap(
      (combinator) => nullness.map((nulls2) => ({ ...condition, combinator, nulls: nulls2 })).filter((row) => goTogether(condition, row))
    )
  );
}
function goTogether({ operator, type }, { combinator = "", nulls: nulls2 }) {
  return !(combinator.startsWith("below") && OPERATORS[operator].operand === "paths" || nulls2 === "none" && type.startsWith("file"));
}
function operatorRows(traits) {
  const combinators = levelsOf2(traits, "combinator", COMBINATORS);
  const nullness = levelsOf2(traits, "nulls", Object.keys(TABLES));
  const conditions = conditionsOf(traits).filter(
    ({ operator, type, path, literal }) => neighboursOf(traits, operator, walkedPath(type, path)).length > 0 && type !== "object" && /^(value|list|null|conditions)$/.test(literal) && (literal === "conditions" || OPERATORS[operator].operand !== "conditions")
  );
  const operators = [...new Set(conditions.map(({ operator }) => operator))];
  return operators.flatMap((operator, place) => {
    const own = conditions.filter((each) => each.operator === operator);
    const paths = [...new Set(own.map(({ path }) => path))];
    const find = (path, combinator, i) => {
      const nulls2 = nullness[(i + paths.indexOf(path)) % nullness.length] ?? "";
      const fitting = own.filter(
        (each) => each.path === path && goTogether(each, { combinator, nulls: nulls2 })
      );
      const choice = fitting[derive(i % 4, path) % fitting.length];
      return choice === void 0 ? [] : [{ ...choice, combinator, nulls: nulls2 }];
    };
    return combinators.flatMap((combinator, i) => {
      const isDeep = (combinator.match(/\$/g)?.length ?? 0) > 1;
      if (isDeep && (place + i) % 2 === Number(combinator.startsWith("below"))) return [];
      const [rotating = ""] = paths.slice((place + i) % paths.length);
      const used = paths.filter(
        (path) => path === rotating || !isDeep && /^(own|object|link)$/.test(path)
      );
      return used.flatMap((path) => find(path, combinator, i));
    });
  });
}
function neighboursOf(traits, operator, path) {
  const { operand, columns } = OPERATORS[operator];
  const meaningOf = (name) => {
    const { foreign: _, isHosted: __, ...meaning } = OPERATORS[name];
    return JSON.stringify([meaning, columns === "text" && name]);
  };
  const names = levelsOf2(traits, "operator", OPERATOR_NAMES);
  return names.filter(
    (name) => OPERATORS[name].operand === operand && meaningOf(name) !== meaningOf(operator) && path !== void 0 && allowsOperator(traits.profile, path, name)
  );
}
var NEAR_TYPES = ["float", "string", "text", "email", "datetime", "multiple"];
function hasNear({ operator = "", type = "", literal }) {
  const { operand } = OPERATORS[operator];
  return literal === "value" && NEAR_TYPES.includes(type) && !/^\$i[A-Z]/.test(operator) && /^(literal|text|pattern|bound|items)$/.test(operand);
}
function nearOf(operand) {
  if (Array.isArray(operand)) return operand.map((each) => nearOf(each));
  if (typeof operand === "number") return Math.trunc(operand);
  if (typeof operand !== "string") return operand;
  const time = operand.replace(/^(\d.*\.\d{1,3})\d*/, "$1");
  return time === operand ? swapCase(operand) : time;
}
function neighbourRows(traits, row) {
  const { operator, type = "", path = "", order, skip } = row;
  if (operator !== void 0) {
    const contexts = ["combinator", "path"];
    const others = neighboursOf(traits, operator, walkedPath(type, path));
    const rows = others.map((other) => ({
      neighbour: { ...row, operator: other },
      names: contexts.map((factor) => `operator ${operator} \u2260 ${other} \xD7 ${factor} ${row[factor]}`)
    }));
    if (!hasNear(row)) return rows;
    const name = `operator ${operator} \xD7 type ${type} \xD7 operand \u2260 near`;
    return [...rows, { neighbour: { ...row, operand: "near" }, names: [name] }];
  }
  const isSkipping = skip !== "none";
  const context = isSkipping ? `page ${row.page} \xD7 skip ${skip}` : `type ${type} \xD7 path ${path}`;
  const orders = levelsOf2(traits, "order", ["none", "asc", "desc", "two"]);
  const skipsNone = {
    neighbour: { ...row, skip: "none" },
    names: [`order ${order} \xD7 ${context} \u2260 none`]
  };
  return [
    ...isSkipping ? [skipsNone] : [],
    ...orders.filter((other) => other !== order).map((other) => ({
      neighbour: { ...row, order: other },
      names: [`order ${order} \u2260 ${other} \xD7 ${context}`]
    }))
  ];
}
function simplerRows(row) {
  const { operator, literal: _, combinator: __, ...rest } = row;
  const plainer = Object.entries(PLAINEST).filter(([factor, level]) => {
    return row[factor] !== void 0 && row[factor] !== level;
  });
  return [
    ...operator === void 0 ? [] : [rest],
    ...plainer.map(([factor, level]) => ({ ...row, [factor]: level }))
  ];
}
var PLAINEST = {
  page: "query",
  skip: "none",
  order: "none",
  columns: "default",
  combinator: "bare"
};
function pageRows(traits, columns) {
  const skips = levelsOf2(traits, "skip", ["first", "last"]);
  const nullness = levelsOf2(traits, "nulls", Object.keys(TABLES));
  const pages = (plainRows(traits)[0] ?? []).filter(
    ({ page, order = "" }) => page !== "offset" && !(order in ENDLESS)
  );
  return pages.flatMap(
    (row, i) => skips.map((skip) => ({
      ...row,
      ...columns[(i + skip.length) % columns.length],
      skip,
      nulls: nullness[i % nullness.length] ?? ""
    }))
  );
}
function sortableRows(traits) {
  const types = levelsOf2(traits, "type", COLUMN_TYPES).filter(
    (type) => TRAITS[type].sortable && type !== "link"
    // one of the types
  );
  const paths = levelsOf2(traits, "path", ["own", "object", "link", "links"]);
  return types.flatMap((type) => paths.map((path) => ({ type, path })));
}
function orderRows(traits, columns) {
  const nulls2 = levelsOf2(traits, "nulls", Object.keys(TABLES)).at(-1) ?? "";
  return columns.flatMap(
    (column) => ["asc", "desc"].map((order) => ({ ...column, order, nulls: nulls2, page: "query", skip: "none" }))
  );
}
var FLAT = ["id", "vector", "file", "file[]"];
function walkedPath(type, path) {
  if (path === "object" ? FLAT.includes(type) : path === "json" && type !== "json")
    return void 0;
  const column = columnOf(type);
  const kind = path === "json" ? "json path" : type === "id" ? "id" : "column";
  const last = path === "json" ? "json->a" : column.name;
  return { names: [...PREFIXES[path] ?? [], last], column, kind, next: void 0, links: 0 };
}
function columnOf(type) {
  if (type === "id") return { name: "id", type: "string" };
  const column = { name: type.replace("[]", "s"), type };
  return type === "vector" ? { ...column, vector: { dimension: 2 } } : column;
}
function plainColumns(types) {
  const plain = types.filter(
    (type) => !FLAT.includes(type) && type !== "object" && type !== "link"
  );
  return plain.slice(0, 1).map(columnOf);
}

// src/conformance/arbitraries/feature-cases.ts
import fc4 from "fast-check";

// src/conformance/oracle/links.ts
function linksOf(columns) {
  return columns.flatMap((column) => {
    const { name, type, link } = column;
    if (type === "link") return [{ path: name, target: link?.table ?? "" }];
    if (type !== "object") return [];
    return linksOf(subColumns(column)).map(({ path, target }) => ({
      path: `${name}.${path}`,
      target
    }));
  });
}
function unlink(db, target, id, time) {
  if (db.profile.links === "free") return db;
  const tables = db.tables.map((table) => {
    const links = linksOf(table.columns).filter((link) => link.target === target);
    const records = table.records.map((record) => {
      const found = links.filter(({ path }) => valueAt(record.columns, path) === id);
      if (found.length === 0) return record;
      const columns = found.reduce(
        (held, { path }) => withNull(held, path.split(".")),
        record.columns
      );
      const version = record.metadata.version + 1;
      return { ...record, columns, metadata: { ...record.metadata, version, updatedAt: time } };
    });
    return { ...table, records };
  });
  return { ...db, tables };
}
function withNull(columns, [name = "", ...path]) {
  const inner = columns[name];
  const value = path.length > 0 && isObject(inner) ? withNull(inner, path) : null;
  return { ...columns, [name]: value };
}

// src/conformance/oracle/write.ts
function applyUnchecked(db, write, now) {
  const table = requireTable(db, write.table);
  const time = instantText(BigInt(now) * 1000n);
  if (write.kind === "insert") {
    const ids = new Set(write.records.map(({ id }) => id));
    const isTwice = ids.size < write.records.length;
    if (isTwice || table.records.some(({ id }) => ids.has(id))) return "id_in_use";
    const added = write.records.map(
      (given) => insertedRecord(db, table, String(given.id), given, time)
    );
    if (added.some((record) => record === null)) return "invalid_record";
    return replaceRecords(db, table, [...table.records, ...added]);
  }
  const before = table.records.find((record) => record.id === write.id);
  if (write.kind === "delete") {
    if (before === void 0) return db;
    const others = table.records.filter((record) => record !== before);
    return unlink(replaceRecords(db, table, others), table.name, before.id, time);
  }
  const { ifVersion, createOnly = false } = write;
  const isMissing = before === void 0 && /^(update|replace)$/.test(write.kind);
  if (isMissing) return "record_not_found";
  const isChecked = ifVersion !== void 0 && (before !== void 0 || write.kind !== "put");
  const isOther = isChecked && ifVersion !== before?.metadata.version;
  const isTaken = createOnly && write.kind === "put" && before !== void 0;
  if (isOther || isTaken) return "id_in_use";
  if (before === void 0) {
    const added = insertedRecord(db, table, write.id, write.record, time);
    return added === null ? "invalid_record" : replaceRecords(db, table, [...table.records, added]);
  }
  const updates = write.kind === "update" || write.kind === "upsert";
  const columns = updates ? mergeColumns(db, table.columns, nestKeys(write.record), before.columns) : storeColumns(db, table.columns, nestKeys(write.record), time);
  if (columns === null) return "invalid_record";
  const version = before.metadata.version + 1;
  const metadata = { ...before.metadata, version, updatedAt: time };
  const after = { id: before.id, columns, metadata };
  return replaceRecords(
    db,
    table,
    table.records.map((record) => record === before ? after : record)
  );
}
function replaceRecords(db, changed2, records) {
  const tables = db.tables.map((table) => table === changed2 ? { ...table, records } : table);
  return { ...db, tables };
}
function insertedRecord(db, table, id, given, time) {
  const columns = storeColumns(db, table.columns, nestKeys(given), time);
  return columns && { id, columns, metadata: { version: 0, createdAt: time, updatedAt: time } };
}
function nestKeys(given) {
  const nested = {};
  for (const [key, value] of Object.entries(given)) {
    const [head = "", ...tail] = key.split(".");
    if (tail.length === 0) nested[key] = value;
    else nested[head] = { ...nested[head], [tail.join(".")]: value };
  }
  return nested;
}
function storeColumns(db, columns, given, time) {
  const stored = {};
  for (const column of columns) {
    const missing = !Object.hasOwn(given, column.name);
    let value;
    if (column.type === "object" && (missing || isObject(given[column.name]))) {
      const inner = missing ? {} : given[column.name];
      value = storeColumns(db, subColumns(column), nestKeys(inner), time) ?? void 0;
    } else if (missing) {
      value = storeValue(db, column, defaultOf(column, time));
    } else {
      value = storeValue(db, column, ownValue(given, column.name));
    }
    if (value === void 0) return null;
    stored[column.name] = value;
  }
  return stored;
}
function defaultOf(column, time) {
  const given = column.defaultValue ?? null;
  if (column.type === "datetime" && given === "now") return time;
  const textual = ["string", "text", "email", "datetime", "link", "json"].includes(column.type);
  return typeof given === "string" && !textual ? JSON.parse(given) : given;
}
function mergeColumns(db, columns, given, before) {
  const stored = {};
  for (const column of columns) {
    const held = ownValue(before, column.name);
    const value = ownValue(given, column.name);
    let result;
    if (!Object.hasOwn(given, column.name)) {
      result = held;
    } else if (column.type === "object" && isObject(value)) {
      const inner = isObject(held) ? held : null;
      result = mergeColumns(db, subColumns(column), nestKeys(value), inner) ?? void 0;
    } else if ((column.type === "int" || column.type === "float") && isObject(value)) {
      result = calculate(column, value, held);
    } else {
      result = storeValue(db, column, value);
    }
    if (result === void 0) return null;
    stored[column.name] = result;
  }
  return stored;
}
function calculate(column, operation, held) {
  const [operator, operand] = Object.entries(operation)[0] ?? [];
  const by = Number(operand);
  if (held === null) return null;
  if (operator === "$divide" && by === 0) return void 0;
  const number = Number(held);
  let result;
  if (operator === "$increment") result = number + by;
  else if (operator === "$decrement") result = number - by;
  else if (operator === "$multiply") result = number * by;
  else result = number / by;
  const holds = column.type === "int" ? Number.isSafeInteger(result) : Number.isFinite(result);
  return holds ? result + 0 : void 0;
}
function storeValue(db, column, given) {
  if (given === null) return null;
  switch (column.type) {
    case "int":
    case "float":
      return isObject(given) ? void 0 : Number(given) + 0;
    case "datetime":
      return instantText(instantOf(String(given)));
    case "link":
      return linkId(given);
    case "json": {
      const reads = db.profile.base !== "documented" && typeof given === "string";
      return reads ? JSON.parse(given) : given;
    }
    default:
      return given;
  }
}

// src/conformance/oracle/world.ts
function fillDatabase(profile, tables, now) {
  const empty = tables.map(({ name, columns }) => ({ name, columns, records: [] }));
  return tables.reduce(
    (db, { name, records }) => {
      const written = applyUnchecked(db, { kind: "insert", table: name, records }, now);
      if (typeof written === "string")
        throw new Error(`oracle: a record to begin with: ${written}`);
      return written;
    },
    { profile, tables: empty }
  );
}

// src/conformance/arbitraries/people.ts
import fc3 from "fast-check";
var NAMES2 = ["ab", "", "a*", ..."abA\\?\xE9\u{1F600}"];
var AGES = [0, 1, 2, -1];
var TIMES = [
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00+01:00",
  "2020-01-01T00:00:00.5Z",
  "1999-12-31T23:59:59.999999Z"
];
var TEAM_IDS = ["t1", "t1", "t2", "gone"];
var DOMAINS2 = {
  ...{ string: NAMES2, int: AGES, datetime: TIMES, link: TEAM_IDS },
  multiple: [[], ["a"], ["b", "a"], ["ab"]]
};
function orderTotally(filter, sort) {
  const keys = [sort ?? []].flat().flatMap((key) => {
    const entries = Object.entries(typeof key === "string" ? { [key]: "asc" } : key);
    return entries.filter(([path]) => path !== "id");
  });
  const exists = keys.map(([path]) => ({ $exists: path }));
  const parts = Object.keys(filter).length === 0 ? exists : [filter, ...exists];
  return {
    filter: { $all: parts },
    sort: [...keys.map(([path, direction]) => ({ [path]: direction })), { id: "asc" }]
  };
}

// src/conformance/arbitraries/feature-cases.ts
function schemaOf(traits, types) {
  const { profile } = traits;
  const inner = types.filter((type) => !FLAT.includes(type));
  const complete = (type, table, depth = 0) => {
    const column = columnOf(type);
    if (type === "link") return { ...column, link: { table } };
    if (type !== "object") return column;
    if (depth > 0)
      return { ...column, columns: plainColumns(levelsOf2(traits, "type", COLUMN_TYPES)) };
    return { ...column, columns: inner.map((each) => complete(each, table, depth + 1)) };
  };
  const tables = Object.values(TABLES).map((name) => ({
    name,
    columns: types.map((type) => complete(type, name))
  }));
  return { tables, base: profile.base, metadataColumn: profile.metadataColumn };
}
function typesOf(rows) {
  const features = rows.flatMap(
    (row) => Object.entries(row).flatMap(([factor, level]) => {
      const feature = `${factor} ${level}`;
      return [feature, NEEDS[feature] ?? ""];
    })
  );
  return COLUMN_TYPES.filter((type) => features.includes(`type ${type}`));
}
var RECORDS = RECORD_IDS.slice(-10);
function featureCases(traits, count) {
  const { covering, telling } = featureRows(traits);
  const rows = new Choice([...covering, ...telling], simplerRows);
  const plan = fc4.record({
    seed: fc4.noShrink(fc4.nat()),
    records: fc4.uniqueArray(fc4.constantFrom(...RECORDS)),
    rows: fc4.array(rows, { minLength: 1, maxLength: 100 })
  });
  const arbitrary = plan.map(
    (given) => renderCase(traits, given),
    (given) => given.plan
    // renderCase made it
  );
  const operators = telling.filter(({ operator }) => operator !== void 0);
  const pages = telling.filter(({ operator }) => operator === void 0);
  const length = Math.ceil(operators.length / count);
  const examples = Array.from({ length: count }, (_, seed) => {
    const spread = [...covering, ...pages].filter((_2, place) => place % count === seed);
    const own = operators.slice(seed * length, (seed + 1) * length);
    return renderCase(traits, { seed, records: RECORDS, rows: [...spread, ...own] });
  });
  return { arbitrary, examples };
}
function renderCase(traits, plan) {
  const schema = schemaOf(traits, typesOf(plan.rows));
  const used = schema.tables.filter(
    ({ name }) => plan.rows.some(({ nulls: nulls2 = "" }) => TABLES[nulls2] === name)
  );
  const tables = used.map((table) => ({
    ...table,
    records: RECORDS.map((id) => {
      const seed = derive(plan.seed, `${table.name} ${id}`);
      return { id, ...makeValues3(schema, table.columns, { seed, id, table: table.name }) };
    })
  }));
  const db = fillDatabase(traits.profile, tables, CLOCK_START);
  const context = { schema, db, traits, seeds: /* @__PURE__ */ new Map(), answers: /* @__PURE__ */ new Map() };
  const walks = plan.rows.map((row) => once(() => chooseWalk(context, row, plan.seed)));
  const fixture = {
    tables: tables.map((table) => ({
      ...table,
      records: table.records.filter(({ id }) => plan.records.includes(id))
    }))
  };
  return { fixture, plan, walks };
}
function makeValues3(schema, columns, place) {
  const { id, table } = place;
  const values = columns.flatMap((column) => {
    const { name, type } = column;
    const seed = derive(place.seed, name);
    if (type.startsWith("file") ? id !== RECORDS[0] : table !== TABLES.none && happens(seed, "null", 0.25)) {
      return [];
    }
    if (type === "link") return [[name, choose(seed, "id", RECORDS)]];
    if (type !== "object") return [[name, makeValue(schema, column, seed)]];
    return [[name, makeValues3(schema, column.columns ?? [], { ...place, seed })]];
  });
  return Object.fromEntries(values);
}
function chooseWalk(context, row, seed) {
  const { page: _, order: __, columns: ___, ...condition } = row;
  const alone = { ...condition, combinator: "bare" };
  const key = JSON.stringify(row.operator === void 0 ? row : alone);
  const own = derive(seed, key);
  const chosen = row.operator === void 0 ? own : context.seeds.get(key) ?? chooseSeed(context, alone, own);
  context.seeds.set(key, chosen);
  const features = row.columns === void 0 ? tell(context, row, chosen).flatMap(({ names }) => names) : interactionsOf(row, TRIPLES);
  return { walk: renderWalk(context, row, row, chosen), features };
}
var PATIENCE = 8;
function chooseSeed(context, row, seed) {
  const neighbours = neighbourRows(context.traits, row);
  let [best, most] = [seed, -1];
  for (let attempt = 0, last = PATIENCE; attempt < last; attempt++) {
    const own = derive(seed, `attempt ${attempt}`);
    const walk = renderWalk(context, row, row, own);
    const ids = matchesOf(context, walk);
    const isSplit = ids !== "" && ids !== matchesOf(context, { ...walk, query: {} });
    const told = tell(context, row, own, neighbours).length;
    const gain = 2 * told + Number(isSplit);
    if (gain > most) [best, most, last] = [own, gain, attempt + PATIENCE];
    if (isSplit && told === neighbours.length) break;
  }
  return best;
}
function tell(context, row, seed, neighbours = neighbourRows(context.traits, row)) {
  const answerOf = row.page === void 0 ? matchesOf : answersOf;
  const own = answerOf(context, renderWalk(context, row, row, seed));
  return neighbours.filter(
    ({ neighbour }) => answerOf(context, renderWalk(context, row, neighbour, seed)) !== own
  );
}
function matchesOf({ db, answers }, { table, query }) {
  const key = `${table} ${JSON.stringify(query.filter)}`;
  const known = answers.get(key);
  if (known !== void 0) return known;
  const ids = matchingRecords(db, table, query.filter).map(({ id }) => id);
  answers.set(key, ids.join());
  return ids.join();
}
function answersOf({ db }, { table, query, steps }) {
  const pages = [];
  for (const step4 of [{ kind: "query" }, ...steps]) {
    const marks = findMarks(pages, step4);
    const { page, ...rest } = requestOf({ ...query, columns: [] }, step4, marks[0] === void 0);
    const tokens = boundsOf(step4.kind, marks, "token");
    try {
      pages.push(evaluateQuery(db, table, { ...rest, page: { ...tokens, ...page } }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const isRandom = isRandomSort(query.sort);
  return JSON.stringify(
    pages.map(({ records, more }) => [more, records.map(({ id }) => isRandom || id)])
  );
}
function renderWalk({ schema, traits }, row, { operator, operand, order = "", skip }, seed) {
  const { type = "", path = "", page = "query", columns = "" } = row;
  const table = TABLES[row.nulls ?? ""] ?? "";
  const walked = walkedPath(type, path);
  if (walked === void 0) throw new Error(`no path to ${type}`);
  const name = walked.names.join(".");
  const isSortable = walked.kind === "id" || walked.kind === "column" && TRAITS[walked.column.type].sortable;
  const filter = operator === void 0 ? {} : renderFilter(schema, { row, walked, operator, operand }, derive(seed, "filter"));
  const sort = ORDERS[order]?.(isSortable ? name : "id");
  const shown = walked.kind === "json path" ? "json" : type.startsWith("file") ? `${name}.size` : name;
  const selected = SELECTIONS[columns]?.(shown, table);
  const kinds = page === "query" || page === "offset" ? [] : [...LEADING[page] ?? [], page];
  const query = traits.tier === "strict" ? { filter, ...sort && { sort } } : orderTotally(filter, sort);
  const sizes = row.page === void 0 ? [20] : kinds.length === 0 ? [3, 20] : [1, 2, 2];
  const size = choose(seed, "size", sizes);
  const offset = { offset: 1 };
  const isFirst = skip === "first" || page === "offset" || skip === "last" && kinds.length === 0;
  return {
    table,
    query: {
      ...query,
      // valid for the types of its columns
      ...selected && { columns: selected },
      page: { size, ...isFirst && offset }
    },
    steps: kinds.map((kind, i) => ({
      ...{ kind, of: kind === "range" ? 2 : 0, until: 0 },
      ...skip === "last" && i === kinds.length - 1 && offset
    }))
  };
}
function renderFilter(schema, { row, walked, operator, operand: which }, seed) {
  const { combinator = "" } = row;
  const levels = row;
  const [own = null] = Object.values(makeCondition(schema, walked, levels, seed));
  const operand = which === "near" ? nearOf(own) : own;
  const isOfPaths = OPERATORS[levels.operator].operand === "paths";
  const paths = levels.literal === "list" ? [walked.names.join("."), "id"] : operand;
  const condition = { [operator]: isOfPaths ? paths : operand };
  const spelling = derive(seed, combinator);
  const connectives = combinator.match(/\$\w+/g) ?? [];
  const combine2 = (inner, beside) => connectives.reduceRight((part, name) => {
    if (name === "$not") return { $not: part };
    return { [name]: [part, beside[name] ?? []].flat() };
  }, inner);
  if (isOfPaths) return combine2(condition, BESIDE2);
  if (combinator.startsWith("below")) return atPath(walked.names, combine2(condition, {}), spelling);
  return combine2(atPath(walked.names, condition, spelling), BESIDE2);
}
var BESIDE2 = {
  $any: { id: "" },
  $none: { id: "" },
  $all: { id: { $isNot: "" } }
};

// src/value/names.ts
var MAX_NAME_LENGTH = 255;
var NAME = /^[A-Za-z0-9_~-]{1,255}$/;
var ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/;
var MAX_ARRAY_INDEX = 2 ** 32 - 2;
function isName(text) {
  return typeof text === "string" && NAME.test(text);
}
function isColumnName(text) {
  return isName(text) && text !== "__proto__" && !isArrayIndex(text);
}
function isArrayIndex(name) {
  return ARRAY_INDEX.test(name) && Number(name) <= MAX_ARRAY_INDEX;
}

// src/catalog/names.ts
function checkName(kind, name, path) {
  if (typeof name === "string" && isName(name)) return;
  refuse(
    "invalid_name",
    `${kind} name: expected 1\u2013255 characters of A-Z a-z 0-9 _ - ~, found ${describe(name)}`,
    { path, rule: "N-1" }
  );
}

// src/catalog/find.ts
function findWorkspace(state, workspace) {
  const { workspaces, base } = state;
  const status = base === "documented" ? 404 : 401;
  return workspaces.get(workspace) ?? refuseMissing("workspace", workspace, workspaces, { status });
}
function findDatabase(state, address) {
  const { database } = address;
  const { databases } = findWorkspace(state, address.workspace);
  return databases.get(database) ?? refuseMissing("database", database, databases);
}
function findBranch(state, address) {
  const { database, branch } = address;
  const { branches } = findDatabase(state, address);
  return branches.get(branch) ?? refuseMissing("branch", branch, branches, { within: `${database}:` });
}
function findTable2(state, address) {
  const { database, branch, table } = address;
  const { tables } = findBranch(state, address);
  return tables.get(table) ?? refuseMissing("table", table, tables, { within: `${database}:${branch}/` });
}
function refuseMissing(kind, name, found, { within = "", status } = {}) {
  checkName(kind, name);
  const hint = kind === "workspace" ? suggest(name, found.keys()) : suggestAmong(name, found);
  const rule = kind === "workspace" ? "D-5" : "M-4";
  refuse(`${kind}_not_found`, `${kind} [${within}${name}] not found${hint}`, {
    rule,
    status,
    reason: { kind: "not_found", what: kind, name: `${within}${name}` },
    hint: hint === "" ? void 0 : hint.slice("; ".length)
  });
}

// src/catalog/events.ts
import { castDraft, enableMapSet, freeze, Immer } from "immer";

// src/catalog/rename-key.ts
function renameKey(map, from, to) {
  return new Map(Array.from(map, ([key, value]) => [key === from ? to : key, value]));
}
function orderAsBefore(map, before) {
  const places = new Map(Array.from(before.values(), (value, index) => [value, index]));
  const placeOf = (value) => places.get(value) ?? places.size + Number(value);
  return new Map([...map].sort(([, a], [, b]) => placeOf(a) - placeOf(b)));
}

// src/catalog/events.ts
function created(entity, at, value) {
  return { kind: "created", entity, at, value };
}
function changed(entity, at, value) {
  return { kind: "changed", entity, at, value };
}
function deleted(entity, ...at) {
  return { kind: "deleted", entity, at };
}
var KINDS = {
  user: { path: ["users"] },
  key: { path: ["keys"] },
  deletedKey: { path: ["deletedKeys"] },
  workspace: { path: ["workspaces"], below: ["member", "invite", "database"] },
  member: { path: ["workspaces", "members"] },
  invite: { path: ["workspaces", "invites"] },
  database: {
    path: ["workspaces", "databases"],
    below: ["branch", "gitBranch"],
    list: "migrationRequests"
  },
  branch: { path: ["workspaces", "databases", "branches"], below: ["table"], list: "history" },
  gitBranch: { path: ["workspaces", "databases", "branchesByGitBranch"] },
  table: { path: ["workspaces", "databases", "branches", "tables"] }
};
enableMapSet();
var immer = new Immer({ autoFreeze: false });
var checks = { isDeep: false };
function applyEvents(state, events) {
  return produceCatalog(state, ({ apply }) => {
    for (const event of events) apply(event);
  });
}
function produceCatalog(state, recipe) {
  return immer.produce(state, (catalog) => {
    const rest = { unordered: /* @__PURE__ */ new Map(), created: [] };
    recipe({ catalog, apply: (event) => applyEvent(catalog, event, rest) });
    for (const entity of rest.created) asLeaf(entity);
    for (const at of rest.unordered.values()) {
      const branch = parentOf(catalog, "table", at);
      const { tables } = branch;
      branch.tables = orderAsBefore(tables, parentOf(state, "table", at).tables);
    }
  });
}
function applyEvent(catalog, event, rest) {
  switch (event.kind) {
    case "created":
    case "changed":
      setEntity(catalog, event, rest);
      return;
    case "table_created":
      entriesOf(catalog, "table", event.at).set(event.at.at(-1), event.key);
      return;
    case "table_altered":
      return;
    case "deleted":
      entriesOf(catalog, event.entity, event.at).delete(event.at.at(-1));
      return;
    case "renamed": {
      const { entity, at, to } = event;
      const entries = entriesOf(catalog, entity, at);
      const parent = parentOf(catalog, entity, at);
      if (entity === "table" && rest !== void 0) {
        rest.unordered.set(at.slice(0, -1).join("/"), at);
        entries.set(to, entries.get(at.at(-1)));
        entries.delete(at.at(-1));
      } else parent[propertyOf(entity)] = renameKey(entries, at.at(-1), to);
      return;
    }
    case "history": {
      const { history } = entityAt(catalog, "branch", event.at);
      history.length = event.index;
      for (const migration of event.migrations) history.push(asLeaf(migration));
      return;
    }
    case "request": {
      const database = entityAt(catalog, "database", event.at);
      database.migrationRequests[event.index] = asLeaf(event.request);
      return;
    }
    case "counted":
      catalog[event.counter] += 1;
      return;
  }
}
function setEntity(catalog, { entity, at, value }, rest) {
  const { below: below2 = [], list } = KINDS[entity];
  const entries = entriesOf(catalog, entity, at);
  const entry = entries.get(at.at(-1));
  if (below2.length === 0) entries.set(at.at(-1), asLeaf(value));
  else if (entry !== void 0)
    Object.assign(entry, value);
  else {
    const contents = {};
    for (const kind of below2) contents[propertyOf(kind)] = /* @__PURE__ */ new Map();
    if (list !== void 0) contents[list] = [];
    rest?.created.push(contents);
    entries.set(at.at(-1), Object.assign(contents, value));
  }
}
function asLeaf(value) {
  return castDraft(freeze(value, checks.isDeep));
}
function parentOf(catalog, kind, at) {
  let node = catalog;
  const { path } = KINDS[kind];
  for (let level = 0; level < path.length - 1; level++) {
    node = node?.[path[level]]?.get(at[level]);
  }
  return node;
}
function entriesOf(catalog, kind, at) {
  return parentOf(catalog, kind, at)[propertyOf(kind)];
}
function entityAt(catalog, kind, at) {
  return parentOf(catalog, kind, at)?.[propertyOf(kind)]?.get(at.at(-1));
}
function propertyOf(kind) {
  return KINDS[kind].path.at(-1);
}
function entitiesIn(kind, parent) {
  return parent[propertyOf(kind)];
}
function ownOf(kind, entity) {
  const { below: below2 = [], list } = KINDS[kind];
  if (below2.length === 0) return entity;
  const contents = /* @__PURE__ */ new Set([...below2.map(propertyOf), list]);
  const properties = Object.entries(entity).filter(([property]) => !contents.has(property));
  return Object.fromEntries(properties);
}
function* tableKeysIn(kind, entity) {
  if (kind === "table") yield entity;
  for (const child of KINDS[kind].below ?? []) {
    const entities = entitiesIn(child, entity);
    for (const value of entities.values()) yield* tableKeysIn(child, value);
  }
}

// src/catalog/settings.ts
var MAX_SETTINGS_LENGTH = 1024 * 1024;
function mergeSettings(settings, changes) {
  const patch = readJsonObject(changes, { what: "settings", rule: "X-5" });
  const merged = { ...settings, ...patch };
  if (JSON.stringify(merged).length <= MAX_SETTINGS_LENGTH) return merged;
  return refuse(
    "invalid_request",
    `settings: expected at most ${MAX_SETTINGS_LENGTH} characters of JSON together`,
    { path: "", rule: "L-12" }
  );
}

// src/catalog/keys.ts
var DEFAULT_KEY = "default";
var MAX_DELETED_KEYS = 1e3;
function listKeys(state, userId) {
  return Array.from(state.keys.values()).filter((key) => key.userId === userId).map(({ name, createdAt: { ms, micros } }) => ({ name, createdAt: formatInstant(ms, micros) }));
}
function addKey(state, userId, key, createdAt, chosenName, openOnly = false) {
  checkNewKey(state, key, "");
  const names = new Set(listKeys(state, userId).map((known) => known.name));
  const name = chosenName === void 0 ? nextName(names) : chosenName;
  checkName("key", name);
  if (names.has(name)) {
    refuse("key_exists", `key [${name}] already exists`, { rule: "A-1" });
  }
  const added = created("key", [key], { userId, name, createdAt, ...openOnly && { openOnly } });
  return state.deletedKeys.has(key) ? [added, deleted("deletedKey", key)] : [added];
}
function removeKeys(state, keys) {
  const found = keys.filter((key) => state.keys.has(key));
  const { deletedKeys } = state;
  const surplus = Math.max(0, deletedKeys.size + found.length - MAX_DELETED_KEYS);
  const forgotten = [...deletedKeys.keys(), ...found].slice(0, surplus);
  return [
    ...found.flatMap((key) => [deleted("key", key), created("deletedKey", [key], true)]),
    ...forgotten.map((key) => deleted("deletedKey", key))
  ];
}
function findKeyByName(state, userId, name) {
  const found = [...state.keys].find(([, key]) => key.userId === userId && key.name === name);
  if (found !== void 0) return found[0];
  return refuse("key_not_found", `key ${describe(name)} not found`, { rule: "A-1" });
}
function checkNewKey(state, key, path) {
  const text = readString(key, 1, 1024, { what: "key", path, rule: "U-1" });
  if (state.keys.has(text)) refuseTakenKey(path);
}
function refuseTakenKey(path) {
  refuse("invalid_request", "key: already belongs to a user", { path, rule: "U-1" });
}
var COUNT_SECRET = { kind: "counted", counter: "secretsMade" };
function nextName(names) {
  let name = DEFAULT_KEY;
  for (let number = 2; names.has(name); number++) name = `${DEFAULT_KEY}-${number}`;
  return name;
}

// src/catalog/users.ts
var BUILT_IN_USER_ID = "usr_0";
var BUILT_IN_USER = {
  email: "user@example.com",
  fullname: "Built-in User",
  image: ""
};
var DETAILS = ["email", "fullname", "image"];
function addUser(state, options, at) {
  const fields = readFields(options, [...DETAILS, "keys", "workspaces"], {
    what: "user",
    rule: "U-2"
  });
  const user = readDetails(fields, "");
  const keys = readStrings(fields.keys ?? [], partAt("keys", "U-1"));
  const workspaces = readStrings(fields.workspaces ?? [], partAt("workspaces", "U-1"));
  for (const [index, key] of keys.entries()) checkNewKey(state, key, `/keys/${index}`);
  for (const workspace of workspaces) findWorkspace(state, workspace);
  const id = nextUserId(state);
  return [
    { kind: "counted", counter: "usersMade" },
    created("user", [id], user),
    ...workspaces.map((workspace) => created("member", [workspace, id], "owner")),
    ...addKeys(state, id, keys, at)
  ];
}
function addKeys(state, userId, keys, at) {
  return keys.flatMap((key, index) => {
    if (keys.indexOf(key) < index) refuseTakenKey(`/keys/${index}`);
    const name = index === 0 ? DEFAULT_KEY : `${DEFAULT_KEY}-${index + 1}`;
    return addKey(state, userId, key, at, name);
  });
}
function nextUserId({ usersMade }) {
  return `usr_${usersMade + 1}`;
}
function hasGivenKeys({ keys }) {
  return [...keys.values()].some(
    ({ userId, name }) => userId !== BUILT_IN_USER_ID || name === DEFAULT_KEY
  );
}
function changeUser(state, id, details) {
  const { image } = requireUser(state, id);
  const fields = readFields(details, DETAILS, { what: "user", rule: "U-2" });
  return [changed("user", [id], readDetails(fields, image))];
}
function removeUser(state, id) {
  if (!state.users.has(id)) return [];
  const isBuiltIn = id === BUILT_IN_USER_ID;
  const keys = [...state.keys].filter(([, { userId }]) => userId === id).map(([key]) => key);
  const joined = [...state.workspaces].filter(([, { members }]) => members.has(id));
  return [
    isBuiltIn ? changed("user", [id], BUILT_IN_USER) : deleted("user", id),
    ...removeKeys(state, keys),
    ...joined.map(([workspace]) => deleted("member", workspace, id))
  ];
}
function findUser(state, id) {
  const user = state.users.get(id);
  return user === void 0 ? null : { id, ...user };
}
function listUsers(state) {
  return Array.from(state.users, ([id, user]) => ({ id, ...user }));
}
function readDetails(fields, image) {
  const { email, fullname, image: picture = image } = fields;
  if (!isEmail(email)) refuseValue(email, "an email address", partAt("email", "U-2"));
  return {
    email,
    fullname: readString(fullname, 1, 255, partAt("fullname", "U-2")),
    image: readString(picture, 0, 2048, partAt("image", "U-2"))
  };
}
function requireUser(state, id) {
  const user = typeof id === "string" ? state.users.get(id) : void 0;
  return user ?? refuse("invalid_request", `user ${describe(id)} not found`, { rule: "U-2" });
}

// src/catalog/workspaces.ts
function addWorkspace(state, id, options) {
  checkName("workspace", id);
  if (state.workspaces.has(id)) {
    refuse("invalid_request", `workspace [${id}] already exists`, { rule: "E-1" });
  }
  const part = { what: "workspace", rule: "A-2" };
  const { name = id, slug = id, owner } = readFields(options, ["name", "slug", "owner"], part);
  if (owner !== void 0) requireUser(state, owner);
  const validName = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  const added = created("workspace", [id], { name: validName, slug, settings: {} });
  if (owner === void 0) return [added];
  return [added, created("member", [id, owner], "owner")];
}
function changeWorkspace(state, id, changes) {
  const current = findWorkspace(state, id);
  const part = { what: "workspace", rule: "A-2" };
  const { name, slug = current.slug } = readFields(changes, ["name", "slug"], part);
  const validName = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  return [changed("workspace", [id], { name: validName, slug, settings: current.settings })];
}
function removeWorkspace(state, id) {
  findWorkspace(state, id);
  return [deleted("workspace", id)];
}
function listWorkspaces(state) {
  return Array.from(state.workspaces, ([id, { name, slug }]) => ({ id, name, slug }));
}
function changeWorkspaceSettings(state, id, changes) {
  const { name, slug, settings } = findWorkspace(state, id);
  return [changed("workspace", [id], { name, slug, settings: mergeSettings(settings, changes) })];
}
function readWorkspaceName(name) {
  return readString(name, 1, 255, { what: "workspace name", path: "/name", rule: "A-2" });
}

// src/value/hash.ts
var FACTOR = 2654435761;
var HASH_SEED = Math.floor(Math.random() * 4294967296);
function hashString(text, seed = HASH_SEED) {
  const length = text.length;
  const factor = FACTOR ^ (seed & 65535) << 8;
  let hash = length ^ seed;
  for (let i = 1; i < length; i += 2) {
    const pair = text.charCodeAt(i - 1) ^ Math.imul(text.charCodeAt(i), factor);
    hash = Math.imul(hash ^ pair, 2246822507);
    hash ^= hash >>> 15;
  }
  if (length & 1) hash = Math.imul(hash ^ text.charCodeAt(length - 1), 2246822507);
  return mix(hash);
}
function randomRank(seed, id) {
  const length = id.length;
  let high = mix(lowWord(seed) ^ 625341585) ^ mix(highWord(seed) ^ 1818371886);
  let low = mix(high ^ length);
  for (let i = 0; i < length; i++) {
    const unit = id.charCodeAt(i);
    high = Math.imul(high ^ unit, 3266489909);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 2246822507);
    low ^= low >>> 13;
  }
  high = mix(high ^ mix(low));
  low = mix(low ^ high);
  return (high >>> 11) * 4294967296 + (low >>> 0);
}
var SIXES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
function formatSixes(first, second) {
  let text = "";
  for (let shift = 26; shift > 0; shift -= 6) text += SIXES[first >>> shift & 63];
  text += SIXES[(first & 3) << 4 | second >>> 12];
  return text + SIXES[second >>> 6 & 63] + SIXES[second & 63];
}
function checksum(text) {
  let first = 2166136261 | 0;
  let second = 625341585 | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    first = Math.imul(first ^ unit, 16777619);
    second = Math.imul(second ^ unit, 2246822507);
    second ^= second >>> 15;
  }
  return formatSixes(mix(first), mix(second) >>> 20 << 4 | text.length & 15);
}
function createRandom(seed) {
  let a = mix(lowWord(seed) ^ 625341585);
  let b = mix(highWord(seed) ^ a);
  let c = 1818371886;
  let counter = 1;
  const next = () => {
    const result = a + b + counter | 0;
    counter = counter + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + result | 0;
    return result >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
function mix(word) {
  let h = word ^ word >>> 16;
  h = Math.imul(h, 2246822507);
  h ^= h >>> 13;
  h = Math.imul(h, 3266489909);
  return h ^ h >>> 16;
}
function lowWord(seed) {
  return seed | 0;
}
function highWord(seed) {
  return Math.floor(seed / 4294967296) | 0;
}

// src/catalog/address.ts
function branchAt({ workspace, database }, branch) {
  return { workspace, database, branch };
}
function tableAt({ workspace, database, branch }, table) {
  return { workspace, database, branch, table };
}
function branchNames({ workspace, database, branch }) {
  return [workspace, database, branch];
}
function tableNames(address) {
  return [...branchNames(address), address.table];
}

// src/schema/columns.ts
function isLink(column) {
  return column.target !== void 0;
}
var ID_SLOT = 0;
var VERSION_SLOT = 1;
var CREATED_AT_SLOT = 2;
var UPDATED_AT_SLOT = 3;
var FIRST_COLUMN_SLOT = 4;
function leavesOf(column) {
  return column.type === "object" ? column.columns.flatMap(leavesOf) : [column];
}
function assembleSchema(columns, slotCount) {
  const leaves = [];
  const notNulls = [];
  const uniques = [];
  const defaults = [];
  const objectDefaults = [];
  const unbounded = [];
  let shortBytes = 0;
  const links = [];
  const enter = (column) => {
    if (column.notNull) notNulls.push(column);
    if (column.type === "object") {
      if (column.defaultValue !== void 0) objectDefaults.push(column);
      column.columns.forEach(enter);
      return;
    }
    leaves.push(column);
    shortBytes += column.name.length + shortBytesOf(column.type);
    if (column.unique) uniques.push(column);
    if (column.defaultValue !== void 0) defaults.push(column);
    if (isUnbounded(column.type)) unbounded.push(column);
    if (isLink(column)) links.push(column);
  };
  columns.forEach(enter);
  const constraints = { notNulls, uniques, defaults, objectDefaults, unbounded, shortBytes, links };
  return { leaves, ...groupColumns(columns), slotCount, constraints };
}
function groupColumns(columns) {
  return { columns, columnsByName: new Map(columns.map((column) => [column.name, column])) };
}
function plainLeaf(type, path, slot, target = void 0) {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const definition = { name, type };
  const unasked = { dimension: void 0, unique: false, notNull: false, defaultValue: void 0 };
  return { type, name, path, slot, target, ...unasked, definition };
}
function plainObject(path, columns) {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const definition = { name, type: "object" };
  const unasked = { notNull: false, defaultValue: void 0 };
  return { type: "object", name, path, ...groupColumns(columns), ...unasked, definition };
}
function mapLeaves(columns, change) {
  return columns.map(
    (column) => column.type === "object" ? { ...column, ...groupColumns(mapLeaves(column.columns, change)) } : change(column)
  );
}
function findColumn(schema, path) {
  let names = schema.columnsByName;
  let column;
  for (const name of path.split(".")) {
    column = names?.get(name);
    if (column === void 0) return void 0;
    names = column.type === "object" ? column.columnsByName : void 0;
  }
  return column;
}

// src/storage/chunk.ts
var CHUNK_ROWS = 4096;
var CHUNK_SHIFT = 12;
var CHUNK_MASK = CHUNK_ROWS - 1;
var CHUNK_WORDS = CHUNK_ROWS / 32;
var Chunk = class {
  constructor(owner) {
    this.count = 0;
    this.capacity = 0;
    /** Vectors by slot; absent if every row is null. */
    this.vectors = [];
    /** The number of rows in use by any version. */
    this.tail = { used: 0 };
    /** One bit per deleted row; absent if no row is deleted. */
    this.deleted = void 0;
    this.owner = owner;
  }
  idAt(row) {
    return this.vectors[ID_SLOT].texts[row];
  }
  isDeleted(row) {
    return this.deleted !== void 0 && (this.deleted[row >>> 5] & 1 << (row & 31)) !== 0;
  }
};
function chunkIndexOf(ordinal) {
  return ordinal >>> CHUNK_SHIFT;
}
function chunkAt(chunks, ordinal) {
  return chunks[ordinal >>> CHUNK_SHIFT];
}
function vectorAt(chunks, ordinal, slot) {
  return chunks[ordinal >>> CHUNK_SHIFT].vectors[slot];
}
function rowAt(ordinal) {
  return ordinal & CHUNK_MASK;
}
function ordinalOf(chunk, row) {
  return (chunk << CHUNK_SHIFT) + row;
}

// src/storage/hash-index.ts
var MAX_LOAD = 0.5;
var SMALLEST = 16;
var HashIndex = class {
  /** Ordinal + 1; 0 if free. */
  #slots;
  /** Additional bits of each hash, to skip most non-matching entries. */
  #tags;
  #used = 0;
  constructor(expected = 0) {
    let length = SMALLEST;
    while (length * MAX_LOAD < expected) length *= 2;
    this.#slots = new Int32Array(length);
    this.#tags = new Uint8Array(length);
  }
  /** Entries that can still be added. */
  get free() {
    return this.#slots.length * MAX_LOAD - this.#used;
  }
  /** Returns the position of the next entry of a hash at or after a position, −1 for none. */
  seek(hash, from = hash) {
    const slots = this.#slots;
    const tags = this.#tags;
    const mask = slots.length - 1;
    const tag = hash >>> 24;
    for (let i = from & mask; slots[i] !== 0; i = i + 1 & mask) if (tags[i] === tag) return i;
    return -1;
  }
  ordinalAt(slot) {
    return this.#slots[slot] - 1;
  }
  add(hash, ordinal) {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let i = hash & mask;
    while (slots[i] !== 0) i = i + 1 & mask;
    slots[i] = ordinal + 1;
    this.#tags[i] = hash >>> 24;
    this.#used++;
  }
};

// src/storage/index-history.ts
var MAX_LOGGED = 1 << 20;
var MAX_ROWS_AT_ONCE = 64;
var MAX_SHARE_AT_ONCE = 1 / 8;
var IndexHistory = class _IndexHistory {
  constructor(position = 0, demand = /* @__PURE__ */ new Map()) {
    /** Indexes by key, oldest first; each key's by position. */
    this.indexes = /* @__PURE__ */ new Map();
    /** Rows written since `#logStart`, while indexes exist. */
    this.#log = [];
    this.#logStart = 0;
    this.#since = /* @__PURE__ */ new WeakMap();
    this.#end = position;
    this.demand = demand;
  }
  #build;
  #end;
  #log;
  #logStart;
  #since;
  findIndex(key, position) {
    return this.indexes.get(key)?.findLast((index) => this.#serves(index, position));
  }
  keepIndex(key, index, replaced2) {
    this.#beginLog();
    const histories = [...this.indexes.get(key) ?? [], index].filter(
      (other) => other !== replaced2
    );
    this.indexes.set(
      key,
      histories.sort((a, b) => a.position - b.position)
    );
  }
  get build() {
    return this.#build;
  }
  beginBuild(build) {
    this.#beginLog();
    this.#build = build;
  }
  endBuild() {
    this.#build = void 0;
  }
  writtenBetween(from, to) {
    return from === to ? [] : this.#log.slice(from - this.#logStart, to - this.#logStart);
  }
  /** Returns the rows written after an index was built. Later calls reuse the set. */
  writtenSince(index, position) {
    let recent = this.#since.get(index);
    if (recent === void 0 || recent.position > position) {
      recent = { position: index.position, rows: /* @__PURE__ */ new Set(), sorted: void 0 };
      this.#since.set(index, recent);
    }
    for (const row of this.writtenBetween(recent.position, position)) recent.rows.add(row);
    recent.position = position;
    return recent;
  }
  /**
   * Returns the history after a write: this one, a copy if another version was written from the
   * same position, or one without indexes if too many rows were written.
   */
  advance(position, rows, tableRows) {
    const count = rows.length;
    if (count === 0) return this;
    if (count > MAX_ROWS_AT_ONCE && count > tableRows * MAX_SHARE_AT_ONCE || this.#log.length + count > MAX_LOGGED) {
      return new _IndexHistory(position + count, this.demand);
    }
    const next = this.#end === position ? this : this.copyAt(position);
    next.#end += count;
    if (next.#isLogged) for (const row of rows) next.#log.push(row);
    return next;
  }
  /** Returns a separate history for the version at a position. */
  copyAt(position) {
    const copy = new _IndexHistory(position, this.demand);
    copy.#logStart = position;
    for (const [key, indexes] of this.indexes) {
      const served = indexes.filter((index) => this.#serves(index, position));
      const [first] = served;
      if (first === void 0) continue;
      copy.indexes.set(key, served);
      copy.#logStart = Math.min(copy.#logStart, first.position);
    }
    copy.#log = this.writtenBetween(copy.#logStart, position);
    return copy;
  }
  get #isLogged() {
    return this.indexes.size > 0 || this.#build !== void 0;
  }
  #beginLog() {
    if (this.#isLogged) return;
    this.#log = [];
    this.#logStart = this.#end;
  }
  #serves(index, position) {
    if (index.position === position) return true;
    return index.position < position && index.position >= this.#logStart;
  }
};

// src/value/id.ts
var DIGITS = "0123456789abcdefghijklmnopqrstuv";
var PER_SECOND = 2 ** 21;
var PER_MILLISECOND = 2 ** 11;
var MAX_MS = (2 ** 32 - 2 ** 10) * 1e3;
var MAX_ID_CODE_POINTS = 255;
function firstIdAt(ms) {
  const at = Math.min(Math.max(Math.floor(ms), 0), MAX_MS);
  return Math.floor(at / 1e3) * PER_SECOND + at % 1e3 * PER_MILLISECOND;
}
function formatRecordId(number, tail) {
  const seconds = Math.floor(number / PER_SECOND);
  const counter = number & PER_SECOND - 1;
  return String.fromCharCode(
    114,
    // rec_
    101,
    99,
    95,
    DIGITS.charCodeAt(seconds >>> 27),
    DIGITS.charCodeAt(seconds >>> 22 & 31),
    DIGITS.charCodeAt(seconds >>> 17 & 31),
    DIGITS.charCodeAt(seconds >>> 12 & 31),
    DIGITS.charCodeAt(seconds >>> 7 & 31),
    DIGITS.charCodeAt(seconds >>> 2 & 31),
    DIGITS.charCodeAt((seconds & 3) << 3),
    tail.charCodeAt(0),
    tail.charCodeAt(1),
    tail.charCodeAt(2),
    tail.charCodeAt(3),
    tail.charCodeAt(4),
    tail.charCodeAt(5),
    tail.charCodeAt(6),
    tail.charCodeAt(7),
    DIGITS.charCodeAt(counter >> 16),
    DIGITS.charCodeAt(counter >> 11 & 31),
    DIGITS.charCodeAt(counter >> 6 & 31),
    DIGITS.charCodeAt(counter >> 1 & 31),
    DIGITS.charCodeAt((counter & 1) << 4)
  );
}
function idTail(seed, length) {
  const random = createRandom(seed);
  let tail = "";
  while (tail.length < length) tail += DIGITS[random() >>> 27];
  return tail;
}
function isRecordId(text) {
  if (typeof text !== "string" || text === "" || text.length > 2 * MAX_ID_CODE_POINTS) return false;
  let seconds = 0;
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 32 || unit >= 127 && unit <= 159) return false;
    if ((unit & 63488) === 55296) {
      surrogates++;
      if (unit >= 56320) seconds++;
    }
  }
  return text.length - seconds <= MAX_ID_CODE_POINTS && (surrogates === 0 || text.isWellFormed());
}

// src/schema/coerce.ts
var MAX_STRING_LENGTH = 2048;
function expectationOf(column) {
  const { rule, expected } = TRAITS[column.type];
  const length = column.type === "vector" ? ` of length ${column.dimension}` : "";
  return { rule, expected: `${column.type} (${expected}${length})` };
}
function coerceValue(column, input, { jsonAsText, idColumn }) {
  if (column.type === "link" && isPlainObject(input) && Object.hasOwn(input, idColumn)) {
    const id = input[idColumn];
    return isRecordId(id) ? id : void 0;
  }
  if (column.type !== "json" || !jsonAsText || typeof input !== "string") {
    return coercePlain(column, input);
  }
  const read = parseJson(input);
  return read && coercePlain(column, read.value);
}
function coercePlain(column, input) {
  const { type } = column;
  const value = typeof input === "object" && input instanceof Date ? formatDate(input) : input;
  switch (type) {
    case "bool":
      return typeof value === "boolean" ? value : void 0;
    case "int":
      return Number.isSafeInteger(value) ? value + 0 : void 0;
    case "float":
      return Number.isFinite(value) ? value + 0 : void 0;
    case "string":
      return isText(value) && (value.length <= MAX_STRING_LENGTH || countCodePoints(value) <= MAX_STRING_LENGTH) ? value : void 0;
    case "text":
      return isText(value) ? value : void 0;
    case "email":
      return isEmail(value) ? value : void 0;
    case "datetime":
      return parseInstant(value);
    case "multiple":
      return isArray(value) ? readTexts(value) : void 0;
    case "link":
      return isRecordId(value) ? value : void 0;
    case "json":
      return coerceJson(value);
    case "vector":
      return isArray(value) && value.length === column.dimension && everyMember(value, Number.isFinite) ? value.map((member) => member + 0) : void 0;
    case "file":
    case "file[]":
      return void 0;
  }
}
function coerceJson(value) {
  const copy = copyJson(value);
  return "fault" in copy ? void 0 : copy.value;
}
function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return void 0;
  }
}
function readTexts(members) {
  const texts = new Array(members.length);
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    if (!isText(member)) return void 0;
    texts[i] = member;
  }
  return texts;
}
function everyMember(members, accept) {
  for (let i = 0; i < members.length; i++) if (!accept(members[i])) return false;
  return true;
}

// src/storage/vectors.ts
var Mark = class {
  constructor() {
    this.heir = void 0;
  }
};
function isSameMark(a, b) {
  return a !== void 0 && b !== void 0 && (a.heir ?? a) === (b.heir ?? b);
}
var VectorFace = class {
  constructor() {
    this.owner = void 0;
    /** Caches of queries; dropped when a row changes. */
    this.cache = void 0;
    /** Caches of searches, keyed by the vector; copies keep them. */
    this.kept = void 0;
  }
  /** Sets a given value, without temporary objects; returns false if it needs to be read first. */
  take(row, column, value) {
    const stored = coercePlain(column, value);
    if (stored === void 0) return false;
    this.set(row, stored);
    return true;
  }
};
function nulls(length) {
  const array = [];
  for (let i = 0; i < length; i++) array.push(null);
  return array;
}
function copyValues(values, count, capacity) {
  const copy = values.slice(0, count);
  while (copy.length < capacity) copy.push(null);
  return copy;
}
var MAX_CODE = { 1: 255, 2: 65535, 4: 2147483647 };
function createCodes(capacity, highest) {
  return highest <= 255 ? new Uint8Array(capacity) : highest <= 65535 ? new Uint16Array(capacity) : new Int32Array(capacity);
}
function copyCodes(source, count, capacity, highest) {
  const width = Math.max(highest, MAX_CODE[source.BYTES_PER_ELEMENT]);
  const copy = createCodes(capacity, width);
  copy.set(source.subarray(0, count));
  return copy;
}
var NULL_CODE = 0;
var MAX_TEXT_CODES = 4096;
var Dictionary = class {
  constructor() {
    this.values = [""];
    this.#codes = /* @__PURE__ */ new Map();
  }
  #codes;
  get size() {
    return this.values.length;
  }
  /** {@link NULL_CODE} if unknown. */
  find(text) {
    return this.#codes.get(text) ?? NULL_CODE;
  }
  encode(text) {
    const existing = this.#codes.get(text);
    if (existing !== void 0) return existing;
    const code = this.values.push(text) - 1;
    this.#codes.set(text, code);
    return code;
  }
};
var NumberVector = class _NumberVector extends VectorFace {
  constructor(capacity, values = new Float64Array(capacity).fill(Number.NaN)) {
    super();
    this.kind = "number";
    this.values = values;
  }
  get(row) {
    const value = this.values[row];
    return Number.isNaN(value) ? null : value;
  }
  set(row, value) {
    this.values[row] = value === null ? Number.NaN : value;
  }
  copy(count, capacity) {
    return new _NumberVector(capacity, copyFloats(this.values, count, capacity));
  }
};
var TAKEN_INSTANT = { ms: 0, micros: 0 };
var InstantVector = class _InstantVector extends VectorFace {
  constructor(capacity, ms = new Float64Array(capacity).fill(Number.NaN), micros) {
    super();
    this.kind = "instant";
    this.ms = ms;
    this.micros = micros;
  }
  get(row) {
    const ms = this.ms[row];
    return Number.isNaN(ms) ? null : { ms, micros: this.micros === void 0 ? 0 : this.micros[row] };
  }
  set(row, value) {
    const instant = value;
    this.ms[row] = instant === null ? Number.NaN : instant.ms;
    const micros = instant === null ? 0 : instant.micros;
    if (micros !== 0) this.micros ??= new Uint16Array(this.ms.length);
    if (this.micros !== void 0) this.micros[row] = micros;
  }
  take(row, _column, value) {
    if (typeof value !== "string" || !parseInstantInto(TAKEN_INSTANT, value)) return false;
    this.set(row, TAKEN_INSTANT);
    return true;
  }
  copy(count, capacity) {
    let micros;
    if (this.micros !== void 0) {
      micros = new Uint16Array(capacity);
      micros.set(this.micros.subarray(0, count));
    }
    return new _InstantVector(capacity, copyFloats(this.ms, count, capacity), micros);
  }
};
var FALSE_BYTE = 0;
var TRUE_BYTE = 1;
var NULL_BYTE = 2;
var BoolVector = class _BoolVector extends VectorFace {
  constructor(capacity, bytes = new Uint8Array(capacity).fill(NULL_BYTE)) {
    super();
    this.kind = "bool";
    this.bytes = bytes;
  }
  get(row) {
    const byte = this.bytes[row];
    return byte === NULL_BYTE ? null : byte === TRUE_BYTE;
  }
  set(row, value) {
    this.bytes[row] = value === null ? NULL_BYTE : value === true ? TRUE_BYTE : FALSE_BYTE;
  }
  copy(count, capacity) {
    const bytes = new Uint8Array(capacity).fill(NULL_BYTE, count);
    bytes.set(this.bytes.subarray(0, count));
    return new _BoolVector(capacity, bytes);
  }
};
function copyFloats(source, count, capacity) {
  if (capacity === source.length) return source.slice();
  const copy = new Float64Array(capacity).fill(Number.NaN, count);
  copy.set(source.subarray(0, count));
  return copy;
}
var TextVector = class _TextVector extends VectorFace {
  constructor(capacity, texts = nulls(capacity)) {
    super();
    this.kind = "text";
    this.texts = texts;
  }
  get(row) {
    return this.texts[row];
  }
  set(row, value) {
    this.texts[row] = value;
  }
  copy(count, capacity) {
    return new _TextVector(capacity, copyValues(this.texts, count, capacity));
  }
};
var CodeVector = class _CodeVector extends VectorFace {
  constructor(capacity, dictionary, codes = createCodes(capacity, dictionary.size)) {
    super();
    this.kind = "code";
    this.dictionary = dictionary;
    this.codes = codes;
  }
  get(row) {
    const code = this.codes[row];
    return code === NULL_CODE ? null : this.dictionary.values[code];
  }
  set(row, value) {
    this.setCode(row, value === null ? NULL_CODE : this.dictionary.encode(value));
  }
  take(row, column, value) {
    if (typeof value !== "string") return false;
    const existing = this.dictionary.find(value);
    if (existing === NULL_CODE) {
      const isFull = !isCoded(column.type) && this.dictionary.size >= MAX_TEXT_CODES;
      return !isFull && super.take(row, column, value);
    }
    this.setCode(row, existing);
    return true;
  }
  setCode(row, code) {
    if (code > MAX_CODE[this.codes.BYTES_PER_ELEMENT]) {
      this.codes = copyCodes(this.codes, this.codes.length, this.codes.length, code);
    }
    this.codes[row] = code;
  }
  copy(count, capacity) {
    return new _CodeVector(capacity, this.dictionary, copyCodes(this.codes, count, capacity, 0));
  }
};

// src/storage/table.ts
var TableVersion = class {
  /** Single assignments are type-checked, and six times faster than `Object.assign`. */
  constructor(parts) {
    this.identity = parts.identity;
    this.schema = parts.schema;
    this.chunks = parts.chunks;
    this.size = parts.size;
    this.idsAscend = parts.idsAscend;
    this.lastId = parts.lastId;
    this.ids = parts.ids;
    this.uniques = parts.uniques;
    this.dictionaries = parts.dictionaries;
    this.plainText = parts.plainText;
    this.history = parts.history;
    this.position = parts.position;
    this.owner = parts.owner;
    this.source = parts.source;
  }
  /** Returns the ordinal of a live record, or −1. */
  find(id) {
    if (typeof id !== "string") return -1;
    const ordinal = seek(this, id);
    if (ordinal < 0) this.source?.find(ID_SLOT, id);
    return ordinal;
  }
  /** Whether a live record exists. */
  has(id) {
    return seek(this, id) >= 0 || this.source?.has(id) === true;
  }
  get(ordinal, slot) {
    return vectorAt(this.chunks, ordinal, slot)?.get(rowAt(ordinal)) ?? null;
  }
  /** Returns a value's code; `NULL_CODE` also if the column has none. */
  codeAt(ordinal, slot) {
    const vector = vectorAt(this.chunks, ordinal, slot);
    return vector?.kind === "code" ? vector.codes[rowAt(ordinal)] : NULL_CODE;
  }
  isLive(ordinal) {
    const chunk = this.chunks[chunkIndexOf(ordinal)];
    const row = rowAt(ordinal);
    return chunk !== void 0 && row < chunk.count && !chunk.isDeleted(row);
  }
  idAt(ordinal) {
    return chunkAt(this.chunks, ordinal).idAt(rowAt(ordinal));
  }
};
function seek(table, id) {
  const hash = hashString(id);
  const { ids } = table;
  for (let slot = ids.seek(hash); slot >= 0; slot = ids.seek(hash, slot + 1)) {
    const ordinal = ids.ordinalAt(slot);
    if (table.isLive(ordinal) && table.idAt(ordinal) === id) return ordinal;
  }
  return -1;
}
function createTableVersion(identity, schema) {
  return new TableVersion({
    identity,
    schema,
    chunks: [],
    size: 0,
    idsAscend: true,
    lastId: "",
    ids: new HashIndex(),
    uniques: new Map(
      schema.leaves.filter(({ unique }) => unique).map(({ slot }) => [slot, new HashIndex()])
    ),
    dictionaries: new Map(
      schema.leaves.filter(({ type }) => isCoded(type)).map(({ slot }) => [slot, new Dictionary()])
    ),
    plainText: /* @__PURE__ */ new Set(),
    history: new IndexHistory(),
    position: 0,
    owner: void 0,
    source: void 0
  });
}
function* ordinalsOf(chunks) {
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}
function rowCount(chunks) {
  const last = chunks.at(-1);
  return last === void 0 ? 0 : ordinalOf(chunks.length - 1, last.count);
}

// src/value/check-every.ts
function checkEvery(checkTime) {
  if (checkTime === void 0) return () => {
  };
  let count = 0;
  return () => {
    if ((++count & 255) === 0) checkTime();
  };
}

// src/value/compare.ts
var BLOCK = 4096;
function compareStrings(a, b) {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  for (let to = BLOCK; to <= shorter && a.slice(from, to) === b.slice(from, to); to += BLOCK) {
    from = to;
  }
  for (let i = from; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 55296 && y >= 55296 ? compareCodePoints(a, b, i) : x - y;
  }
  return a.length - b.length;
}
function compareNumbers(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
function compareCodePoints(a, b, unit) {
  const before = Math.max(unit - 1, 0);
  return a.codePointAt(before) - b.codePointAt(before) || a.codePointAt(unit) - b.codePointAt(unit);
}

// src/engine/batch-faults.ts
var MAX_LISTED_FAULTS = 100;
var BatchFaults = class {
  #of;
  #listed = [];
  #more = 0;
  constructor(of) {
    this.#of = of;
  }
  add(index, { message, code, path, rule, reason: reason2, table }) {
    const fault = { index, message, code, path, rule, reason: reason2, table };
    if (this.#listed.length === MAX_LISTED_FAULTS) this.#more++;
    else this.#listed.push(fault);
  }
  /** @throws TwinbaseError with `errors` and status 400 if there is any */
  throwAny() {
    const [first] = this.#listed;
    if (first === void 0) return;
    const others = this.#listed.length - 1 + this.#more;
    const message = `[${first.index}] ${first.message}${others === 0 ? "" : ` (and ${others} more)`}`;
    throw new TwinbaseError(first.code, message, {
      path: first.path,
      rule: first.rule,
      errors: this.#listed,
      more: this.#more || void 0,
      batchOf: this.#of,
      status: 400
    });
  }
};

// src/engine/link-checks.ts
var LinkChecks = class {
  #pending = [];
  #batch;
  #index = 0;
  /** Drops the links of a failed call. */
  cancel() {
    this.#pending = [];
    this.#batch = void 0;
  }
  /** Starts a batch: until {@link endBatch}, links belong to its members. */
  beginBatch(of) {
    this.#batch = { of };
  }
  atMember(index) {
    this.#index = index;
  }
  endBatch() {
    this.#batch = void 0;
  }
  add(link) {
    this.#pending.push({ batch: this.#batch, index: this.#index, ...link });
  }
  /** Adds the links of columns that a new schema adds or points to another table. */
  addAltered(address, table, { before, after, remote }, checkTime) {
    const { links } = before.schema.constraints;
    for (const column of after.schema.constraints.links) {
      const linkBefore = links.find(({ slot }) => slot === column.slot);
      if (linkBefore?.target === column.target) continue;
      const found = remote?.findDangling(address, table, column);
      if (found !== void 0) {
        this.add({ address, table, column, ...found, at: ROOT, isFound: true });
      }
      for (const [link, record] of distinctLinks(after, column, checkTime)) {
        this.add({ address, table, column, link, record, at: ROOT });
      }
    }
  }
  /** @throws TwinbaseError `invalid_record` if a link that was written names no record */
  check(after, checkTime) {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const checkStep = checkEvery(checkTime);
    const dangling = pending.filter((link) => {
      checkStep();
      return isDangling(link, after);
    });
    const [first] = dangling;
    if (first === void 0) return;
    if (first.batch === void 0) refuseLink(first);
    const faults = new BatchFaults(first.batch.of);
    const listed = /* @__PURE__ */ new Set();
    for (const link of dangling) {
      const { batch, index } = link;
      if (batch !== first.batch || listed.has(index)) continue;
      listed.add(index);
      faults.add(index, errorOf(link, first.batch.of));
    }
    faults.throwAny();
  }
};
function refuseLink(link) {
  throw errorOf(link);
}
function errorOf({ at, ...link }, batch) {
  const { address, column } = link;
  const table = batch === "operations" ? address.table : void 0;
  const message = `table [${address.table}]: ${describeFault(link)}`;
  const path = pointerTo(column.path.split(".").reduce(below, at));
  const reason2 = { kind: "record", text: describeFault(link) };
  return new TwinbaseError("invalid_record", message, { path, rule: "T-18", reason: reason2, table });
}
function describeFault({ column, link, record }) {
  const { path, target } = column;
  return `record [${record}]: column [${path}] links to ${describe(link)}, but table [${target}] has no such record`;
}
function isDangling(pending, after) {
  const { address, table, column, link, record, isFound } = pending;
  if (isFound) return true;
  const version = after.tables.get(table);
  const now = version?.schema.constraints.links.find(({ slot }) => slot === column.slot);
  const target = now && targetOf(after, address, now);
  if (version === void 0 || target === void 0 || target.has(link)) return false;
  const ordinal = version.find(record);
  return ordinal >= 0 && version.get(ordinal, column.slot) === link;
}
function targetOf({ state, tables }, address, { target }) {
  const key = entityAt(state, "table", [...branchNames(address), target]);
  return tables.get(key);
}
function* danglingLinks(contents) {
  for (const [address, branch] of branchesIn(contents.state)) {
    for (const [name, table] of branch.tables) {
      const version = contents.tables.get(table);
      for (const column of version.schema.constraints.links) {
        const target = targetOf(contents, address, column);
        if (target === void 0) continue;
        for (const [link, record] of distinctLinks(version, column)) {
          if (target.find(link) >= 0) continue;
          yield { address: tableAt(address, name), table, column, link, record };
        }
      }
    }
  }
}
function* branchesIn({ workspaces }) {
  for (const [workspace, { databases }] of workspaces) {
    for (const [database, { branches }] of databases) {
      for (const [branch, state] of branches) yield [{ workspace, database, branch }, state];
    }
  }
}
function distinctLinks(version, { slot }, checkTime) {
  const first = /* @__PURE__ */ new Map();
  const checkStep = checkEvery(checkTime);
  for (const ordinal of ordinalsOf(version.chunks)) {
    checkStep();
    const link = version.get(ordinal, slot);
    if (typeof link !== "string") continue;
    const [known, id] = [first.get(link), version.idAt(ordinal)];
    if (known === void 0 || compareStrings(id, known) < 0) first.set(link, id);
  }
  return [...first].sort(([, a], [, b]) => compareStrings(a, b));
}

// src/catalog/empty.ts
function createCatalog(base) {
  return {
    base,
    workspaces: /* @__PURE__ */ new Map(),
    users: /* @__PURE__ */ new Map([[BUILT_IN_USER_ID, BUILT_IN_USER]]),
    keys: /* @__PURE__ */ new Map(),
    deletedKeys: /* @__PURE__ */ new Map(),
    usersMade: 0,
    secretsMade: 0
  };
}

// src/engine/setup.ts
var DEFAULT_PUBLIC_URL = "http://localhost";
function createEngineContents({ profile }) {
  const state = createCatalog(profile.base);
  return { state, tables: /* @__PURE__ */ new Map(), tableKeys: 0, nextId: 0, tablesMade: 0 };
}

// src/engine/table-store.ts
var TableStore = class {
  constructor(versions, keysMade) {
    /** Whether the map is shared, and so copied before a change. */
    this.#isShared = true;
    /** Permits single writes in place. */
    this.owner = new Mark();
    /** The undo log of a batch: former versions, undefined for new tables. */
    this.#changes = /* @__PURE__ */ new Map();
    this.#versions = versions;
    this.keysMade = keysMade;
  }
  #versions;
  #isShared;
  #changes;
  /** The contents before a batch that replaced everything. */
  #replaced;
  /** Valid until the next write. */
  get versions() {
    return this.#versions;
  }
  get(key) {
    return this.#versions.get(key);
  }
  /** Returns the contents; from here on they never change. */
  share() {
    this.owner = new Mark();
    this.#isShared = true;
    return this.#versions;
  }
  /** Sets a table's next version. */
  set(key, version) {
    const { owner } = version;
    if (owner !== void 0 && owner !== this.owner) owner.heir ??= this.owner;
    this.#own().set(key, version);
  }
  /** Like {@link set}, with an entry in the undo log. */
  change(key, version) {
    this.#remember(key);
    this.set(key, version);
  }
  createKey() {
    return ++this.keysMade;
  }
  /** @param isShared whether another table has the same version */
  add(key, version, isShared) {
    if (isShared) this.owner = new Mark();
    this.#remember(key);
    this.#own().set(key, version);
  }
  drop(key) {
    this.#remember(key);
    this.#own().delete(key);
  }
  #remember(key) {
    if (!this.#changes.has(key)) this.#changes.set(key, this.#versions.get(key));
  }
  /** Replaces the contents with shared ones; keys are never reused. */
  replace(versions, keysMade) {
    this.#undo();
    this.#replaced ??= this.#versions;
    this.#versions = versions;
    this.#isShared = true;
    this.keysMade = Math.max(this.keysMade, keysMade);
  }
  /** Ends the undo log. */
  commit() {
    if (this.#changes.size > 0) this.#changes = /* @__PURE__ */ new Map();
    this.#replaced = void 0;
  }
  /** Undoes changes since the last {@link commit}. */
  rollback(keysMade) {
    this.#undo();
    if (this.#replaced !== void 0) {
      this.#versions = this.#replaced;
      this.#isShared = true;
    }
    this.#replaced = void 0;
    this.keysMade = keysMade;
  }
  #undo() {
    for (const [key, before] of this.#changes) {
      if (before === void 0) this.#own().delete(key);
      else this.#own().set(key, before);
    }
    this.#changes = /* @__PURE__ */ new Map();
  }
  #own() {
    if (this.#isShared) {
      this.#versions = new Map(this.#versions);
      this.#isShared = false;
    }
    return this.#versions;
  }
};

// src/engine/time-limit.ts
var TimeLimit = class {
  constructor() {
    this.#ms = 0;
    /** Throws `query_timeout` after the limit; called every few rows. */
    this.check = () => {
      if (!this.isOver) return;
      const message = `the call exceeded its time limit of ${this.#ms} ms (limits.queryMs)`;
      refuse("query_timeout", message, { rule: "L-10" });
    };
  }
  /** Undefined without a limit. */
  #endsAt;
  #ms;
  /**
   * Runs a call with a limit in milliseconds, 0 for none; nested calls keep the outer limit.
   *
   * @param spent milliseconds that the call has used before
   */
  run(ms, act, spent = 0) {
    if (ms === 0 || this.#endsAt !== void 0) return act();
    this.#endsAt = performance.now() + ms - spent;
    this.#ms = ms;
    try {
      return act();
    } finally {
      this.#endsAt = void 0;
    }
  }
  /** Ends the limit of the running call: it has written. */
  settle() {
    if (this.#endsAt !== void 0) this.#endsAt = Number.POSITIVE_INFINITY;
  }
  get isSet() {
    return this.#endsAt !== void 0;
  }
  get isOver() {
    return this.#endsAt !== void 0 && performance.now() > this.#endsAt;
  }
};

// src/engine/write-feed.ts
var WriteFeed = class {
  constructor() {
    this.sink = void 0;
    this.live = void 0;
    /** Calls the listeners. */
    this.changes = void 0;
    /** Whether listeners are called: they read the state after the call. */
    this.isNotifying = false;
    /** The events of the running call. */
    this.#events = [];
  }
  #events;
  /** Whether a write notes ids, or ids and former rows, for the observers: undefined without one. */
  get noted() {
    if (this.live !== void 0 || this.changes !== void 0) return "rows";
    return this.sink === void 0 ? void 0 : "ids";
  }
  close() {
    this.live?.close();
    this.changes?.close();
    this.sink = void 0;
  }
  /** Throws `unavailable` if persistence has failed. */
  begin() {
    this.sink?.requireReady();
    if (this.#events.length > 0) this.#events = [];
  }
  add(events) {
    if (this.noted !== void 0) for (const event of events) this.#events.push(event);
  }
  /** Notifies the sink, the live queries, then the listeners. */
  notify(before, after) {
    const events = this.#events;
    if (events.length === 0) return;
    const notice = { events, before, after };
    this.sink?.persist(notice);
    this.isNotifying = true;
    this.live?.notify(notice);
    this.changes?.notify(notice);
    this.isNotifying = false;
  }
};

// src/engine/context.ts
var EngineContext = class _EngineContext {
  constructor(setup, contents, randomOrders = 0, clock = setup.clock.fork()) {
    /** Charged with the word indexes of searches, if a handler has a limit. */
    this.memory = void 0;
    /** Undefined if all records are in memory. */
    this.onQuery = void 0;
    /** Undefined if records are in memory. */
    this.remote = void 0;
    this.feed = new WriteFeed();
    /** Whether a call is writing or reading its arguments. */
    this.isBusy = false;
    this.time = new TimeLimit();
    this.profile = setup.profile;
    this.links = setup.profile.links === "checked" ? new LinkChecks() : void 0;
    this.limits = setup.limits;
    this.streams = setup.streams;
    this.indexes = setup.indexes;
    this.files = setup.files;
    this.publicUrl = setup.publicUrl ?? DEFAULT_PUBLIC_URL;
    this.nextId = contents.nextId;
    this.randomOrders = randomOrders;
    this.#setup = setup;
    this.#state = contents.state;
    this.#tables = new TableStore(contents.tables, contents.tableKeys);
    this.tablesMade = contents.tablesMade;
    this.clock = clock;
    this.#baseline = { contents, clock: clock.setting, randomOrders };
  }
  #setup;
  #state;
  /** The catalog while {@link changeTogether} runs. */
  #draft;
  #tables;
  #baseline;
  /** Writes of the running call; undefined if none runs. */
  #writes;
  get seed() {
    return this.streams.seed;
  }
  get state() {
    return this.#draft?.catalog ?? this.#state;
  }
  /** Table versions by key; valid until the next write. */
  get tables() {
    return this.#tables.versions;
  }
  now() {
    return this.clock.instant();
  }
  readBranch(address) {
    return findBranch(this.state, address);
  }
  /** Valid until the next write, which may change the version in place. */
  readTable(address) {
    return this.#tables.get(findTable2(this.state, address));
  }
  /**
   * Runs one call: `act` decides, applies and answers. Then links are checked, the call commits and
   * listeners are notified: nothing after the commit refuses (rule E-5). An exception undoes all. A
   * call inside of it is part of it.
   *
   * @param writes `one` permits one write in place, after which nothing may refuse
   */
  call(act, writes = "many") {
    if (this.#writes !== void 0) {
      if (writes === "many") this.#writes = "many";
      return act();
    }
    if (this.isBusy) return act();
    this.feed.begin();
    this.#tables.commit();
    const [state, nextId, tablesMade] = [this.#state, this.nextId, this.tablesMade];
    const { keysMade } = this.#tables;
    this.#writes = writes;
    try {
      const { links } = this;
      const decide = () => {
        const answer2 = act();
        links?.check({ state: this.#state, tables: this.tables }, this.time.check);
        return answer2;
      };
      const answer = this.time.run(this.limits.queryMs, links === void 0 ? act : decide);
      this.isBusy = true;
      this.feed.notify(state, this.#state);
      this.#tables.commit();
      return answer;
    } catch (error) {
      this.links?.cancel();
      this.#state = state;
      this.nextId = nextId;
      this.tablesMade = tablesMade;
      this.#tables.rollback(keysMade);
      throw error;
    } finally {
      this.isBusy = false;
      this.#writes = void 0;
    }
  }
  /**
   * Runs the part of a call that reads its arguments and writes. Meanwhile getters, the clock and
   * listeners may read but not write (`invalid_request`): one of both writes would be lost.
   */
  write(act, writes = "many") {
    if (this.isBusy) {
      refuse(
        "invalid_request",
        "a getter, iterable, clock or listener that a call uses cannot write to the engine",
        { rule: "E-5" }
      );
    }
    if (this.#writes === void 0) return this.call(() => this.write(act, writes), writes);
    if (writes === "many") this.#writes = "many";
    this.isBusy = true;
    try {
      return act();
    } finally {
      this.isBusy = false;
    }
  }
  /** Runs a call that reads; getters of its arguments cannot write. */
  read(act) {
    const wasBusy = this.isBusy;
    this.isBusy = true;
    try {
      return this.time.run(this.limits.queryMs, act);
    } finally {
      this.isBusy = wasBusy;
    }
  }
  /** Runs a call that may read any record. */
  query(act) {
    this.onQuery?.();
    return this.read(act);
  }
  /** Returns the checked links to a table by the name of the linking table (rule T-18). */
  *linksTo(address) {
    if (this.links === void 0) return;
    for (const [table, key] of this.readBranch(address).tables) {
      const { links } = this.tableAt(key).schema.constraints;
      const columns = links.filter(({ target }) => target === address.table);
      if (columns.length > 0) yield [table, columns];
    }
  }
  /** Sets a table's next version, and notes the records that it has written. */
  writeTable(address, version, records) {
    const key = findTable2(this.#state, address);
    if (this.#writes === "many") this.#tables.change(key, version);
    else this.#tables.set(key, version);
    if (this.#writes === "one") {
      this.#writes = "many";
      this.time.settle();
    }
    if (records !== void 0) {
      this.feed.add([{ kind: "records", key, at: address, version, ...records }]);
    }
  }
  /** Applies the events that a command decides on; none if it throws. Returns the state before. */
  change(decide) {
    return this.write(() => {
      const before = this.state;
      const events = decide(before);
      for (const event of events) this.#applyToTables(event);
      if (this.#draft !== void 0) for (const event of events) this.#draft.apply(event);
      else this.#state = applyEvents(before, events);
      this.feed.add(events);
      this.remote?.note(events);
      return before;
    });
  }
  /** Runs several changes of tables as one call that copies the catalog once. */
  changeTogether(act) {
    this.call(() => {
      this.#state = produceCatalog(this.#state, (draft) => {
        this.#draft = draft;
        try {
          act();
        } finally {
          this.#draft = void 0;
        }
      });
    });
  }
  #applyToTables(event) {
    if (event.kind === "table_created") {
      this.#tables.add(event.key, event.version, event.rowsOf !== void 0);
    } else if (event.kind === "table_altered") this.#tables.change(event.key, event.version);
    else if (event.kind === "deleted") {
      const entity = entityAt(this.state, event.entity, event.at);
      for (const key of tableKeysIn(event.entity, entity)) this.#tables.drop(key);
    }
  }
  tableAt(key) {
    return this.#tables.get(key);
  }
  createKey() {
    return this.#tables.createKey();
  }
  /** Whether a write is the only one of its call, and so changes tables in place. */
  get writesInPlace() {
    return this.#writes === "one";
  }
  /**
   * Permits a write in place. `requireCurrent` throws if a getter of the record took a snapshot or
   * scan, which shares the tables.
   */
  ownTables(table) {
    const { owner } = this.#tables;
    const requireCurrent = () => {
      if (this.#tables.owner === owner) return;
      const message = `table [${table}] was shared while the record was read`;
      refuse("invalid_request", message, { rule: "R-5" });
    };
    return { owner, requireCurrent };
  }
  /**
   * Returns a new identity (rule G-13). The counter never decreases, so recreated tables differ;
   * forks share the counter and differ by the checksum.
   */
  createTableIdentity(address, definitions) {
    this.tablesMade += 1;
    const table = checksum(JSON.stringify([address, definitions]));
    return `tbl_${this.streams.tableTag}_${this.tablesMade.toString(36)}_${table}`;
  }
  /** Returns the current contents as an immutable value. */
  share() {
    const { keysMade: tableKeys } = this.#tables;
    const { nextId, tablesMade } = this;
    return { state: this.#state, tables: this.#tables.share(), tableKeys, nextId, tablesMade };
  }
  /** Replaces the contents with those of {@link share}; part of a write. */
  restore(contents) {
    const before = { state: this.#state, tables: this.#tables.share() };
    this.feed.add([{ kind: "replaced", before, after: contents }]);
    this.links?.cancel();
    this.#state = contents.state;
    this.#tables.replace(contents.tables, contents.tableKeys);
    this.nextId = contents.nextId;
    this.tablesMade = Math.max(this.tablesMade, contents.tablesMade);
  }
  /** Makes the current contents the baseline of {@link reset}. */
  setBaseline() {
    const { clock, randomOrders } = this;
    this.#baseline = { contents: this.share(), clock: clock.setting, randomOrders };
  }
  reset() {
    const { contents, clock, randomOrders } = this.#baseline;
    this.write(() => {
      this.restore(contents);
      this.clock.turnTo(clock);
      this.randomOrders = randomOrders;
    });
  }
  dispose() {
    this.write(() => {
      this.feed.close();
      this.restore(createEngineContents(this));
      this.setBaseline();
    });
  }
  fork() {
    const setup = { ...this.#setup, streams: this.streams, files: this.files };
    return new _EngineContext(setup, this.share(), this.randomOrders, this.clock.fork());
  }
};

// src/engine/clock.ts
var Clock = class _Clock {
  #source;
  #initial;
  #setting;
  constructor(source, initial, setting = initial) {
    this.#source = source;
    this.#initial = initial;
    this.#setting = setting;
  }
  /** Returns the current time. */
  now() {
    const { ms, micros } = this.instant();
    return ms + micros / 1e3;
  }
  /** Fixes the time. */
  set(time) {
    const at = time instanceof Date ? time.getTime() : time;
    readInstant(at);
    this.#setting = { kind: "standing", at };
  }
  /** Advances the time; does not start a fixed clock. */
  advance(ms) {
    if (!Number.isFinite(ms) || ms < 0) {
      refuse(
        "invalid_request",
        `clock: expected milliseconds to advance by, found ${describe(ms)}`
      );
    }
    const setting = this.#setting;
    const next = setting.kind === "standing" ? { kind: "standing", at: setting.at + ms } : { kind: "running", offset: setting.offset + ms };
    readInstant(this.#read(next));
    this.#setting = next;
  }
  /** Restores the initial setting. */
  reset() {
    this.#setting = this.#initial;
  }
  /** Returns the current time in microseconds resolution. */
  instant() {
    return readInstant(this.#read(this.#setting));
  }
  /** Returns the current setting, for {@link Clock.turnTo}. */
  get setting() {
    return { ...this.#setting };
  }
  /** Applies another clock's {@link Clock.setting}. */
  turnTo(setting) {
    this.#setting = { ...setting };
  }
  /** Returns an independent clock with the same time. */
  fork() {
    return new _Clock(this.#source, this.#initial, this.#setting);
  }
  #read(setting) {
    if (setting.kind === "standing") return setting.at;
    const time = this.#source();
    return typeof time === "number" ? time + setting.offset : time;
  }
};
function createClock(now) {
  if (typeof now === "function") return new Clock(now, { kind: "running", offset: 0 });
  readInstant(now);
  return new Clock(() => now, { kind: "standing", at: now });
}
function readInstant(time) {
  const ms = typeof time === "number" ? Math.floor(time) : Number.NaN;
  if (!(ms >= MIN_INSTANT_MS && ms <= MAX_INSTANT_MS)) {
    refuse(
      "invalid_request",
      `now: expected milliseconds in the years 0001\u20139999, found ${describe(time)}`,
      { path: "/now" }
    );
  }
  return { ms, micros: Math.floor((time - ms) * 1e3) };
}

// src/value/base64.ts
var PIECE = 24576;
function encodeBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}
function encodeBase64Url(bytes) {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// src/value/sha256.ts
function fractions(count, root) {
  const words = new Int32Array(count);
  for (let found = 0, n = 2; found < count; n++) {
    let divisor = 2;
    while (divisor * divisor <= n && n % divisor !== 0) divisor++;
    if (divisor * divisor > n) words[found++] = n ** (1 / root) % 1 * 2 ** 32;
  }
  return words;
}
var ROUNDS = /* @__PURE__ */ fractions(64, 3);
var START = /* @__PURE__ */ fractions(8, 2);
var BLOCK2 = 64;
function sha256(bytes) {
  const state = START.slice();
  const schedule = new Int32Array(64);
  const whole = bytes.length - bytes.length % BLOCK2;
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += BLOCK2) mixBlock(state, schedule, source, at);
  const rest = bytes.subarray(whole);
  const last = new Uint8Array(rest.length < BLOCK2 - 8 ? BLOCK2 : 2 * BLOCK2);
  last.set(rest);
  last[rest.length] = 128;
  const view = new DataView(last.buffer);
  view.setUint32(last.length - 8, Math.floor(bytes.length / 536870912));
  view.setUint32(last.length - 4, bytes.length << 3);
  for (let at = 0; at < last.length; at += BLOCK2) mixBlock(state, schedule, view, at);
  const hash = new Uint8Array(32);
  const words = new DataView(hash.buffer);
  for (let i = 0; i < 8; i++) words.setInt32(4 * i, state[i]);
  return hash;
}
function mixBlock(state, schedule, source, at) {
  for (let i = 0; i < 16; i++) schedule[i] = source.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const w15 = schedule[i - 15];
    const w2 = schedule[i - 2];
    const s0 = (w15 >>> 7 | w15 << 25) ^ (w15 >>> 18 | w15 << 14) ^ w15 >>> 3;
    const s1 = (w2 >>> 17 | w2 << 15) ^ (w2 >>> 19 | w2 << 13) ^ w2 >>> 10;
    schedule[i] = schedule[i - 16] + s0 + schedule[i - 7] + s1 | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const t1 = h + s1 + (e & f ^ ~e & g) + ROUNDS[i] + schedule[i] | 0;
    const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const t2 = s0 + (a & b ^ a & c ^ b & c) | 0;
    h = g;
    g = f;
    f = e;
    e = d + t1 | 0;
    d = c;
    c = b;
    b = a;
    a = t1 + t2 | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

// src/value/derive.ts
var ENCODER = new TextEncoder();
var EVEN_36 = 252;
function deriveKey(key, use) {
  return sha256(ENCODER.encode(`twinbase
${key}
${use}`));
}
function readUint48(bytes, at) {
  let number = 0;
  for (let i = at; i < at + 6; i++) number = number * 256 + bytes[i];
  return number;
}
function drawBase36(nextBytes, length) {
  let text = "";
  while (text.length < length) {
    for (const byte of nextBytes()) {
      if (byte < EVEN_36 && text.length < length) text += (byte % 36).toString(36);
    }
  }
  return text;
}

// src/engine/streams.ts
var SECRET_BYTES = 32;
var Streams = class {
  #secret;
  #ids;
  #recordTail;
  #tableTag;
  /** @param secret of an engine without an explicit seed */
  constructor(seed, secret) {
    this.isSeeded = seed !== void 0 && secret === void 0;
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 53);
    this.#secret = secret;
  }
  /** Undefined with an explicit seed. Lazy: the platform's cryptography loads slowly. */
  get secret() {
    if (!this.isSeeded) this.#secret ??= encodeBase64Url(drawBytes());
    return this.#secret;
  }
  /** The engine's part of generated record ids (rule R-3). */
  get recordTail() {
    this.#recordTail ??= idTail(this.#idNumber(0), 8);
    return this.#recordTail;
  }
  /** Part of table identities: differs between engines with different seeds (rule G-13). */
  get tableTag() {
    this.#tableTag ??= this.#idNumber(12).toString(36);
    return this.#tableTag;
  }
  #idNumber(at) {
    this.#ids ??= deriveKey(this.seed, "ids");
    return readUint48(this.#ids, at);
  }
  /** The seed of a random order (rule S-4), below 2^48. */
  orderSeed(number) {
    return readUint48(deriveKey(this.seed, `order ${number}`), 0);
  }
  /** Draws `0-9a-z`: cryptographically random, or derived from seed, stream and number. */
  drawSecret(stream, number, length) {
    if (!this.isSeeded) return drawBase36(drawBytes, length);
    let block = 0;
    return drawBase36(() => deriveKey(this.seed, `${stream} ${number} ${block++}`), length);
  }
};
function drawBytes() {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}

// src/engine/options.ts
var INDEXES = ["auto", "always", "never"];
function resolveSetup(options) {
  const { profile, now, seed, limits, indexes } = readFields(
    options,
    ["profile", "now", "seed", "limits", "indexes"],
    { what: "createEngine", rule: "E-3" }
  );
  const resolved = resolveProfile(profile);
  return {
    // Frozen: engines expose these objects.
    profile: Object.freeze(resolved),
    limits: Object.freeze(resolveLimits(limits, resolved)),
    streams: new Streams(seed === void 0 ? seed : readNumber(seed, [], partAt("seed"))),
    indexes: indexes === void 0 ? "auto" : readOneOf(indexes, INDEXES, partAt("indexes")),
    clock: resolveClock(now)
  };
}
function resolveLimits(limits, { base }) {
  const names = Object.keys(DEFAULT_LIMITS.documented);
  const fields = readFields(limits, names, partAt("limits"));
  const resolved = { ...DEFAULT_LIMITS[base] };
  for (const limit of names) {
    const value = fields[limit];
    if (value === void 0) continue;
    resolved[limit] = readNumber(value, [0, MAX_LIMITS[limit]], partAt(`limits/${limit}`));
  }
  return resolved;
}
function resolveClock(now) {
  if (now === void 0) return createClock(() => Date.now());
  if (typeof now === "number") return createClock(now);
  if (typeof now === "function") return createClock(now);
  refuseValue(now, "a number or a function", partAt("now"));
}

// src/engine/snapshot.ts
var Snapshot = class _Snapshot {
  #contents;
  #profile;
  constructor(contents, profile) {
    this.#contents = contents;
    this.#profile = profile;
  }
  /**
   * Returns contents that a profile permits; throws `invalid_request` (see {@link requireAlike}),
   * `invalid_record` for a link to no record that the profile checks (T-18).
   */
  static open(snapshot, profile) {
    const { contents, profile: given } = _Snapshot.read(snapshot, "restore");
    requireAlike("restore", given, profile);
    if (given.links !== profile.links) requireLinks(contents, profile);
    return contents;
  }
  static read(snapshot, call) {
    if (typeof snapshot !== "object" || snapshot === null || !(#contents in snapshot)) {
      refuse("invalid_request", `${call}: expected a snapshot, found ${describe(snapshot)}`);
    }
    return { contents: snapshot.#contents, profile: snapshot.#profile };
  }
};
function requireAlike(call, source, own, settings = ["base", "metadataColumn"]) {
  if (settings.every((name) => source[name] === own[name])) return;
  const show = (of) => settings.map((name) => `${name} ${of[name]}`).join(", ");
  refuse("invalid_request", `${call}: expected a profile with ${show(own)}, found ${show(source)}`);
}
function requireLinks(contents, { links }) {
  if (links === "free") return;
  for (const link of danglingLinks(contents)) refuseLink({ ...link, at: ROOT });
}

// src/catalog/members.ts
var ROLES = ["owner", "maintainer"];
function addMember(state, workspace, userId, role = "owner") {
  const { members } = findWorkspace(state, workspace);
  requireUser(state, userId);
  const memberRole = readOneOf(role, ROLES, partAt("role", "A-3"));
  if (memberRole !== "owner") requireOtherOwner(members, userId);
  return [created("member", [workspace, userId], memberRole)];
}
function removeMember(state, workspace, userId) {
  const { members } = findWorkspace(state, workspace);
  requireOtherOwner(members, userId);
  return [deleted("member", workspace, userId)];
}
function requireOtherOwner(members, userId) {
  if (members.get(userId) !== "owner") return;
  const owners = [...members.values()].filter((role) => role === "owner");
  if (owners.length > 1) return;
  refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
}

// src/engine/users.ts
var MAX_SECRET_LENGTH = 1024;
var EngineUsers = class {
  #context;
  constructor(context) {
    this.#context = context;
  }
  /** Draws random characters of `0-9a-z`, repeatable with a seed. */
  drawSecret(length) {
    if (!(Number.isInteger(length) && length >= 0 && length <= MAX_SECRET_LENGTH)) {
      refuseValue(length, `a whole number from 0 to ${MAX_SECRET_LENGTH}`, { rule: "E-3" });
    }
    const { streams } = this.#context;
    const { secretsMade } = this.#context.change(() => [COUNT_SECRET]);
    return streams.drawSecret("name", secretsMade, length);
  }
  /** Creates a user with keys and memberships (rules U-1, U-2); throws `invalid_request`. */
  createUser(options) {
    const context = this.#context;
    const before = context.change((state) => addUser(state, options, context.now()));
    return findUser(context.state, nextUserId(before));
  }
  /** Lists the users, the built-in one first (rule U-1). */
  users() {
    return listUsers(this.#context.state);
  }
  /** Returns the user with an id, or null. */
  user(id) {
    return findUser(this.#context.state, id);
  }
  /** Returns the user of a key, or null (rule U-1). */
  userByKey(key) {
    const { state } = this.#context;
    return findUser(state, state.keys.get(key)?.userId ?? "");
  }
  /** Whether any key was added (rule U-1), except by the built-in user (A-1). */
  hasKeys() {
    return hasGivenKeys(this.#context.state);
  }
  /** Changes a user's details; an absent image is unchanged (rule U-2). */
  updateUser(id, details) {
    this.#context.change((state) => changeUser(state, id, details));
    return findUser(this.#context.state, id);
  }
  /** Deletes a user, or resets the built-in one; returns whether it existed. */
  deleteUser(id) {
    const found = this.#context.state.users.has(id);
    this.#context.change((state) => removeUser(state, id));
    return found;
  }
  /** Lists a user's keys by name, without the keys themselves (A-1). */
  keys(userId) {
    requireUser(this.#context.state, userId);
    return listKeys(this.#context.state, userId);
  }
  /** Creates a key (A-1), for open mode only if `openOnly`. Throws `invalid_name`, `key_exists`. */
  createKey(userId, name, openOnly = false) {
    const context = this.#context;
    let key = "";
    context.change((state) => {
      requireUser(state, userId);
      key = `key_${context.streams.drawSecret("key", state.secretsMade, 32)}`;
      return [COUNT_SECRET, ...addKey(state, userId, key, context.now(), name, openOnly)];
    });
    return { ...this.keys(userId).at(-1), key };
  }
  /** Deletes a key, which is rejected from then on; throws `key_not_found` (rule A-1). */
  deleteKey(userId, name) {
    this.removeKey(findKeyByName(this.#context.state, userId, name));
  }
  /** Adds a key named `default`, `default-2` … (rule U-1); throws `invalid_request` if taken. */
  addKey(userId, key) {
    const context = this.#context;
    context.change((state) => {
      requireUser(state, userId);
      return addKey(state, userId, key, context.now());
    });
  }
  /** Removes a key. */
  removeKey(key) {
    this.#context.change((state) => removeKeys(state, [key]));
  }
  /** Whether a key is one of the last thousand deleted ones (rule A-1). */
  isDeletedKey(key) {
    return this.#context.state.deletedKeys.has(key);
  }
  /** Adds a member to a workspace (rule U-1), by default an owner. */
  addMember(workspace, userId, role) {
    this.#context.change((state) => addMember(state, workspace, userId, role));
  }
  /** Removes a member; throws `forbidden` for the last owner (rule A-3). */
  removeMember(workspace, userId) {
    this.#context.change((state) => removeMember(state, workspace, userId));
  }
  /** Whether a user is a member; false for an unknown workspace (rule U-1). */
  isMember(workspace, userId) {
    return this.roleOf(workspace, userId) !== null;
  }
  /** Returns a user's role (rule A-3), null for non-members. */
  roleOf(workspace, userId) {
    return this.#context.state.workspaces.get(workspace)?.members.get(userId) ?? null;
  }
};

// src/catalog/branches.ts
function addBranch(state, address, options, context) {
  checkName("branch", address.branch);
  const { branches } = findDatabase(state, address);
  if (branches.has(address.branch)) refuseTaken(address, address.branch);
  const part = { what: "branch", rule: "B-1" };
  const fields = readFields(options, ["from", "data", "metadata"], part);
  const copiesRecords = context.profile.branchCopies === "records";
  const data = readFlag(fields.data, { ...part, path: "/data" }) ?? copiesRecords;
  const source = fields.from === void 0 ? void 0 : findSource(branches, fields.from);
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  const at = branchNames(address);
  const value = { createdAt: context.now(), metadata };
  if (source === void 0) return [created("branch", at, value)];
  const { tables, history: migrations } = source;
  const branch = fields.from;
  const from = data && tables.size > 0 ? branch : void 0;
  const startedFrom = { branch, migrations: migrations.length };
  return [
    { kind: "created", entity: "branch", at, value: { ...value, startedFrom }, from },
    ...copyTables(tables, at, data, context),
    { kind: "history", at, index: 0, migrations }
  ];
}
function copyTables(tables, at, data, context) {
  return Array.from(tables, ([name, rowsOf3]) => {
    const version = context.tableAt(rowsOf3);
    const added = { kind: "table_created", at: [...at, name], key: context.createKey() };
    if (data) return { ...added, version, rowsOf: rowsOf3 };
    return { ...added, version: createTableVersion(version.identity, version.schema) };
  });
}
function renameBranch(state, address, name) {
  const { workspace, database: inDatabase, branch: from } = address;
  const database = findDatabase(state, address);
  findBranch(state, address);
  checkName("branch", name, "/name");
  if (database.branches.has(name)) refuseTaken(address, name, "/name");
  const at = [workspace, inDatabase];
  const events = [
    { kind: "renamed", entity: "branch", at: [...at, from], to: name }
  ];
  for (const [gitBranch, target] of database.branchesByGitBranch) {
    if (target === from) events.push(changed("gitBranch", [...at, gitBranch], name));
  }
  const nameAfter = (branch) => branch === from ? name : branch;
  for (const [index, request] of database.migrationRequests.entries()) {
    const [source, target] = [nameAfter(request.source), nameAfter(request.target)];
    if (source === request.source && target === request.target) continue;
    events.push({ kind: "request", at, index, request: { ...request, source, target } });
  }
  return events;
}
function removeBranch(state, address) {
  const { workspace, database, branch } = address;
  findBranch(state, address);
  const { branches, branchesByGitBranch } = findDatabase(state, address);
  if (branches.size === 1) {
    refuse("last_branch", `branch [${database}:${branch}] is the last of its database`, {
      rule: "B-1"
    });
  }
  const mapped = [...branchesByGitBranch].filter(([, target]) => target === branch);
  return [
    deleted("branch", ...branchNames(address)),
    ...mapped.map(([gitBranch]) => deleted("gitBranch", workspace, database, gitBranch))
  ];
}
function listBranches(state, address) {
  return Array.from(findDatabase(state, address).branches, ([name, { createdAt }]) => ({
    name,
    createdAt: formatInstant(createdAt.ms, createdAt.micros)
  }));
}
function changeBranchMetadata(state, address, metadata) {
  const current = ownOf("branch", findBranch(state, address));
  const value = { ...current, metadata: readBranchMetadata(metadata, "") };
  return [changed("branch", branchNames(address), value)];
}
function findSource(branches, from) {
  const source = typeof from === "string" ? branches.get(from) : void 0;
  return source ?? refuse("branch_not_found", `branch to start from: ${describe(from)} not found`, {
    path: "/from",
    rule: "B-1",
    status: 400
  });
}
function readBranchMetadata(metadata, path) {
  const part = { what: "metadata", path, rule: "X-5" };
  const fields = readFields(metadata, ["repository", "branch", "stage", "labels"], part);
  const read = Object.entries(fields).map(([key, value]) => {
    const at = { ...part, what: key, path: `${path}/${key}` };
    return [key, key === "labels" ? readStrings(value, at) : readString(value, 0, 1024, at)];
  });
  return Object.fromEntries(read);
}
function refuseTaken(address, name, path) {
  refuse("branch_exists", `branch [${address.database}:${name}] already exists`, {
    rule: "B-1",
    path
  });
}

// src/catalog/databases.ts
var DEFAULT_REGION = "us-east-1";
var DEFAULT_BRANCH = "main";
function addDatabase(state, address, options, createdAt) {
  const { workspace, database } = address;
  checkName("database", database);
  const { databases } = findWorkspace(state, workspace);
  if (databases.has(database)) refuseTaken2(database, "D-1");
  const keys = ["region", "branchName", "ui", "metadata", "postgresEnabled"];
  const fields = readFields(options, keys, { what: "database", rule: "D-1" });
  const { region: chosenRegion = DEFAULT_REGION, branchName: branch = DEFAULT_BRANCH } = fields;
  const region = readString(chosenRegion, 1, 255, partAt("region", "D-1"));
  checkName("branch", branch, "/branchName");
  const color = readColor(fields.ui, "D-1");
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  readFlag(fields.postgresEnabled, partAt("postgresEnabled", "D-1"));
  const shown = color === void 0 ? {} : { color };
  return [
    created("database", [workspace, database], { region, createdAt, ...shown, settings: {} }),
    created("branch", [workspace, database, branch], { createdAt, metadata })
  ];
}
function renameDatabase(state, address, name) {
  const { workspace, database } = address;
  const { databases } = findWorkspace(state, workspace);
  findDatabase(state, address);
  checkName("database", name, "/name");
  if (databases.has(name)) refuseTaken2(name, "D-7", "/name");
  return [{ kind: "renamed", entity: "database", at: [workspace, database], to: name }];
}
function removeDatabase(state, address) {
  findDatabase(state, address);
  return [deleted("database", address.workspace, address.database)];
}
function changeDatabase(state, address, changes) {
  findDatabase(state, address);
  const part = { what: "database", rule: "D-3" };
  const { ui } = readFields(changes, ["ui"], part);
  const color = readColor(ui, "D-3");
  if (color === void 0) refuseValue(void 0, "a color", { ...part, path: "/ui/color" });
  return changeOwn(state, address, { color });
}
function changeDatabaseSettings(state, address, changes) {
  const { settings } = findDatabase(state, address);
  return changeOwn(state, address, { settings: mergeSettings(settings, changes) });
}
function changeOwn(state, address, changes) {
  const settings = ownOf("database", findDatabase(state, address));
  return [changed("database", [address.workspace, address.database], { ...settings, ...changes })];
}
function describeDatabase(name, database) {
  const { region, createdAt, color } = database;
  return {
    name,
    region,
    createdAt: formatInstant(createdAt.ms, createdAt.micros),
    ...color !== void 0 && { ui: { color } }
  };
}
function listDatabases(state, workspace) {
  return Array.from(
    findWorkspace(state, workspace).databases,
    ([name, database]) => describeDatabase(name, database)
  );
}
function readColor(ui, rule) {
  const { color } = readFields(ui, ["color"], partAt("ui", rule));
  if (color === void 0) return void 0;
  return readString(color, 1, 32, { what: "color", path: "/ui/color", rule: "D-3" });
}
function refuseTaken2(name, rule, path) {
  refuse("database_exists", `database [${name}] already exists`, { rule, path });
}

// src/schema/change-columns.ts
function changeColumns(columns, names, table, change) {
  const [name, ...rest] = names;
  if (name === void 0) return change(columns);
  const column = requireColumn(columns, name, names.join("."), table);
  if (column.type !== "object") return refuseMissing2(names.join("."), table);
  const inner = changeColumns(column.columns, rest, table, change);
  const changed2 = { ...column, ...groupColumns(inner) };
  return replaced(columns, column, changed2);
}
function replaced(columns, column, by) {
  return columns.map((other) => other === column ? by : other);
}
function requireColumn(columns, name, path, table) {
  return columns.find((column) => column.name === name) ?? refuseMissing2(path, table);
}
function requirePath(path, table) {
  if (typeof path !== "string") refuseMissing2(path, table);
}
function refuseMissing2(path, table) {
  return refuse("column_not_found", `table [${table}]: column ${describe(path)} not found`, {
    rule: "X-4"
  });
}
function renamed(column, name, prefix2) {
  const path = prefix2 + name;
  const definition = { ...column.definition, name };
  if (column.type !== "object") return { ...column, name, path, definition };
  const columns = column.columns.map((sub) => renamed(sub, sub.name, `${path}.`));
  return { ...column, name, path, definition, ...groupColumns(columns) };
}

// src/schema/record-names.ts
var METADATA_KEYS = ["version", "createdAt", "updatedAt"];
var FLAT_NAMES = ["xata_id", "xata_version", "xata_createdat", "xata_updatedat"];
function recordNames(profile) {
  return isFlat(profile) ? FLAT_NAMES : ["id", profile.metadataColumn];
}
function isFlat({ idColumn }) {
  return idColumn !== "id";
}
function metadataPath(profile, key) {
  return isFlat(profile) ? `xata_${key.toLowerCase()}` : `${profile.metadataColumn}.${key}`;
}

// src/schema/column-names.ts
function requireFreeName(columns, name, path, code = "invalid_schema") {
  const folded = name.toLowerCase();
  const taken = columns.find((column) => column.name.toLowerCase() === folded);
  if (taken !== void 0) {
    const message = `column [${name}]: the name ${JSON.stringify(taken.name)} is taken`;
    refuse(code, message, { path, rule: "N-3" });
  }
}
function requireColumnName(name, profile, path) {
  const reserved = recordNames(profile).includes(name);
  if (!isColumnName(name) || reserved) {
    const why = reserved ? "is reserved" : "must be 1\u2013255 characters of A-Z a-z 0-9 _ - ~, not begin with $, not be an array index or __proto__";
    refuse("invalid_schema", `column name ${describe(name)} ${why}`, { path, rule: "N-3" });
  }
}

// src/schema/compare-columns.ts
function compareColumns(table, source, target, parent = "") {
  const remove = ({ name }) => ({
    removeColumn: { table, column: parent + name }
  });
  const named = (column) => ({
    table,
    column: { ...column, name: parent + column.name }
  });
  const add = (column) => ({ addColumn: named(column) });
  const sourceByName = new Map(source.map((column) => [column.name, column]));
  const names = new Set(target.map(({ name }) => name));
  const removed = source.filter(({ name }) => !names.has(name));
  return [
    ...removed.map(remove),
    ...target.flatMap((column) => {
      const sourceColumn = sourceByName.get(column.name);
      if (sourceColumn === void 0) return [add(column)];
      if (sourceColumn.type !== column.type) return [remove(sourceColumn), add(column)];
      const path = `${parent}${column.name}.`;
      const inside = compareColumns(table, sourceColumn.columns ?? [], column.columns ?? [], path);
      if (isSame(withoutColumns(sourceColumn), withoutColumns(column))) return inside;
      return [...inside, { alterColumn: named(column) }];
    })
  ];
}
function withoutColumns({ columns: _, ...rest }) {
  return rest;
}
function isSame(a, b) {
  return canonicalJson(a) === canonicalJson(b);
}

// src/schema/stored-files.ts
var FILE_MEMBERS2 = {
  id: "stored",
  name: "stored",
  mediaType: "stored",
  base64Content: "apart",
  enablePublicUrl: "stored",
  signedUrlTimeout: "stored",
  uploadUrlTimeout: "stored",
  size: "stored",
  version: "stored",
  url: "made",
  signedUrl: "apart",
  uploadUrl: "apart",
  attributes: "stored"
};
var BRIEF_MEMBERS = ["id", "name", "mediaType"];
var COMPARED_MEMBERS = {
  name: "string",
  mediaType: "string",
  enablePublicUrl: "bool",
  signedUrlTimeout: "int",
  uploadUrlTimeout: "int",
  size: "int",
  version: "int"
};
function isFileType(type) {
  return type === "file" || type === "file[]";
}
function encodeFile({ content, ...file }) {
  return { ...file, content: content.hash };
}
function applyFileChanges({
  files,
  values
}, before, nextId) {
  for (const { column, change } of files) {
    const { slot } = column;
    values[slot] = change(before(slot), nextId);
  }
}

// src/schema/column-options.ts
var MAX_DEFAULT_LENGTH = 65536;
function readOption(input, option) {
  return readFlag(input.definition[option], partOf(input, option, input.name)) === true;
}
function requireNoOptions({ definition, path, at }) {
  for (const option of ["unique", "notNull", "defaultValue"]) {
    if (definition[option] == null || definition[option] === false) continue;
    const message = `column [${path}]: ${option}: a file column has none`;
    refuse("invalid_schema", message, { path: below(at, option), rule: "T-19" });
  }
}
function readLinkTarget(input) {
  const { value, part } = readKey(input, "link", "table", "T-17");
  return isName(value) ? value : refuseValue(value, '{ "table": name of the target }', part);
}
function readDimension(input) {
  const { value, part } = readKey(input, "vector", "dimension", "T-12");
  return readNumber(value, [2, 1e4], part);
}
function readFileSettings(input, type) {
  if (!isFileType(type) || input.definition[type] === void 0) return {};
  const { value, part } = readKey(input, type, "defaultPublicAccess", "T-13");
  const access = readFlag(value, part);
  return { [type]: access === void 0 ? {} : { defaultPublicAccess: access } };
}
function readKey({ definition, path: column, at }, option, key, rule) {
  const path = below(at, option);
  const part = { what: `column [${column}]`, path, rule, code: "invalid_schema" };
  const setting = definition[option];
  const { [key]: value } = readFields(setting, [key], part);
  return { value, part: setting === void 0 ? part : { ...part, path: below(path, key) } };
}
function readDefault(input, column) {
  const { defaultValue } = input.definition;
  if (defaultValue == null) return void 0;
  if (TRAITS[column.type].stored === "instant" && defaultValue === "now") return { kind: "now" };
  const coerce = (value2) => coerceValue(column, value2, input.profile);
  const direct = coerce(defaultValue);
  const held = direct === void 0 ? parseText(defaultValue) : void 0;
  const value = held === void 0 ? direct : coerce(held);
  if (value === void 0) refuseDefault(input, expectationOf(column).expected);
  requireShort(input, value);
  return { kind: "value", value };
}
function readObjectDefault(input) {
  const { defaultValue } = input.definition;
  if (defaultValue == null) return void 0;
  const value = typeof defaultValue === "string" ? parseText(defaultValue) : defaultValue;
  const copy = copyJson(value);
  if (!isPlainObject(value) || "fault" in copy) return refuseDefault(input, "an object");
  requireShort(input, copy.value);
  return { kind: "record", value: copy.value };
}
function parseText(value) {
  return typeof value === "string" ? parseJson(value)?.value : void 0;
}
function requireShort({ definition, path, at }, value) {
  const { defaultValue } = definition;
  const { length } = typeof defaultValue === "string" ? defaultValue : JSON.stringify(value);
  if (length <= MAX_DEFAULT_LENGTH) return;
  const expected = `at most ${MAX_DEFAULT_LENGTH} characters of JSON`;
  refuse("invalid_schema", `column [${path}]: defaultValue: expected ${expected}`, {
    path: below(at, "defaultValue"),
    rule: "L-12"
  });
}
function refuseDefault(input, expected) {
  const part = partOf(input, "defaultValue", input.path);
  refuseValue(input.definition.defaultValue, expected, part);
}
function partOf({ at }, option, column) {
  const what = `column [${column}]: ${option}`;
  return { what, path: below(at, option), rule: "T-16", code: "invalid_schema" };
}
function copyDefault({ definition }) {
  const copy = copyJson(definition.defaultValue);
  return "fault" in copy ? null : copy.value;
}

// src/schema/declare.ts
var DEFINITION_KEYS = [
  "name",
  "type",
  "link",
  "columns",
  "vector",
  "unique",
  "notNull",
  "defaultValue",
  "file",
  "file[]"
];
var MAX_COLUMNS = 1e3;
var MAX_OBJECT_LEVELS = 16;
var MAX_COLUMNS_EVER = 1e4;
var MAX_SLOTS = FIRST_COLUMN_SLOT + MAX_COLUMNS_EVER;
function compileSchema(definitions, profile, at = ROOT) {
  let slotCount = FIRST_COLUMN_SLOT;
  const parent = { profile, takeSlot: () => slotCount++, prefix: "", level: 1 };
  const columns = declareColumns(definitions, parent, at);
  return requireFewColumns(assembleSchema(columns, slotCount), at);
}
function requireFewColumns(schema, path) {
  if (schema.leaves.length > MAX_COLUMNS) {
    const message = `a table has at most ${MAX_COLUMNS} columns`;
    refuse("invalid_schema", message, { path, rule: "L-6" });
  }
  if (schema.slotCount > MAX_SLOTS) {
    const message = `a table can have at most ${MAX_COLUMNS_EVER} columns in its lifetime`;
    refuse("invalid_schema", message, { path, rule: "L-12" });
  }
  return schema;
}
function describeSchema(schema) {
  return schema.columns.map(describeColumn);
}
function describeColumn(column) {
  const definition = cloneJson(column.definition);
  return column.type === "object" ? { ...definition, columns: column.columns.map(describeColumn) } : definition;
}
function declareColumns(definitions, parent, at) {
  if (!isArray(definitions)) {
    const part = { what: "columns", path: at, rule: "N-3", code: "invalid_schema" };
    refuseValue(definitions, "an array of columns", part);
  }
  const columns = [];
  const folded = /* @__PURE__ */ new Set();
  for (const [index, definition] of definitions.entries()) {
    const path = below(at, index);
    const column = declareColumn(definition, parent, path);
    columns.push(column);
    folded.add(column.name.toLowerCase());
    if (folded.size < columns.length) {
      requireFreeName(columns.slice(0, -1), column.name, below(path, "name"));
    }
  }
  return columns;
}
function declareColumn(input, parent, at) {
  const { profile, prefix: prefix2 } = parent;
  const code = "invalid_schema";
  if (!isPlainObject(input)) {
    refuseValue(input, "a column", { path: at, rule: "N-3", code });
  }
  const part = { what: "column", path: at, rule: "N-3", code };
  const definition = readFields(input, DEFINITION_KEYS, part);
  const { name, type } = definition;
  requireColumnName(name, profile, below(at, "name"));
  if (!isColumnType(type)) {
    const hint = typeof type === "string" ? suggest(type, COLUMN_TYPES) : "";
    const message = `column [${name}]: expected a column type, found ${describe(type)}${hint}`;
    refuse(code, message, { path: below(at, "type"), rule: "T-1" });
  }
  const column = { definition, name, path: prefix2 + name, at, profile };
  const [unique, notNull] = [readOption(column, "unique"), readOption(column, "notNull")];
  return type === "object" ? declareObject(column, unique, notNull, parent) : declareLeaf(column, { type, unique, notNull }, parent);
}
function declareObject(input, unique, notNull, parent) {
  const { name, path, at } = input;
  const level = parent.level + 1;
  if (level > MAX_OBJECT_LEVELS) {
    const message = `column [${path}]: objects nest at most ${MAX_OBJECT_LEVELS} levels`;
    refuse("invalid_schema", message, { path: at, rule: "L-6" });
  }
  if (unique) {
    const message = `column [${path}]: an object column cannot be unique; its sub-columns can`;
    refuse("invalid_schema", message, { path: below(at, "unique"), rule: "T-16" });
  }
  const inside = { ...parent, prefix: `${path}.`, level };
  const columns = declareColumns(input.definition.columns ?? [], inside, below(at, "columns"));
  const defaultValue = readObjectDefault(input);
  const definition = { name, type: "object", columns: [] };
  if (notNull) definition.notNull = true;
  if (defaultValue !== void 0) definition.defaultValue = copyDefault(input);
  return {
    type: "object",
    name,
    path,
    ...groupColumns(columns),
    notNull,
    defaultValue,
    definition
  };
}
function declareLeaf(input, { type, unique, notNull }, { takeSlot }) {
  const { name, path } = input;
  if (isFileType(type)) requireNoOptions(input);
  const target = type === "link" ? readLinkTarget(input) : void 0;
  const dimension = type === "vector" ? readDimension(input) : void 0;
  const defaultValue = readDefault(input, { type, dimension });
  const definition = { name, type };
  if (target !== void 0) definition.link = { table: target };
  if (dimension !== void 0) definition.vector = { dimension };
  if (unique) definition.unique = true;
  if (notNull) definition.notNull = true;
  if (defaultValue !== void 0) definition.defaultValue = copyDefault(input);
  Object.assign(definition, readFileSettings(input, type));
  const options = { target, dimension, unique, notNull, defaultValue, definition };
  return { type, name, path, slot: takeSlot(), ...options };
}

// src/schema/number-operation.ts
var OPERATIONS = {
  $increment: (value, operand) => value + operand,
  $decrement: (value, operand) => value - operand,
  $multiply: (value, operand) => value * operand,
  $divide: (value, operand) => value / operand
};
function readNumberOperation(column, value) {
  if (TRAITS[column.type].stored !== "number" || !isPlainObject(value)) return void 0;
  const keys = Object.keys(value);
  const operator = keys[0];
  if (keys.length !== 1 || operator === void 0) return void 0;
  if (!Object.hasOwn(OPERATIONS, operator)) return void 0;
  const operand = value[operator];
  if (typeof operand !== "number" || !Number.isFinite(operand)) return void 0;
  return { operator, operand };
}
function applyOperation(column, value, { operator, operand }) {
  const stored = coercePlain(column, OPERATIONS[operator](value, operand));
  return typeof stored === "number" ? stored : void 0;
}

// src/schema/record.ts
var MAX_HINTS = 100;
var TAKEN = /* @__PURE__ */ Symbol("taken");
function requireValue(value) {
  return value === TAKEN ? null : value ?? null;
}
function requireRecordId(table, value, at) {
  return isRecordId(value) ? value : refuseRecordId(table, value, at);
}
function refuseRecordId(table, value, at) {
  const expected = "1\u2013255 characters without control characters";
  return refuseRecord(
    table,
    "invalid_record",
    `id: expected ${expected}, found ${describe(value)}`,
    { path: at, rule: "R-3" }
  );
}
var NONE = [];
function createParsed({ slotCount }) {
  const values = new Array(slotCount).fill(void 0);
  return { id: void 0, values, objects: NONE, operations: NONE, files: NONE };
}
var RecordReader = class {
  #reading;
  #given;
  #allowOperations = false;
  #sink;
  /** The record's path, and the keys down to the current object. */
  #at = ROOT;
  #keys = [];
  #hintsLeft = MAX_HINTS;
  constructor(reading) {
    this.#reading = reading;
    this.#given = createParsed(reading.schema);
  }
  /**
   * @param allowOperations whether number operations are valid (rule X-2: in updates)
   * @param sink receives every value first; values that it stores become {@link TAKEN}
   * @returns the record, valid until the next one is read
   * @throws TwinbaseError `invalid_record` (rules T-15, R-8)
   */
  read(record, at, allowOperations, sink) {
    this.begin(at, allowOperations, sink);
    const { table, schema } = this.#reading;
    if (!isPlainObject(record)) {
      refuseRecord(table, "invalid_record", `expected a record, found ${describe(record)}`, {
        path: at,
        rule: "R-8"
      });
    }
    const { columns } = schema;
    const inherits = inheritsKeys(record);
    let next = 0;
    for (const key in record) {
      if (inherits && !Object.hasOwn(record, key)) continue;
      const value = record[key];
      if (value === void 0) continue;
      const column = columns[next];
      if (column === void 0 || column.name !== key) next = this.#readKey(key, value, next);
      else {
        next++;
        this.#readColumn(column, value, key);
      }
    }
    return this.#given;
  }
  /** Fills in defaults for missing keys, not for null (rule T-16). */
  fillDefaults(record, now, at) {
    const { objectDefaults, defaults } = this.#reading.schema.constraints;
    this.#given = record;
    this.#at = at;
    for (const column of objectDefaults) {
      if (record.objects.includes(column)) continue;
      this.#readColumn(column, column.defaultValue?.value, column.name);
    }
    for (const { slot, defaultValue } of defaults) {
      if (record.values[slot] !== void 0 || defaultValue === void 0) continue;
      record.values[slot] = defaultValue.kind === "now" ? now : defaultValue.value;
    }
  }
  /** Begins a record, for {@link readLeaf}. */
  begin(at, allowOperations, sink) {
    const input = this.#given;
    for (let slot = 0; slot < input.values.length; slot++) input.values[slot] = void 0;
    input.id = void 0;
    input.objects = NONE;
    input.operations = NONE;
    input.files = NONE;
    while (this.#keys.length > 0) this.#keys.pop();
    this.#allowOperations = allowOperations;
    this.#sink = sink;
    this.#at = at;
    return input;
  }
  /** Reads a key out of order; returns the next position. */
  #readKey(key, value, next) {
    const { table, schema, profile } = this.#reading;
    const names = recordNames(profile);
    if (key === names[0]) {
      this.#given.id = isRecordId(value) ? value : refuseRecordId(table, value, below(this.#at, key));
      return next;
    }
    const { columns, columnsByName } = schema;
    const column = columnsByName.get(key);
    if (column !== void 0) this.#readColumn(column, value, key);
    else if (!names.includes(key)) this.#readDotted(key, value);
    return column !== void 0 && column === columns[next + 1] ? next + 2 : next;
  }
  #readColumn(column, value, key) {
    if (column.type === "object") {
      this.#readObject(column, value, key);
      return;
    }
    const { values } = this.#given;
    const { slot } = column;
    if (values[slot] === void 0 && this.#sink?.take(column, value)) values[slot] = TAKEN;
    else this.readLeaf(column, value, key);
  }
  /** Reads `address.zip` (rule R-8). */
  #readDotted(key, value) {
    const names = key.split(".");
    let columns = this.#reading.schema.columnsByName;
    for (const [depth, name] of names.entries()) {
      const column = columns.get(name);
      if (column === void 0) break;
      if (depth === names.length - 1) {
        this.#readColumn(column, value, key);
        return;
      }
      if (column.type !== "object") break;
      if (column.defaultValue !== void 0) this.#given.objects = [...this.#given.objects, column];
      columns = column.columnsByName;
    }
    this.#refuseUnknown(key, this.#reading.schema.columnsByName.keys());
  }
  #readObject(column, value, key) {
    if (column.defaultValue !== void 0) this.#given.objects = [...this.#given.objects, column];
    const { columns, columnsByName, path } = column;
    if (value === null) {
      for (const sub of columns) this.#readColumn(sub, null, key);
      return;
    }
    if (!isPlainObject(value)) this.#refuseValue(column, "T-10", "an object", value, key);
    const inherits = inheritsKeys(value);
    let next = 0;
    this.#keys.push(key);
    for (const name in value) {
      if (inherits && !Object.hasOwn(value, name)) continue;
      const member = value[name];
      if (member === void 0) continue;
      const sub = columns[next]?.name === name ? columns[next++] : columnsByName.get(name);
      if (sub === void 0) this.#refuseUnknown(name, columnsByName.keys(), path);
      else this.#readColumn(sub, member, name);
    }
    this.#keys.pop();
  }
  /** Reads the value of a leaf; `key` is its path in the record. */
  readLeaf(column, value, key) {
    const { slot } = column;
    if (this.#given.values[slot] !== void 0 || this.#isOperatedOn(column)) {
      const text = `column [${column.path}] is given twice, nested and dotted`;
      refuseRecord(this.#reading.table, "invalid_record", text, {
        path: this.#place(key),
        rule: "R-8"
      });
    }
    if (value === null) {
      this.#given.values[slot] = null;
      return;
    }
    if (isFileType(column.type)) {
      this.#readFile(column, value, key);
      return;
    }
    const operation = typeof value === "object" ? readNumberOperation(column, value) : void 0;
    if (operation !== void 0) {
      const path = this.#place(key);
      if (!this.#allowOperations) {
        const text = `column [${column.path}]: only an update of an existing record takes ${operation.operator}`;
        refuseRecord(this.#reading.table, "invalid_record", text, { path, rule: "X-2" });
      }
      this.#given.operations = [...this.#given.operations, { column, operation, path }];
      return;
    }
    const { profile } = this.#reading;
    const stored = coerceValue(column, value, profile);
    if (stored === void 0) {
      const { rule, expected } = expectationOf(column);
      this.#refuseValue(column, rule, expected, value, key);
    }
    this.#given.values[slot] = stored;
  }
  #readFile(column, value, key) {
    const { table, readFile } = this.#reading;
    const path = this.#place(key);
    if (readFile === void 0) {
      const text = `column [${column.path}]: this engine does not store files; call enableFiles`;
      refuseRecord(table, "not_implemented", text, { path, rule: "H-1" });
    }
    const change = readFile({ column, value, table, at: path });
    this.#given.files = [...this.#given.files, { column, change }];
    this.#given.values[column.slot] = null;
  }
  #isOperatedOn(column) {
    return this.#given.operations.some((other) => other.column === column);
  }
  #place(key) {
    return below(this.#keys.reduce(below, this.#at), key);
  }
  #refuseValue({ path: column, type }, rule, expected, value, key) {
    const text = `column [${column}]: expected ${expected}, found ${describe(value)}`;
    refuseRecord(this.#reading.table, "invalid_record", text, {
      path: this.#place(key),
      rule,
      reason: { kind: "type_mismatch", column, expected: type }
    });
  }
  #refuseUnknown(key, known, object) {
    const where = object === void 0 ? "" : ` in [${object}]`;
    const hint = this.#hintsLeft-- > 0 ? suggest(key, known) : "";
    const text = `unknown column ${describe(key)}${where}${hint}`;
    const column = object === void 0 ? key : `${object}.${key}`;
    refuseRecord(this.#reading.table, "invalid_record", text, {
      path: this.#place(key),
      rule: object === void 0 ? "R-8" : "T-10",
      reason: { kind: "unknown_column", column }
    });
  }
};

// src/schema/record-size.ts
var MAX_RECORD_BYTES = 64 * 1024 * 1024;
var NUMBER_UNITS = 5;
var FILE_UNITS = 64;
function requireRecordSize({ table, recordBytes }, { leaves, constraints: { unbounded, shortBytes } }, values, stored, at) {
  const mayBeLarge = shortBytes > recordBytes || unbounded.some((column) => countUnits(column, values[column.slot]) >= LONG_VALUE);
  if (!mayBeLarge) return;
  const valueAt2 = ({ slot }) => {
    const value = values[slot];
    return value === void 0 || value === TAKEN ? stored(slot) : value;
  };
  let units = 0;
  for (const column of leaves) units += column.name.length + countUnits(column, valueAt2(column));
  if (units * MAX_UNIT_BYTES <= recordBytes) return;
  let bytes = 0;
  for (const column of leaves) {
    const value = valueAt2(column);
    if (value === null) continue;
    bytes += column.name.length + '"":,'.length + jsonLength(column, value);
    if (bytes <= recordBytes) continue;
    const isMost = recordBytes === MAX_RECORD_BYTES;
    const hint = isMost ? "" : " (limits.recordBytes)";
    const text = `the record has more than ${recordBytes} bytes of JSON${hint}`;
    refuseRecord(table, "invalid_record", text, { path: at, rule: isMost ? "L-12" : "L-13" });
  }
}
function countUnits({ type }, value) {
  if (value === void 0 || value === null || value === TAKEN) return 0;
  if (typeof value === "string") return value.length + 1;
  if (isFileType(type)) return filesOf(value).reduce((sum, file) => sum + countFile(file), 1);
  if (type === "json") return unitsOf(value);
  if (!Array.isArray(value)) return NUMBER_UNITS;
  let units = 1;
  for (const member of value) {
    units += typeof member === "string" ? member.length + 1 : NUMBER_UNITS;
  }
  return units;
}
function unitsOf(value) {
  if (typeof value === "string") return NUMBER_UNITS + value.length;
  let units = NUMBER_UNITS;
  if (typeof value !== "object" || value === null) return units;
  if (Array.isArray(value)) {
    for (const member of value) units += unitsOf(member);
    return units;
  }
  const members = value;
  for (const key in members) units += key.length + unitsOf(members[key]);
  return units;
}
function countFile({ id = "", name, mediaType }) {
  return FILE_UNITS + id.length + name.length + mediaType.length;
}
function filesOf(value) {
  const files = value;
  return Array.isArray(files) ? files : [files];
}
function jsonLength({ type }, value) {
  if (TRAITS[type].stored === "instant") {
    const { ms, micros } = value;
    return formatInstant(ms, micros).length + '""'.length;
  }
  try {
    return utf8Length(JSON.stringify(isFileType(type) ? filesOf(value).map(encodeFile) : value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

// src/storage/ownership.ts
var SMALLEST_CAPACITY = 8;
var Ownership = class {
  #mark;
  /** The tail whose next row this transient has reserved. */
  #claimed;
  /** @param mark the engine's mark; a draft without one */
  constructor(mark) {
    this.isDraft = mark === void 0;
    this.#mark = mark ?? new Mark();
  }
  ownList({ owner, chunks }) {
    return isSameMark(owner, this.#mark) ? chunks : chunks.slice();
  }
  ownChunk(chunks, index) {
    const chunk = chunks[index];
    if (isSameMark(chunk.owner, this.#mark)) return chunk;
    const copy = copyChunk(chunk, this.#mark);
    chunks[index] = copy;
    return copy;
  }
  createChunk(slotCount, capacity) {
    const chunk = new Chunk(this.#mark);
    reserveRow(chunk, capacity);
    chunk.vectors = new Array(slotCount).fill(void 0);
    return chunk;
  }
  /** Makes the row after the last one writable. */
  openTail(chunk, capacity) {
    if (chunk.tail === this.#claimed) chunk.tail.used = chunk.count;
    if (chunk.count === chunk.capacity || chunk.tail.used !== chunk.count)
      reserveRow(chunk, capacity);
  }
  claim({ tail }, used) {
    tail.used = used;
    this.#claimed = tail;
  }
  /** Ends write access to the draft and returns its mark. */
  release() {
    const mark = this.#mark;
    if (!this.isDraft) return mark;
    this.#claimed = void 0;
    this.#mark = new Mark();
    return mark;
  }
};
function copyChunk(chunk, owner) {
  const copy = new Chunk(owner);
  copy.count = chunk.count;
  copy.capacity = chunk.capacity;
  copy.vectors = chunk.vectors.slice();
  copy.tail = chunk.tail;
  copy.deleted = chunk.deleted?.slice();
  return copy;
}
function ownVector(chunk, slot) {
  const vector = chunk.vectors[slot];
  if (vector === void 0) return void 0;
  if (isSameMark(vector.owner, chunk.owner)) {
    vector.cache = void 0;
    return vector;
  }
  const copy = copyVector(chunk, vector);
  chunk.vectors[slot] = copy;
  return copy;
}
function putVector(chunk, slot, vector) {
  vector.owner = chunk.owner;
  chunk.vectors[slot] = vector;
}
function shareVector(chunk, slot, vector) {
  vector.owner = void 0;
  chunk.vectors[slot] = vector;
}
function reserveRow(chunk, capacity) {
  const { count } = chunk;
  if (count === chunk.capacity)
    chunk.capacity = Math.min(CHUNK_ROWS, Math.max(SMALLEST_CAPACITY, capacity, count * 2));
  chunk.vectors = chunk.vectors.map((vector) => vector && copyVector(chunk, vector));
  chunk.tail = { used: count };
}
function copyVector({ count, capacity, owner }, vector) {
  const copy = vector.copy(count, capacity);
  copy.owner = owner;
  copy.kept = vector.kept;
  return copy;
}

// src/storage/unique.ts
function uniqueKey(value) {
  return typeof value === "string" ? value : canonicalJson(value);
}
function findUnique(table, slot, key, isOther) {
  const index = table.uniques.get(slot);
  if (index === void 0) return -1;
  const hash = hashString(key);
  for (let place = index.seek(hash); place >= 0; place = index.seek(hash, place + 1)) {
    const ordinal = index.ordinalAt(place);
    if (!isOther(ordinal) || !table.isLive(ordinal)) continue;
    const value = table.get(ordinal, slot);
    if (value !== null && uniqueKey(value) === key) return ordinal;
  }
  return -1;
}
function buildUniqueIndex(table, slot, size, ordinals = ordinalsOf(table.chunks)) {
  const index = new HashIndex(size * 2);
  for (const ordinal of ordinals) {
    const value = table.get(ordinal, slot);
    if (value !== null) index.add(hashString(uniqueKey(value)), ordinal);
  }
  return index;
}

// src/storage/row-checks.ts
function findBreach(table, { breaks, slots }, checkTime) {
  const firstIds = /* @__PURE__ */ new Map();
  const checkStep = checkEvery(checkTime);
  let record;
  let count = 0;
  for (const ordinal of ordinalsOf(table.chunks)) {
    checkStep();
    let id = table.idAt(ordinal);
    const values = slots.map((slot) => table.get(ordinal, slot));
    const isNull3 = values.every((value) => value === null);
    if (breaks === "repeats") {
      if (isNull3 && slots.length > 0) continue;
      const key = uniqueKey(values[0] ?? "");
      const firstId = firstIds.get(key);
      const isFirst = firstId === void 0 || compareStrings(id, firstId) < 0;
      if (isFirst) firstIds.set(key, id);
      if (firstId === void 0) continue;
      if (isFirst) id = firstId;
    } else if (isNull3 !== (breaks === "null")) continue;
    count++;
    if (record === void 0 || compareStrings(id, record) < 0) record = id;
  }
  return record === void 0 ? void 0 : { record, count };
}
function requireValuesKept(table, { leaves }, context, at) {
  const remaining = new Set(leaves.map(({ slot }) => slot));
  for (const column of table.schema.leaves) {
    if (remaining.has(column.slot)) continue;
    requireRows(table, { breaks: "value", column, slots: [column.slot] }, context, at);
  }
}
function requireAltered(table, { constraints, leaves }, filled, context, at) {
  const before = table.schema;
  const leavesBySlot = new Map(before.leaves.map((leaf) => [leaf.slot, leaf]));
  const slotsOf2 = (column) => leavesOf(column).flatMap(({ slot }) => leavesBySlot.has(slot) ? [slot] : []);
  const test = (breaks, column, why) => requireRows(table, { breaks, column, slots: slotsOf2(column) }, context, at, why);
  for (const column of constraints.notNulls) {
    const was = findColumn(before, column.path);
    const isKept = was?.notNull === true && slotsOf2(column).length === leavesOf(was).length;
    const isFilled = leavesOf(column).some(({ slot }) => filled[slot] !== void 0);
    if (!isKept && !isFilled) test("null", column, "must not be null");
  }
  for (const column of constraints.uniques) {
    const was = leavesBySlot.get(column.slot);
    const mayRepeat = was === void 0 ? filled[column.slot] !== void 0 : !was.unique;
    if (mayRepeat) test("repeats", column, "must be unique");
  }
  for (const column of leaves) {
    const was = leavesBySlot.get(column.slot);
    if (was === void 0 || was.dimension === column.dimension) continue;
    test("value", column, `must have ${column.dimension} numbers`);
  }
}
function requireRows(table, check, { table: name, findBreach: findBreach2 }, path, why) {
  const breach = findBreach2(table, check);
  if (breach === void 0) return;
  const column = `column [${check.column.path}]`;
  const { record, count } = breach;
  const [code, rule, text] = why === void 0 ? [
    "schema_conflict",
    "K-5",
    `${column}: values that would be lost without dropValues: ${count}`
  ] : check.slots.length > 0 ? ["invalid_record", "K-5", `record [${record}]: ${column} ${why}`] : ["invalid_schema", "T-16", `${column} ${why}: the table has records`];
  refuseRecord(name, code, text, { path, rule });
}

// src/storage/metadata.ts
function putSystemVectors(chunk) {
  putVector(chunk, ID_SLOT, new TextVector(chunk.capacity));
  putVector(chunk, VERSION_SLOT, new NumberVector(chunk.capacity));
  putVector(chunk, CREATED_AT_SLOT, new InstantVector(chunk.capacity));
  putVector(chunk, UPDATED_AT_SLOT, new InstantVector(chunk.capacity));
}
function setMetadata(chunk, row, id, metadata) {
  const { vectors } = chunk;
  vectors[ID_SLOT].set(row, id);
  vectors[VERSION_SLOT].set(row, metadata.version);
  vectors[CREATED_AT_SLOT].set(row, metadata.createdAt);
  vectors[UPDATED_AT_SLOT].set(row, metadata.updatedAt);
}
function replaceMetadata(chunk, row, metadata) {
  ownVector(chunk, VERSION_SLOT).set(row, metadata.version);
  ownVector(chunk, CREATED_AT_SLOT).set(row, metadata.createdAt);
  ownVector(chunk, UPDATED_AT_SLOT).set(row, metadata.updatedAt);
}
function countWrite(chunk, row, now) {
  ownVector(chunk, VERSION_SLOT).values[row] += 1;
  ownVector(chunk, UPDATED_AT_SLOT).set(row, now);
}
function metadataOf(table, ordinal) {
  return {
    version: table.get(ordinal, VERSION_SLOT),
    // the types of the system columns
    createdAt: table.get(ordinal, CREATED_AT_SLOT),
    updatedAt: table.get(ordinal, UPDATED_AT_SLOT)
  };
}
function shareMetadata(chunk, before) {
  for (const slot of [VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT]) {
    const vector = chunk.vectors[slot];
    const other = before?.vectors[slot];
    if (vector === void 0 || other === void 0 || !isRepeated(vector, other)) continue;
    shareVector(chunk, slot, other);
  }
}
function isRepeated(a, b) {
  if (a.kind === "number" && b.kind === "number") return isOneNumber(a.values, b.values);
  if (a.kind !== "instant" || b.kind !== "instant") return false;
  return a.micros === void 0 && b.micros === void 0 && isOneNumber(a.ms, b.ms);
}
function isOneNumber(a, b) {
  const first = a[0];
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (a[row] !== first || b[row] !== first) return false;
  }
  return true;
}

// src/storage/text-codes.ts
var MAX_DISTINCT_IN_CHUNK = 512;
function encodeChunk(table, chunk) {
  for (const { slot } of table.schema.leaves) {
    const vector = chunk.vectors[slot];
    if (vector?.kind !== "text" || table.plainText.has(slot)) continue;
    const dictionary = table.dictionaries.get(slot) ?? new Dictionary();
    const coded = encodeTexts(vector, dictionary);
    if (coded === void 0) table.plainText = new Set(table.plainText).add(slot);
    else {
      putVector(chunk, slot, coded);
      if (!table.dictionaries.has(slot)) {
        table.dictionaries = new Map(table.dictionaries).set(slot, dictionary);
      }
    }
  }
}
function encodeTexts(vector, dictionary) {
  const distinct = new Set(vector.texts);
  if (distinct.size > MAX_DISTINCT_IN_CHUNK || dictionary.size + distinct.size > MAX_TEXT_CODES)
    return void 0;
  for (const text of distinct) if (text !== null) dictionary.encode(text);
  const coded = new CodeVector(CHUNK_ROWS, dictionary);
  for (const [row, text] of vector.texts.entries()) coded.set(row, text);
  return coded;
}
function decodeTexts(vector, count) {
  const plain = new TextVector(vector.codes.length);
  for (let row = 0; row < count; row++) plain.set(row, vector.get(row));
  return plain;
}

// src/storage/vector.ts
var ValueVector = class _ValueVector extends VectorFace {
  constructor(capacity, isFloats, values = nulls(capacity)) {
    super();
    this.kind = "value";
    this.isFloats = isFloats;
    this.values = values;
  }
  get(row) {
    const value = this.values[row];
    return value instanceof Float64Array ? Array.from(value) : value;
  }
  set(row, value) {
    this.values[row] = this.isFloats && value !== null ? new Float64Array(value) : value;
  }
  take() {
    return false;
  }
  copy(count, capacity) {
    return new _ValueVector(capacity, this.isFloats, copyValues(this.values, count, capacity));
  }
};
var NULL_LENGTH = -1;
var ListVector = class _ListVector extends VectorFace {
  constructor(capacity, dictionary, starts = new Int32Array(capacity), lengths = new Int32Array(capacity).fill(NULL_LENGTH), items = new Uint8Array(16), used = 0) {
    super();
    this.kind = "list";
    this.starts = starts;
    this.lengths = lengths;
    this.dictionary = dictionary;
    this.items = items;
    this.used = used;
  }
  get(row) {
    const length = this.lengths[row];
    if (length === NULL_LENGTH) return null;
    const start = this.starts[row];
    const list = new Array(length);
    for (let i = 0; i < length; i++) list[i] = this.dictionary.values[this.items[start + i]];
    return list;
  }
  set(row, value) {
    const list = value;
    this.begin(row);
    if (list === null) this.lengths[row] = NULL_LENGTH;
    else for (const text of list) this.push(row, this.dictionary.encode(text));
  }
  take(row, _column, value) {
    if (!isArray(value)) return false;
    let units = 0;
    this.begin(row);
    for (let i = 0; i < value.length; i++) {
      const member = value[i];
      if (typeof member !== "string") return false;
      units += member.length + 1;
      if (units >= LONG_VALUE) return false;
      let code = this.dictionary.find(member);
      if (code === NULL_CODE) {
        if (!member.isWellFormed()) return false;
        code = this.dictionary.encode(member);
      }
      this.push(row, code);
    }
    return true;
  }
  begin(row) {
    this.starts[row] = this.used;
    this.lengths[row] = 0;
  }
  push(row, code) {
    if (this.used === this.items.length || code > MAX_CODE[this.items.BYTES_PER_ELEMENT]) {
      const capacity = this.used === this.items.length ? this.used * 2 : this.items.length;
      this.items = copyCodes(this.items, this.used, capacity, code);
    }
    this.items[this.used++] = code;
    this.lengths[row]++;
  }
  copy(count, capacity) {
    const copy = new _ListVector(
      capacity,
      this.dictionary,
      void 0,
      void 0,
      createCodes(Math.max(16, this.used), this.dictionary.size)
    );
    for (let row = 0; row < count; row++) {
      const length = this.lengths[row];
      const start = this.starts[row];
      copy.starts[row] = copy.used;
      copy.lengths[row] = length;
      for (let i = 0; i < length; i++) copy.items[copy.used++] = this.items[start + i];
    }
    return copy;
  }
};
function createVector(type, capacity, dictionary) {
  switch (TRAITS[type].stored) {
    case "number":
      return new NumberVector(capacity);
    case "instant":
      return new InstantVector(capacity);
    case "bool":
      return new BoolVector(capacity);
    case "text":
      return dictionary === void 0 || dictionary.size >= MAX_TEXT_CODES ? new TextVector(capacity) : new CodeVector(capacity, dictionary);
    // These columns have a dictionary.
    case "code":
      return new CodeVector(capacity, dictionary);
    case "list":
      return new ListVector(capacity, dictionary);
    case "value":
      return new ValueVector(capacity, type === "vector");
  }
}

// src/storage/transient.ts
var MIN_SWEEP = 2048;
var TableTransient = class _TableTransient {
  #table;
  #ownership;
  #notes;
  #written = [];
  #open;
  /** Id hashes not yet in the index: adding them in bulk is much faster. */
  #idHashes = [];
  #greatest;
  /** @param owner permits changes in place; without it the table is a draft until `persist` */
  constructor(table, owner, noted) {
    this.#ownership = new Ownership(owner);
    if (noted !== void 0) {
      const copies = noted === "rows" && owner !== void 0;
      const former = copies ? new _TableTransient(withoutRows(table)) : void 0;
      this.#notes = { before: table, ids: /* @__PURE__ */ new Set(), former };
    }
    this.#table = new TableVersion(table);
    this.#table.chunks = this.#ownership.ownList(table);
  }
  get schema() {
    return this.#table.schema;
  }
  find(id) {
    this.#indexIds();
    return this.#table.find(id);
  }
  /** An id above the greatest one needs no look-up. */
  has(id) {
    return (this.#table.source !== void 0 || !this.#isGreatest(id)) && this.find(id) >= 0;
  }
  get(ordinal, slot) {
    return this.#table.get(ordinal, slot);
  }
  idAt(ordinal) {
    return this.#table.idAt(ordinal);
  }
  /** Returns a value of the open row. */
  openValue(slot) {
    return this.#open?.vectors[slot]?.get(this.#open.count) ?? null;
  }
  /** Returns a code of the open row; 0 for null. */
  openCode(slot) {
    const vector = this.#open?.vectors[slot];
    return vector?.kind === "code" ? vector.codes[this.#open.count] : NULL_CODE;
  }
  /** Returns the ordinal of another record with the value, or −1. */
  findUnique(column, value, except) {
    this.#table.source?.findUnique(column, value);
    return findUnique(this.#table, column.slot, uniqueKey(value), (ordinal) => ordinal !== except);
  }
  /**
   * Opens the next record's row to take its values while it is read: temporary objects would dominate
   * the time of a bulk load. For drafts only: writes in place are validated first.
   * @param expected expected number of further records, including this one
   */
  openRow(expected) {
    if (!this.#ownership.isDraft) return void 0;
    const chunk = this.#openTail(expected);
    this.#ownership.claim(chunk, chunk.count + 1);
    this.#open = chunk;
    return this;
  }
  /** Stores a value in the open row, which is invisible until it is counted. */
  take(column, value) {
    const { vectors, count } = this.#open;
    const vector = vectors[column.slot];
    if (vector === void 0 || column.unique) return false;
    if (typeof value === "string" && value.length >= LONG_VALUE) return false;
    return vector.take(count, column, value);
  }
  /**
   * Appends a record, in the open row if any.
   * @param expected expected number of further records, including this one
   */
  append(id, metadata, values, expected = 1) {
    this.#notes?.ids.add(id);
    const chunk = this.#open ?? this.#openTail(expected);
    const row = chunk.count;
    if (this.#open === void 0) this.#ownership.claim(chunk, row + 1);
    this.#open = void 0;
    const ordinal = ordinalOf(this.#table.chunks.length - 1, row);
    setMetadata(chunk, row, id, metadata);
    this.#setValues(chunk, row, values, ordinal);
    chunk.count = row + 1;
    this.#enterId(id);
    this.#written.push(ordinal);
    this.#table.size++;
    if (chunk.count === CHUNK_ROWS) {
      shareMetadata(chunk, this.#table.chunks.at(-2));
      encodeChunk(this.#table, chunk);
    }
    return ordinal;
  }
  #setValues(chunk, row, values, ordinal) {
    const { leaves } = this.#table.schema;
    for (let i = 0; i < leaves.length; i++) {
      const column = leaves[i];
      const value = values[column.slot] ?? null;
      if (value === TAKEN) continue;
      this.#setIn(chunk, row, column, value);
      if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
    }
  }
  /** Call `touch` first. */
  set(ordinal, column, value) {
    const chunk = this.#ownChunk(ordinal);
    ownVector(chunk, column.slot);
    this.#setIn(chunk, rowAt(ordinal), column, value);
    if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
  }
  setMetadata(ordinal, metadata) {
    replaceMetadata(this.#ownChunk(ordinal), rowAt(ordinal), metadata);
    this.#written.push(ordinal);
  }
  /** Counts a write of a record (rule R-2). */
  touch(ordinal, now) {
    this.#note(ordinal);
    countWrite(this.#ownChunk(ordinal), rowAt(ordinal), now);
    this.#written.push(ordinal);
  }
  delete(ordinal) {
    this.#note(ordinal);
    const chunk = this.#ownChunk(ordinal);
    const row = rowAt(ordinal);
    chunk.deleted ??= new Uint32Array(CHUNK_WORDS);
    chunk.deleted[row >>> 5] |= 1 << (row & 31);
    this.#written.push(ordinal);
    this.#table.size--;
  }
  /** Returns the current table. Later writes copy shared chunks first. */
  persist() {
    this.#indexIds();
    this.#open = void 0;
    const next = this.#table;
    const rows = rowCount(next.chunks);
    next.history = next.history.advance(next.position, this.#written, rows);
    next.position += this.#written.length;
    this.#written = [];
    next.owner = this.#ownership.release();
    const table = new TableVersion(next);
    const isSwept = rows >= MIN_SWEEP && rows > 2 * next.size;
    const persisted = isSwept ? sweep(table) : table;
    if (isSwept) Object.assign(next, persisted);
    next.chunks = this.#ownership.ownList(persisted);
    return persisted;
  }
  /** Returns the records written so far; undefined if they are not noted, or none was written. */
  written() {
    if (this.#notes === void 0 || this.#notes.ids.size === 0) return void 0;
    const { before, ids, former } = this.#notes;
    return { before: former?.persist() ?? before, ids };
  }
  /** Notes a record before it is written. */
  #note(ordinal) {
    if (this.#notes === void 0) return;
    const { ids, former } = this.#notes;
    const id = this.#table.idAt(ordinal);
    if (ids.size < ids.add(id).size) former?.copyRow(this.#table, ordinal, 1);
  }
  /** Appends a record of another version with the same columns. */
  copyRow(from, ordinal, expected) {
    const values = [];
    for (const { slot } of from.schema.leaves) values[slot] = from.get(ordinal, slot);
    this.append(from.idAt(ordinal), metadataOf(from, ordinal), values, expected);
  }
  #openTail(expected) {
    const { chunks, schema } = this.#table;
    const last = chunks.length - 1;
    if (last >= 0) {
      const chunk2 = this.#ownership.ownChunk(chunks, last);
      if (chunk2.count < CHUNK_ROWS) {
        this.#ownership.openTail(chunk2, expected + chunk2.count);
        return chunk2;
      }
    }
    const chunk = this.#ownership.createChunk(schema.slotCount, last < 0 ? expected : CHUNK_ROWS);
    putSystemVectors(chunk);
    chunks.push(chunk);
    return chunk;
  }
  #ownChunk(ordinal) {
    return this.#ownership.ownChunk(this.#table.chunks, chunkIndexOf(ordinal));
  }
  #setIn(chunk, row, column, value) {
    let vector = chunk.vectors[column.slot];
    if (vector === void 0) {
      if (value === null) return;
      const dictionary = this.#table.dictionaries.get(column.slot);
      vector = createVector(column.type, chunk.capacity, dictionary);
      putVector(chunk, column.slot, vector);
    } else if (vector.kind === "code" && !isCoded(column.type) && value !== null && vector.dictionary.size >= MAX_TEXT_CODES) {
      vector = decodeTexts(vector, chunk.count);
      putVector(chunk, column.slot, vector);
    }
    vector.set(row, value);
  }
  #isGreatest(id) {
    const { idsAscend, lastId } = this.#table;
    if (!idsAscend || compareStrings(lastId, id) >= 0) return false;
    this.#greatest = id;
    return true;
  }
  #enterId(id) {
    this.#idHashes.push(hashString(id));
    if (id === this.#greatest || this.#isGreatest(id)) this.#table.lastId = id;
    else this.#table.idsAscend = false;
    this.#greatest = void 0;
  }
  #indexIds() {
    const hashes = this.#idHashes;
    if (hashes.length === 0) return;
    const table = this.#table;
    let ordinal = rowCount(table.chunks);
    if (table.ids.free < hashes.length) {
      const end = ordinal - hashes.length;
      const grown2 = new HashIndex(table.size + (table.size >>> 5) + 1);
      for (const other of ordinalsOf(table.chunks)) {
        if (other >= end) break;
        grown2.add(hashString(table.idAt(other)), other);
      }
      table.ids = grown2;
    }
    while (hashes.length > 0) table.ids.add(hashes.pop(), --ordinal);
  }
  #enterUnique(slot, value, ordinal) {
    const table = this.#table;
    let index = table.uniques.get(slot);
    if (index.free < 1) {
      index = buildUniqueIndex(table, slot, table.size + 1);
      table.uniques = new Map(table.uniques).set(slot, index);
    }
    index.add(hashString(uniqueKey(value)), ordinal);
  }
};
function withoutRows({ identity, schema, dictionaries, plainText }) {
  return new TableVersion({ ...createTableVersion(identity, schema), dictionaries, plainText });
}
function sweep(table) {
  const transient = new TableTransient(createTableVersion(table.identity, table.schema));
  for (const ordinal of ordinalsOf(table.chunks)) transient.copyRow(table, ordinal, table.size);
  const { position, history } = table;
  const next = new IndexHistory(position, history.demand);
  return new TableVersion({
    ...transient.persist(),
    position,
    history: next,
    source: table.source
  });
}

// src/storage/alter.ts
function putColumn(kind, table, definition, context) {
  const { table: name } = context;
  const isNew = kind === "addColumn";
  const { names, column } = declareAt(definition, context);
  const columns = changeColumns(table.schema.columns, names, name, (siblings) => {
    if (isNew) {
      requireFreeName(siblings, column.name, "/name", "column_exists");
      return [...siblings, column];
    }
    const existing = requireColumn(siblings, column.name, column.path, name);
    return replaced(siblings, existing, column);
  });
  const version = withColumns(table, columns, context, "", !isNew);
  const edit = { table: name, column: { ...describeColumn(column), name: column.path } };
  return { version, operations: [{ [kind]: edit }] };
}
function declareAt(definition, { profile }) {
  const { name } = Object(definition);
  const names = typeof name === "string" ? name.split(".") : [];
  const last = names.pop();
  const local = names.length === 0 ? definition : { ...Object(definition), name: last };
  const prefix2 = names.map((each) => `${each}.`).join("");
  const parent = { profile, takeSlot: () => 0, prefix: prefix2, level: names.length + 1 };
  return { names, column: declareColumn(local, parent, "") };
}
function renameColumn(table, oldName, newName, context) {
  requirePath(oldName, context.table);
  requireColumnName(newName, context.profile, "");
  const version = changeColumn(table, oldName, context, (column, others) => {
    requireFreeName(others, newName, "", "column_exists");
    return renamed(column, newName, oldName.slice(0, -column.name.length));
  });
  return { version, operations: [{ renameColumn: { table: context.table, oldName, newName } }] };
}
function removeColumn(table, column, context) {
  requirePath(column, context.table);
  const version = changeColumn(table, column, context, () => void 0);
  requireAltered(table, version.schema, [], context, "");
  return { version, operations: [{ removeColumn: { table: context.table, column } }] };
}
function changeColumn(table, path, context, change) {
  const names = path.split(".");
  const name = names.pop() ?? "";
  const columns = changeColumns(table.schema.columns, names, context.table, (siblings) => {
    const column = requireColumn(siblings, name, path, context.table);
    const others = siblings.filter((other) => other !== column);
    const changed2 = change(column, others);
    if (changed2 === void 0) return others;
    return replaced(siblings, column, changed2);
  });
  return withSchema(table, assembleSchema(columns, table.schema.slotCount), context.checkTime);
}
function replaceColumns(table, definitions, dropValues, context) {
  const { columns } = compileSchema(definitions, context.profile, "/columns");
  const version = withColumns(table, columns, context, "/columns");
  if (dropValues !== true) requireValuesKept(table, version.schema, context, "/columns");
  const [before, after] = [table, version].map(({ schema }) => describeSchema(schema));
  return { version, operations: compareColumns(context.table, before, after) };
}
function withColumns(table, definitions, context, at, isAlteration = false) {
  const before = table.schema;
  let { slotCount } = before;
  const columns = mapLeaves(definitions, (column) => {
    const former = findColumn(before, column.path);
    return { ...column, slot: former?.type === column.type ? former.slot : slotCount++ };
  });
  const schema = requireFewColumns(assembleSchema(columns, slotCount), at);
  const isOther = slotCount > before.slotCount || schema.leaves.length !== before.leaves.length;
  if (isAlteration && isOther) {
    refuse("invalid_schema", "an alteration keeps the types of columns", { path: at, rule: "K-5" });
  }
  const filled = readDefaults(table, schema, context, at);
  requireAltered(table, schema, filled, context, at);
  return fill(withSchema(table, schema, context.checkTime), filled, context, at);
}
function retargetLinks(table, from, to) {
  if (!table.schema.constraints.links.some(({ target }) => target === from)) return table;
  const columns = mapLeaves(
    table.schema.columns,
    (column) => column.target === from ? { ...column, target: to, definition: { ...column.definition, link: { table: to } } } : column
  );
  const schema = assembleSchema(columns, table.schema.slotCount);
  return new TableVersion({ ...table, schema, owner: void 0 });
}
function withSchema(table, schema, checkTime) {
  const slots = new Set(schema.leaves.map(({ slot }) => slot));
  const dropped = table.schema.leaves.filter(({ slot }) => !slots.has(slot));
  const chunks = dropped.length === 0 ? table.chunks : table.chunks.map((chunk) => without(chunk, dropped));
  const dictionaries = new Map([...table.dictionaries].filter(([slot]) => slots.has(slot)));
  const uniques = /* @__PURE__ */ new Map();
  const history = table.history.copyAt(table.position);
  const parts = { ...table, schema, chunks, dictionaries, uniques, history, owner: void 0 };
  const next = new TableVersion(parts);
  for (const { slot, type, unique } of schema.leaves) {
    if (isCoded(type) && !dictionaries.has(slot)) dictionaries.set(slot, new Dictionary());
    if (!unique) continue;
    const existing = table.uniques.get(slot);
    uniques.set(
      slot,
      existing ?? buildUniqueIndex(next, slot, table.size, rowsOf(next, checkTime))
    );
  }
  return next;
}
function* rowsOf({ chunks }, checkTime) {
  const check = checkEvery(checkTime);
  for (const ordinal of ordinalsOf(chunks)) {
    check();
    yield ordinal;
  }
}
function without(chunk, columns) {
  const copy = copyChunk(chunk, void 0);
  for (const { slot } of columns) copy.vectors[slot] = void 0;
  return copy;
}
function readDefaults(version, schema, { table, profile, now, findBreach: findBreach2 }, at) {
  const slots = new Set(version.schema.leaves.map(({ slot }) => slot));
  const added = schema.leaves.filter(({ slot }) => !slots.has(slot));
  const defaults = new Array(schema.slotCount);
  const [column] = added;
  if (column === void 0) return defaults;
  const reader = new RecordReader({ table, schema, profile });
  const parsed = reader.read({}, at, false);
  try {
    reader.fillDefaults(parsed, now, at);
  } catch (error) {
    if (findBreach2(version, { breaks: "null", column, slots: [] }) !== void 0) throw error;
  }
  for (const { slot } of added) defaults[slot] = parsed.values[slot] ?? void 0;
  return defaults;
}
function fill(table, defaults, context, at) {
  const { schema, size } = table;
  const filled = schema.leaves.filter(({ slot }) => defaults[slot] !== void 0);
  if (size === 0 || filled.length === 0) return table;
  const transient = new TableTransient(table);
  const { unbounded, shortBytes } = schema.constraints;
  const mayBeLarge = shortBytes > context.recordBytes || filled.some((column) => unbounded.includes(column));
  for (const ordinal of rowsOf(table, context.checkTime)) {
    const storedAt = (slot) => table.get(ordinal, slot);
    if (mayBeLarge) requireRecordSize(context, schema, defaults, storedAt, at);
    for (const column of filled)
      transient.set(ordinal, column, requireValue(defaults[column.slot]));
  }
  return transient.persist();
}

// src/catalog/tables.ts
function checkNewTable(state, address) {
  const { table: name } = address;
  checkName("table", name);
  const { tables } = findBranch(state, address);
  requireFreeTable(findInAnyCase(tables.keys(), name), address, { name, rule: "M-1" });
}
function renameTable(state, address, name, context) {
  const { table: from } = address;
  findTable2(state, address);
  const { tables } = findBranch(state, address);
  checkName("table", name, "/name");
  const others = Array.from(tables.keys()).filter((other) => other !== from || other === name);
  requireFreeTable(findInAnyCase(others, name), address, { name, rule: "M-3", path: "/name" });
  const events = [
    { kind: "renamed", entity: "table", at: tableNames(address), to: name }
  ];
  for (const [table, key] of tables) {
    const before = context.tableAt(key);
    const version = retargetLinks(before, from, name);
    if (version === before) continue;
    const at = tableNames(tableAt(address, table === from ? name : table));
    events.push({ kind: "table_altered", at, key, before, version });
  }
  const operation = { renameTable: { oldName: from, newName: name } };
  return [...events, ...addMigration(state, address, context.now(), [operation])];
}
function removeTable(state, address, context) {
  findTable2(state, address);
  return [
    deleted("table", ...tableNames(address)),
    ...addMigration(state, address, context.now(), [{ removeTable: { table: address.table } }])
  ];
}
function addMigration(state, address, createdAt, operations) {
  if (operations.length === 0) return [];
  const { length: index } = findBranch(state, address).history;
  const migrations = [{ createdAt, operations }];
  return [{ kind: "history", at: branchNames(address), index, migrations }];
}
function listTables(state, address) {
  return Array.from(findBranch(state, address).tables.keys(), (name) => ({ name }));
}
function findInAnyCase(tables, name) {
  const folded = name.toLowerCase();
  for (const other of tables) if (other.toLowerCase() === folded) return other;
  return void 0;
}
function requireFreeTable(other, { database, branch }, { name, rule, path }) {
  if (other === void 0) return;
  const hint = other === name ? "" : `: names of tables differ in more than case`;
  refuse("table_exists", `table [${database}:${branch}/${other}] already exists${hint}`, {
    rule: other === name ? rule : "N-6",
    path
  });
}

// src/value/heap.ts
function pushOnHeap(heap, item, compare) {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parent = at - 1 >> 1;
    if (compare(heap[parent], item) >= 0) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = item;
}
function siftDown(heap, from, item, compare) {
  let at = from;
  for (; ; ) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compare(heap[child + 1], heap[child]) > 0) child++;
    if (compare(heap[child], item) <= 0) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}
function firstOf(members, most, compare) {
  const heap = [];
  for (const member of members) {
    if (heap.length < most) {
      heap.push(member);
      if (heap.length < most) continue;
      for (let at = most >>> 1; at >= 0; at--) siftDown(heap, at, heap[at], compare);
    } else if (compare(member, heap[0]) < 0) siftDown(heap, 0, member, compare);
  }
  return heap.sort(compare);
}

// src/query/bound/bound-query.ts
function refTo(column, hops, path) {
  const { slot, type, dimension } = column;
  return { hops, slot, type, path, dimension, keys: void 0 };
}
function plainRef(type, path, slot, hops = [], keys = void 0) {
  return { hops, slot, type, path, dimension: void 0, keys };
}
function linksTo(link, ids) {
  const test = { kind: "among", values: ids };
  const column = refTo(link, [], link.path);
  return { kind: "leaf", column, test, negated: false, nullMatches: false };
}
function refBelow({ hops, path }, column) {
  const below2 = `${path}.${column.name}`;
  if (column.type !== "object") return refTo(column, hops, below2);
  return { type: "object", path: below2, columns: column.columns, hops };
}
function isInternal({ type, slot }) {
  return type === "id" || slot <= UPDATED_AT_SLOT;
}
function isOfLink({ hops, type, slot }) {
  return hops.length > 0 || type === "link" || type === "id" && slot !== ID_SLOT;
}
function isJsonPath(ref) {
  return ref.type === "json" && ref.keys !== void 0;
}
var TRUE = { kind: "constant", value: true };
var FALSE = { kind: "constant", value: false };
function combine(kind, parts) {
  const neutral = kind === "all";
  const rest = [];
  for (const part of parts) {
    if (part.kind === kind) for (const inner of part.parts) rest.push(inner);
    else if (part.kind !== "constant") rest.push(part);
    else if (part.value !== neutral) return part;
  }
  if (rest.length === 0) return neutral ? TRUE : FALSE;
  return rest.length === 1 ? rest[0] : { kind, parts: rest };
}
var BY_ID = { keys: [], seed: void 0 };
var BEGINNING = { keys: void 0, side: -1 };
var WHOLE_RANGE = { after: void 0, before: void 0 };
var NOTHING = { columns: /* @__PURE__ */ new Map(), reverse: [], isWhole: false };

// src/value/find-text.ts
var MAX_PLAIN_LENGTH = 64;
var CHECKED_UNITS = 1 << 20;
function createSearch(text, checkTime) {
  return text.length <= MAX_PLAIN_LENGTH ? (haystack, from) => haystack.indexOf(text, from) : createLongSearch(text, checkTime);
}
function createLongSearch(text, checkTime) {
  const { length } = text;
  return (haystack, from) => {
    if (haystack.length - from < length) return -1;
    const borders = new Int32Array(length);
    for (let at = 1, border = 0; at < length; at++) {
      if (at % CHECKED_UNITS === 0) checkTime?.();
      const unit = text.charCodeAt(at);
      while (border > 0 && text.charCodeAt(border) !== unit) border = borders[border - 1];
      if (text.charCodeAt(border) === unit) border++;
      borders[at] = border;
    }
    let matched = 0;
    for (let at = from; at < haystack.length; at++) {
      const unit = haystack.charCodeAt(at);
      while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borders[matched - 1];
      if (text.charCodeAt(matched) === unit) matched++;
      if (matched === length) return at - length + 1;
      if ((at + 1) % CHECKED_UNITS === 0) checkTime?.();
    }
    return -1;
  };
}

// src/value/memory.ts
function memoize(memory, bytes, make) {
  let made;
  return reserve(memory, bytes) ? () => made ??= make() : make;
}
function reserve(memory, bytes) {
  if (bytes > memory.left) return false;
  memory.left -= bytes;
  return true;
}

// src/value/pattern.ts
var ANY = -1;
var MAX_PIECE = 32;
var BITMAP_BYTES = 128;
var CHECKED_WORDS = 1 << 22;
function endsInEscape(pattern) {
  let end = pattern.length;
  while (pattern[end - 1] === "\\") end--;
  return (pattern.length - end) % 2 === 1;
}
function compilePattern(pattern, memory, checkTime) {
  const sequence = [];
  let piece = "";
  let last = "";
  const starred = [];
  let nextCheck = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (at >= nextCheck) {
      checkTime?.();
      nextCheck += CHECKED_UNITS;
    }
    const char = pattern[at];
    if (char === "*") starred.push(sequence.length);
    else if (char === "?") sequence.push(ANY);
    if (char === "*" || char === "?") last = "";
    else {
      if (char === "\\") at++;
      const codePoint = pattern.codePointAt(at);
      if (codePoint > 65535) at++;
      sequence.push(codePoint);
      if (last.length < MAX_PIECE) last += String.fromCodePoint(codePoint);
      if (last.length > piece.length) piece = last;
    }
  }
  const stars = new Int32Array((sequence.length >>> 5) + 1);
  for (const bit of starred) setBit(stars, bit);
  return {
    sequence,
    stars,
    piece,
    places: [],
    memory,
    wellFormed: pattern.isWellFormed()
  };
}
function matchPattern(pattern, text, checkTime) {
  const { sequence, stars, piece, wellFormed } = pattern;
  if (text.length < sequence.length || !wellFormed || !text.includes(piece)) return false;
  const state = new Int32Array(stars.length);
  state[0] = 1;
  let used = 1;
  let work = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at);
    if (codePoint > 65535) at++;
    const places = pattern.places[codePoint] ?? findPlaces(pattern, codePoint, checkTime);
    let carry = 0;
    for (let word = 0; word < used; word++) {
      const matched = state[word] & places[word];
      state[word] = matched << 1 | carry | state[word] & stars[word];
      carry = matched >>> 31;
    }
    if (carry !== 0 && used < state.length) state[used++] = carry;
    while (used > 0 && state[used - 1] === 0) used--;
    if (used === 0) return false;
    work += used;
    if (work > CHECKED_WORDS) {
      checkTime?.();
      work = 0;
    }
  }
  return hasBit(state, sequence.length);
}
function findPlaces(pattern, codePoint, checkTime) {
  const { sequence, stars, places, memory } = pattern;
  checkTime?.();
  const bits = new Int32Array(stars.length);
  for (let bit = 0; bit < sequence.length; bit++) {
    if (sequence[bit] === codePoint || sequence[bit] === ANY) setBit(bits, bit);
  }
  const bytes = bits.byteLength + BITMAP_BYTES;
  if (!reserve(memory, bytes)) {
    memory.left += Object.keys(places).length * bytes;
    places.length = 0;
    if (!reserve(memory, bytes)) return bits;
  }
  places[codePoint] = bits;
  return bits;
}
function setBit(bits, bit) {
  bits[bit >>> 5] |= 1 << (bit & 31);
}
function hasBit(bits, bit) {
  return (bits[bit >>> 5] >>> (bit & 31) & 1) === 1;
}

// src/query/bind/condition.ts
function coerceLiteral(ref, profile, literal, at) {
  if (ref.type === "object") return refuseLiteral(ref, "object", literal, at, "F-8");
  const value = literal instanceof Date ? formatDate(literal) : literal;
  const { type, dimension } = ref;
  const { stored } = TRAITS[type];
  if (type === "id" || type === "item" || stored === "text") {
    return isText(value) ? value : refuseLiteral(ref, `${type} (a string)`, value, at);
  }
  if (stored === "list" && isText(value)) return value;
  const column = { type, dimension };
  const coerced = isJsonPath(ref) ? coercePlain(column, value) : coerceValue(column, value, profile);
  if (coerced !== void 0) return coerced;
  return refuseLiteral(ref, expectationOf(column).expected, value, at);
}
function coerceBound(ref, profile, operand, at) {
  if (!isJsonPath(ref)) return coerceLiteral(ref, profile, operand, at);
  if (typeof operand === "number" && Number.isFinite(operand)) return operand + 0;
  const takesText = profile.textRanges;
  if (takesText && isText(operand)) return operand;
  const expected = takesText ? "a number or a string" : "a number";
  refuseFilter(
    `column [${ref.path}]: expected ${expected}, found ${describe(operand)}`,
    at,
    "F-12"
  );
}
function textTest(ref, name, operand, at) {
  if (!isText(operand)) return refuseLiteral(ref, "a string", operand, at, "F-10");
  const operator = name.slice(1);
  const isPattern = operator === "pattern" || operator === "iPattern";
  if (isPattern && endsInEscape(operand)) {
    refuseFilter(`column [${ref.path}]: the pattern ends with a lone backslash`, at, "F-11");
  }
  return { kind: "text", operator, operand };
}
function equals(ref, profile, value, at) {
  if (ref.type === "object") {
    const part = equalsWithin(ref, profile, value, at);
    return { kind: "where", known: isNull2(ref, false), part };
  }
  const literal = coerceLiteral(ref, profile, value, at);
  return literal === null ? isNull2(ref) : equalsAny(ref, [literal]);
}
function equalsWithin(ref, profile, value, at) {
  if (value === null) return isNull2(ref);
  if (ref.type !== "object") {
    requireComparable(ref, "$is", at);
    const test = { kind: "equals", value: coerceLiteral(ref, profile, value, at) };
    return { kind: "test", column: ref, test, ofNull: false };
  }
  if (!isPlainObject(value)) return refuseLiteral(ref, "object", value, at, "F-8");
  requireColumns(ref, value, at);
  const parts = ref.columns.map(
    (column) => equalsWithin(
      refBelow(ref, column),
      profile,
      value[column.name] ?? null,
      below(at, column.name)
    )
  );
  return { kind: "all", parts };
}
function requireColumns(ref, value, at) {
  const names = new Set(ref.columns.map(({ name }) => name));
  for (const [key, member] of Object.entries(value)) {
    if (names.has(key) || member === void 0) continue;
    const column = `${ref.path}.${key}`;
    refuse("unknown_column", `column [${column}] does not exist`, {
      path: below(at, key),
      rule: "F-16",
      reason: { kind: "unknown_column", clause: "filter", column }
    });
  }
}
function isNull2(ref, expected = true) {
  if (ref.type !== "object") return { kind: "null", column: ref, isNull: expected };
  const parts = ref.columns.map((column) => isNull2(refBelow(ref, column), expected));
  return { kind: expected ? "all" : "any", parts };
}
function equalsAny(column, values) {
  const test = values.length === 1 ? { kind: "equals", value: values[0] } : { kind: "among", values };
  if (column.type !== "multiple" || isArray(values[0])) return testOf(column, test);
  return testOf(column, { kind: "items", quantifier: "some", item: testOf(itemOf(column), test) });
}
function itemOf({ type, path }) {
  return type === "multiple" ? plainRef("item", path, -1) : plainRef("json", path, -1, [], []);
}
function testOf(column, test) {
  const ofNull = test.kind === "items" ? test.quantifier === "every" : void 0;
  return { kind: "test", column, test, ofNull };
}
function requireComparable(ref, operator, at) {
  if (TRAITS[ref.type].operators === "none") refuseForType(ref, operator, "F-18", at);
}
function refuseForType(ref, operator, rule, at) {
  refuseFilter(`column [${ref.path}]: ${operator} cannot be used with type ${ref.type}`, at, rule);
}
function refuseLiteral(ref, expected, value, at, rule = "F-16") {
  const message = `column [${ref.path}]: expected ${expected}, found ${describe(value)}`;
  const type = ref.type === "id" || ref.type === "item" ? "string" : ref.type;
  refuseFilter(message, at, rule, {
    kind: "type_mismatch",
    column: ref.path,
    expected: type
  });
}
function refuseFilter(message, at, rule, reason2) {
  refuse("invalid_filter", message, { path: at, rule, reason: reason2 });
}
function refuseNull({ path }, at) {
  refuseFilter(`column [${path}]: only $is and $isNot take null`, at, "F-15");
}
function refuseOperator(name, base, ref, at) {
  const hint = suggestOperator(name, base, ref !== void 0);
  refuseFilter(`${describe(name)} is not an operator${hint}`, at, "F-1");
}
function requireReach(ref, at) {
  const kind = ref.hops.length > 0 ? "through a link" : isJsonPath(ref) ? "into json" : void 0;
  if (kind === void 0) return;
  refuseFilter(`column [${ref.path}]: a search or aggregation takes no path ${kind}`, at, "Q-7");
}
function requireNoListIn(ref, at) {
  if (ref.type !== "object") return;
  for (const leaf of ref.columns.flatMap(leavesOf)) requireNoList(leaf, at);
}
function requireNoList({ type, path }, at) {
  if (type !== "multiple") return;
  const expected = "of a list, a search or aggregation takes only $exists and $notExists";
  refuseFilter(`column [${path}]: ${expected}`, at, "Q-7");
}
function normalize(condition, nulls2, negated = false) {
  switch (condition.kind) {
    case "constant":
      return condition.value === negated ? FALSE : TRUE;
    case "null":
      return negated ? { ...condition, isNull: !condition.isNull } : condition;
    case "not":
      return normalize(condition.part, nulls2, !negated);
    case "where": {
      const { known, part } = condition;
      if (!negated || nulls2 === "complement") return normalize(part, nulls2, negated);
      return normalize({ kind: "all", parts: [known, { kind: "not", part }] }, nulls2);
    }
    case "test": {
      const { column, ofNull } = condition;
      const test = condition.test.kind === "items" ? { ...condition.test, item: normalize(condition.test.item, nulls2) } : condition.test;
      const nullMatches = ofNull === void 0 ? negated && nulls2 === "complement" : ofNull !== negated;
      return { kind: "leaf", column, test, negated, nullMatches };
    }
    case "all":
    case "any": {
      const parts = [];
      for (const part of condition.parts) parts.push(normalize(part, nulls2, negated));
      return combine(condition.kind === "all" === negated ? "any" : "all", parts);
    }
  }
}

// src/query/bind/scope.ts
function tableScope(run, table = run.table, clause, resolved) {
  return {
    run,
    table,
    hops: [],
    path: "",
    tablePath: "",
    columns: void 0,
    clause,
    resolved
  };
}
function resolvePath(scope, path, at) {
  scope.run.checkTime?.();
  const arrow = path.indexOf("->");
  const names = arrow < 0 ? path : path.slice(0, arrow);
  const keys = arrow < 0 ? void 0 : path.slice(arrow + 2).split("->");
  let resolved;
  let inner = scope;
  let from = 0;
  do {
    const dot = names.indexOf(".", from);
    const name = names.slice(from, dot < 0 ? names.length : dot);
    const step4 = inner && resolveName(inner, name, at);
    if (step4 === void 0) refuseUnknown(scope, inner, path, name, at);
    resolved = step4;
    inner = step4.inner;
    from = dot + 1;
  } while (from > 0);
  if (keys !== void 0) {
    if (resolved.ref.type !== "json") refuseUnknown(scope, void 0, path, path, at);
    resolved = { ref: { ...resolved.ref, path: joinPath(scope, path), keys }, inner: void 0 };
  }
  scope.resolved?.push(resolved.ref);
  return resolved;
}
function refuseUnknown(scope, inner, path, name, at) {
  const hint = inner === void 0 ? describeMissingTable(scope, path) : suggestName(inner, name);
  const shown = joinPath(scope, shorten(path, 100));
  refuse("unknown_column", `column [${shown}] does not exist${hint}`, {
    path: at,
    rule: "P-9",
    reason: reasonOf(scope, inner, path)
  });
}
function reasonOf(scope, inner, path) {
  const { clause } = scope;
  if (clause === void 0) return void 0;
  const column = joinPath(scope, path);
  const table = clause === "columns" ? inner?.hops.at(-1)?.target.name : void 0;
  if (inner === void 0 || table === void 0) return { kind: "unknown_column", clause, column };
  return {
    kind: "unknown_column",
    clause,
    table,
    column: column.slice(inner.tablePath.length + 1)
  };
}
function describeMissingTable(scope, path) {
  let inner = scope;
  for (const name of path.split(".").slice(0, -1)) {
    const column = (inner.columns ?? inner.table.schema.columnsByName).get(name);
    if (column === void 0) break;
    const at = joinPath(inner, name);
    inner = resolveColumn(inner, column).inner;
    if (inner !== void 0) continue;
    return column.type === "link" ? `: ${at} links to the table [${column.target}], not found` : "";
  }
  return "";
}
function resolveName(scope, name, at) {
  requireLinkLimit(scope, at);
  if (scope.files !== void 0) return resolveMember(scope, scope.files, name);
  if (scope.columns === void 0) {
    const names = recordNames(scope.run.profile);
    if (name === names[0]) return { ref: idRef(scope, name), inner: void 0 };
    if (names.includes(name)) return resolveColumn(scope, metadataColumn(name, names));
  }
  const column = (scope.columns ?? scope.table.schema.columnsByName).get(name);
  return column === void 0 ? void 0 : resolveColumn(scope, column);
}
function resolveColumn(scope, column) {
  const path = joinPath(scope, column.name);
  if (column.type === "object") {
    return {
      ref: { type: "object", path, columns: column.columns, hops: scope.hops },
      inner: { ...scope, path, columns: column.columnsByName }
    };
  }
  const ref = refTo(column, scope.hops, path);
  if (isFileType(column.type)) return { ref, inner: { ...scope, path, files: ref } };
  return { ref, inner: column.type === "link" ? linkScope(scope, column, path) : void 0 };
}
function resolveMember(scope, files, name) {
  if (!Object.hasOwn(FILE_MEMBERS2, name)) return void 0;
  const compared = files.type === "file" ? COMPARED_MEMBERS[name] : void 0;
  const hasKeys = compared !== void 0 || files.type === "file" && name === "id";
  const type = compared ?? files.type;
  const keys = hasKeys ? [name] : void 0;
  return { ref: { ...files, type, path: joinPath(scope, name), keys }, inner: void 0 };
}
function idRef(scope, name) {
  const slot = scope.hops.at(-1)?.slot ?? ID_SLOT;
  return plainRef("id", joinPath(scope, name), slot, scope.hops.slice(0, -1));
}
function linkScope(scope, column, path) {
  const linked = findLinked(scope.run, column);
  return linked && {
    ...tableScope(scope.run, linked, scope.clause, scope.resolved),
    hops: [...scope.hops, hopTo(column, linked)],
    path,
    tablePath: path
  };
}
function findLinked(run, column) {
  return run.findTable(column.target ?? "");
}
function hopTo({ name, slot, target = "" }, { identity }) {
  return { name, slot, target: { name: target, identity } };
}
function requireLinkLimit({ run, hops, path }, at) {
  const { pathLinks } = run.limits;
  if (hops.length <= pathLinks) return;
  refuse("invalid_request", `column [${path}]: a path follows at most ${pathLinks} links`, {
    path: at,
    rule: "L-5"
  });
}
function metadataColumn(name, names) {
  const leaf = (path, index) => plainLeaf(index === 0 ? "int" : "datetime", path, VERSION_SLOT + index);
  if (names.length > 2) return leaf(name, names.indexOf(name) - 1);
  return plainObject(
    name,
    METADATA_KEYS.map((member, index) => leaf(`${name}.${member}`, index))
  );
}
function namesIn(scope) {
  if (scope.files !== void 0) return Object.keys(FILE_MEMBERS2);
  if (scope.columns !== void 0) return scope.columns.keys();
  return [...recordNames(scope.run.profile), ...scope.table.schema.columnsByName.keys()];
}
function suggestName(scope, name) {
  const near = findNearest(name, namesIn(scope));
  if (near !== void 0) return suggest(name, [], joinPath(scope, near));
  return scope.path === "" ? listFew(scope.table.schema.columnsByName) : "";
}
function joinPath(scope, name) {
  return scope.path === "" ? name : `${scope.path}.${name}`;
}

// src/query/bind/filter.ts
function bindFilter(scope, filter, at, isLimited = false) {
  if (filter === void 0) return TRUE;
  const shared = { run: scope.run, isLimited, predicates: 0 };
  const inner = { ...scope, clause: "filter" };
  const condition = parse({ shared, at, level: 1, ref: void 0, inner }, filter, "alone");
  return normalize(condition, scope.run.profile.nullComparison);
}
function bindStoreFilter(scope, filter, at) {
  return bindFilter(scope, filter, at, scope.run.profile.searchStore === "limited");
}
function parse(subject, value, position) {
  const { ref, at, shared } = subject;
  const list = isArray(value) ? value : void 0;
  const object = position !== "literal" && isPlainObject(value) ? value : void 0;
  const isOperand = position === "any" || position === "all";
  const combine2 = position === "any" ? "any" : "all";
  if (ref === void 0) {
    if (object !== void 0) return parseKeys(subject, combine2, object);
    if (!isOperand) refuseFilter(`expected a filter object, found ${describe(value)}`, at, "F-1");
    if (list !== void 0) {
      const parseMember = (member, index) => parse(step3(subject, index), member, "alone");
      return join(combine2, Array.from(list, parseMember));
    }
    const expected = "a filter object or an array of them";
    return refuseFilter(`expected ${expected}, found ${describe(value)}`, at, "F-2");
  }
  if (list !== void 0 && (isOperand || position === "item")) {
    return parseMembers(subject, list, position === "all" ? "each" : "member");
  }
  requireLevel(subject);
  const keyed = object && subjectOfKeys(subject, object, position);
  if (object !== void 0 && keyed !== void 0) return parseKeys(keyed, combine2, object);
  if (position !== "member" && position !== "literal") countPredicate(subject);
  if (value === null) {
    if (position === "all" || position === "each") refuseNull(ref, at);
    return isNull2(ref);
  }
  requireTest(subject, ref, "$is");
  if (shared.isLimited) requireNoListIn(ref, at);
  if (list !== void 0 && ref.type !== "multiple" && ref.type !== "json") {
    return parseMembers(deeper(subject), list, position === "literal" ? position : "member");
  }
  return equals(ref, shared.run.profile, value, at);
}
function parseKeys(subject, combine2, object) {
  requireLevel(subject);
  const parts = [];
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === void 0) continue;
    parts.push(
      subject.ref === void 0 && !isOperator(key) ? parsePath(step3(subject, key), key, value) : parseOperator(step3(subject, key), key, value)
    );
  }
  if (parts.length === 0 && subject.level > 1) {
    const reason2 = { kind: "empty_filter", key: innermostKey(subject.at) };
    refuseFilter("expected a condition, found an empty object", subject.at, "F-2", reason2);
  }
  return join(combine2, parts);
}
function innermostKey(at) {
  if (typeof at === "string") return at;
  return typeof at.key === "string" ? at.key : innermostKey(at.above);
}
function parsePath({ shared, at, level, inner: scope }, path, value) {
  const { ref, inner } = resolvePath(scope, path, at);
  if (shared.isLimited) requireReach(ref, at);
  if (ref.type === "link" && inner === void 0) {
    const [name = "$"] = isPlainObject(value) ? Object.keys(value) : [];
    if (!isOperator(name)) resolvePath(scope, `${path}.${name}`, below(at, name));
  }
  const names = isFileType(ref.type) ? void 0 : inner;
  return parse({ shared, at, level: level + 1, ref, inner: names }, value, "alone");
}
function subjectOfKeys(subject, object, position) {
  const { shared, at, level, ref, inner } = subject;
  const keys = Object.keys(object);
  const operators = keys.filter(isOperator).length;
  const isMember = position !== "alone" && position !== "item";
  const isEmpty2 = isMember && keys.length === 0 && inner === void 0 && ref.type !== "json";
  if (isEmpty2 || operators > 0 && operators === keys.length) return subject;
  if (operators > 0 && !(isMember && inner !== void 0)) {
    const fault = "operators and names cannot be mixed in one object";
    refuseFilter(`column [${ref.path}]: ${fault}`, at, "F-7");
  }
  return inner && { shared, at, level, ref: void 0, inner };
}
function parseOperator(subject, name, operand) {
  const { ref, inner, at } = subject;
  const { base } = subject.shared.run.profile;
  const operator = findOperator(name, base);
  if (operator?.operand === "conditions") {
    if (ref !== void 0) requireTest(subject, ref, name);
    return negateIf(operator, parse(deeper(subject), operand, operator.combine));
  }
  if (operator?.operand === "paths" && inner !== void 0) {
    return parseExistence(subject, inner, operator, operand);
  }
  if (operator === void 0 || operator.operand === "paths" || ref === void 0) {
    return refuseOperator(name, base, ref, at);
  }
  if (operator.operand === "literal") {
    requireTest(subject, ref, name);
    countPredicate(subject);
    return negateIf(operator, parse(subject, operand, "literal"));
  }
  countPredicate(subject);
  if (operand === null && ref.type !== "object") refuseNull(subject.ref, subject.at);
  const { profile } = subject.shared.run;
  if (ref.type === "object" || !(isJsonPath(ref) || hasOperator(ref.type, operator, profile))) {
    return refuseForType(ref, name, operator.columns === "range" ? "F-12" : "F-18", at);
  }
  requireTest(subject, ref, name);
  switch (operator.operand) {
    case "items": {
      const { quantifier } = operator;
      const subjectOfItem = { ...deeper(subject), ref: itemOf(ref), inner: void 0 };
      const item = parse(subjectOfItem, operand, "item");
      return negateIf(operator, testOf(ref, { kind: "items", quantifier, item }));
    }
    case "bound": {
      const { isLow, inclusive } = operator;
      const bound = { value: coerceBound(ref, profile, operand, at), inclusive };
      const [low, high] = isLow ? [bound] : [void 0, bound];
      return testOf(ref, { kind: "range", low, high });
    }
    default:
      return testOf(ref, textTest(ref, name, operand, at));
  }
}
function parseMembers(subject, members, position) {
  const { ref, at, shared } = subject;
  const { profile, limits } = shared.run;
  if (members.length > limits.filterListMembers) {
    refuseLimit(`a list in a filter has at most ${limits.filterListMembers} members`, at);
  }
  const parts = [];
  const scalars = [];
  const lists = [];
  let hasNull = false;
  for (let index = 0; index < members.length; index++) {
    const member = members[index];
    if (position !== "each" && isPlainValue2(ref, member, position)) {
      const value = member === null ? null : coerceLiteral(ref, profile, member, below(at, index));
      if (value === null) hasNull = true;
      else (isArray(value) ? lists : scalars).push(value);
    } else {
      parts.push(parse(step3(subject, index), member, position));
    }
  }
  if (hasNull) parts.push(isNull2(ref));
  for (const values of [scalars, lists]) {
    if (values.length > 0) parts.push(equalsAny(ref, values));
  }
  return join(position === "each" ? "all" : "any", parts);
}
function isPlainValue2({ type }, value, position) {
  if (typeof value !== "object" || value === null || value instanceof Date) return true;
  if (isArray(value)) return type === "json" || type === "multiple";
  if (type === "json") return !Object.keys(value).some(isOperator);
  return type === "link" && position === "literal";
}
function parseExistence({ shared, at }, scope, { negated = false }, operand) {
  const isList = isArray(operand);
  const parts = Array.from(isList ? operand : [operand], (path, index) => {
    const here = isList ? below(at, index) : at;
    if (typeof path !== "string") {
      return refuseFilter(`expected a column path, found ${describe(path)}`, here, "F-4");
    }
    const { ref } = resolvePath(scope, path, here);
    if (shared.isLimited) requireReach(ref, here);
    countPredicate({ shared, at: here, ref });
    return isNull2(ref, negated);
  });
  return { kind: "all", parts };
}
function requireTest({ shared, at }, ref, operator) {
  requireComparable(ref, operator, at);
  if (shared.isLimited) requireNoList(ref, at);
}
function isOperator(key) {
  return key.startsWith("$");
}
function negateIf({ negated }, part) {
  return negated ? { kind: "not", part } : part;
}
function join(kind, parts) {
  return parts.length === 1 ? parts[0] : { kind, parts };
}
function step3({ shared, at, level, ref, inner }, key) {
  return { shared, at: below(at, key), level, ref, inner };
}
function deeper({ shared, at, level, ref, inner }) {
  return { shared, at, level: level + 1, ref, inner };
}
function countPredicate({ ref, at, shared }) {
  const { filterPredicates: most } = shared.run.limits;
  shared.predicates += ref.type === "object" ? Math.max(1, ref.columns.flatMap(leavesOf).length) : 1;
  if (shared.predicates > most) refuseLimit(`a filter has at most ${most} predicates`, at);
}
function requireLevel({ shared, at, level }) {
  const { filterLevels: most } = shared.run.limits;
  if (level > most) refuseLimit(`a filter has at most ${most} levels`, at);
}
function refuseLimit(message, at) {
  refuse("invalid_request", message, { path: at, rule: "L-3" });
}

// src/query/thresholds.ts
var MAX_DERIVED_BYTES = 64 * 1024 * 1024;
var SPARSE_ROWS = 16;
var MIN_SEARCHED_ROWS = 1024;
var SAMPLE_CHUNKS = 2;
var USES_OF_FULL = 1;
var USES_OF_FILLING = 8;
var MAX_ITEM_POSTINGS = 128;
var MAX_CODE_POSTINGS = 16;
var MIN_JOINED_ROWS = 384;
var MAX_JOINED_CHARACTERS = 1 << 24;
var COMPARED_ROWS = 32;
var SORTED_PAGES = 4;
var TREND_STEPS = 8;
var MIN_TREND = 6;
var TEXT_KEY_ROUNDS = 8;
var WALK_BUDGET = 4096;
var WALK_SHARE = 1 / 32;
var FIRST_SPAN = 256;
var SPAN_GROWTH = 4;
var SCAN_ROWS = 256;
var ESTIMATE_ROWS = 1024;
var MAX_LINKED_SHARE = 1 / 8;
var MAX_LINK_TARGETS = 4096;
var SORTED_PAGE = 1 / 32;
var FILTERED_PAGE = 1 / 512;
var LINKED_PAGE = 1 / 128;
var MIN_SORTED_SHARE = 4;
var MIN_INDEXED_ROWS = 4096;
var MIN_SLICE_ROWS = 40960;
var SLICE_SHARE = 1 / 32;
var BUCKET_ROWS = 4096;
var SAMPLES_PER_BUCKET = 8;
var SORT_COST = 4;
var MAX_INDEX_BYTES_PER_ROW = 48;
var MIN_INDEX_BYTES = 1 << 20;
var MAX_DIRTY_ROWS = 2048;
var MAX_COUNTED_KEYS = 4096;

// src/query/filter/kernels.ts
function createBits({ chunks }) {
  return new Uint32Array(wordsFor(chunks.length > 1 ? CHUNK_ROWS : chunks[0]?.count ?? 0));
}
function wordsFor(count) {
  return count + 31 >>> 5;
}
function setRange(bits, from, to) {
  bits.fill(0);
  if (from >= to) return;
  const first = from >>> 5;
  const last = to - 1 >>> 5;
  bits.fill(4294967295, first, last + 1);
  bits[first] &= -1 << (from & 31);
  bits[last] &= -1 >>> 31 - (to - 1 & 31);
}
function setLiveRows(bits, { count, deleted: deleted2 }, from = 0, to = count) {
  setRange(bits, from, to);
  if (deleted2 !== void 0) subtract(bits, deleted2, wordsFor(count));
}
function hasBit2(bits, row) {
  return (bits[row >>> 5] & 1 << (row & 31)) !== 0;
}
function lowestBit(word) {
  return 31 - Math.clz32(word & -word);
}
function eachSetBit(bits, words, visit) {
  for (let word = 0; word < words; word++) {
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1) visit((word << 5) + lowestBit(rest));
  }
}
function listBits(bits, words, rows) {
  let found = 0;
  for (let word = 0; word < words; word++) {
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1) {
      rows[found++] = (word << 5) + lowestBit(rest);
    }
  }
}
function assign(bits, other, words) {
  for (let word = 0; word < words; word++) bits[word] = other[word];
}
function subtract(bits, other, words) {
  for (let word = 0; word < words; word++) bits[word] &= ~other[word];
}
function countBits(bits, words) {
  let total = 0;
  for (let word = 0; word < words; word++) total += countOnes(bits[word]);
  return total;
}
function isEmpty(bits, words) {
  for (let word = 0; word < words; word++) if (bits[word] !== 0) return false;
  return true;
}
function countOnes(bits) {
  let x = bits - (bits >>> 1 & 1431655765);
  x = (x & 858993459) + (x >>> 2 & 858993459);
  return Math.imul(x + (x >>> 4) & 252645135, 16843009) >>> 24;
}
function narrowToInterval(bits, words, values, { low, high, inside, nulls: nulls2 }) {
  const keep = inside ? 0 : -1;
  for (let word = 0; word < words; word++) {
    const candidates = bits[word];
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        const value = values[base + shift];
        set |= (Number(value >= low) & Number(value <= high)) << shift;
      }
    } else {
      const end = Math.min(32, values.length - base);
      for (let shift = 0; shift < end; shift++) {
        const value = values[base + shift];
        set |= (Number(value >= low) & Number(value <= high)) << shift;
      }
    }
    set = (set ^ keep) & candidates;
    if (nulls2 === inside) {
      for (let shift = 0; shift < 32; shift++) {
        if (Number.isNaN(values[base + shift])) set ^= candidates & 1 << shift;
      }
    }
    bits[word] = set;
  }
}
function narrowToCode(bits, words, codes, code) {
  if (countBits(bits, words) < MIN_SEARCHED_ROWS) return false;
  let left = words >>> 2;
  let row = codes.indexOf(code);
  for (let word = 0; word < words; word++) {
    let set = 0;
    for (; row >>> 5 === word; row = codes.indexOf(code, row + 1)) {
      if (left-- === 0) return false;
      set |= 1 << (row & 31);
    }
    bits[word] &= set;
  }
  return true;
}
function narrowByCode(bits, words, codes, answers) {
  for (let word = 0; word < words; word++) {
    const candidates = bits[word];
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        set |= answers[codes[base + shift]] << shift;
      }
      bits[word] = set;
    } else {
      const end = Math.min(32, codes.length - base);
      for (let shift = 0; shift < end; shift++) set |= answers[codes[base + shift]] << shift;
      bits[word] = set & candidates;
    }
  }
}
function narrowToText(bits, words, texts, { wanted, inside, nulls: nulls2 }) {
  for (let word = 0; word < words; word++) {
    let set = bits[word];
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      const text = texts[base + shift];
      if (text === null ? !nulls2 : text === wanted !== inside) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}
function narrowBy(bits, words, accept) {
  for (let word = 0; word < words; word++) {
    let set = bits[word];
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      if (!accept(base + shift)) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}
function narrowByItems(bits, words, { starts, lengths, items }, { answers, wanted, inside }) {
  for (let word = 0; word < words; word++) {
    let set = bits[word];
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      const row = base + shift;
      let found = false;
      for (let i = starts[row], last = i + lengths[row]; i < last; i++) {
        if (answers[items[i]] === wanted) {
          found = true;
          break;
        }
      }
      if (found !== inside) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}
function narrowToNull(vector, count, bits, isNull3) {
  const words = wordsFor(count);
  const keep = (isNullAt) => narrowBy(bits, words, (row) => isNullAt(row) === isNull3);
  switch (vector.kind) {
    case "number":
    case "instant": {
      const values = vector.kind === "number" ? vector.values : vector.ms;
      const none = { low: Infinity, high: -Infinity, inside: isNull3, nulls: isNull3 };
      narrowToInterval(bits, words, values, none);
      break;
    }
    case "bool":
      keep((row) => vector.bytes[row] === NULL_BYTE);
      break;
    case "code":
      keep((row) => vector.codes[row] === NULL_CODE);
      break;
    case "text":
      keep((row) => vector.texts[row] === null);
      break;
    case "list":
      keep((row) => vector.lengths[row] === NULL_LENGTH);
      break;
    case "value":
      keep((row) => vector.values[row] === null);
  }
}

// src/query/query-run.ts
function createDerived() {
  return { left: MAX_DERIVED_BYTES, paths: void 0 };
}
function createTableView(table, indexes = "never", checkTime) {
  return { table, findTable: () => void 0, indexes, checkTime, derived: createDerived() };
}
function viewAt(view, { name }) {
  return { ...view, table: view.findTable(name) };
}
function openPath(view, hops) {
  const [hop] = hops;
  if (hop === void 0) return void 0;
  const { table, derived } = view;
  derived.paths ??= /* @__PURE__ */ new Map();
  const paths = derived.paths.get(table) ?? /* @__PURE__ */ new Map();
  derived.paths.set(table, paths);
  const key = hops.map(({ slot }) => slot).join(".");
  const path = paths.get(key) ?? createPath(view, hop, hops.slice(1));
  paths.set(key, path);
  return path;
}
function createPath(view, { slot, target }, rest) {
  const { table } = view;
  const linked = viewAt(view, target);
  const further = openPath(linked, rest);
  const dictionary = table.dictionaries.get(slot);
  const size = dictionary?.size ?? 0;
  view.checkTime?.();
  const rows = reserve(view.derived, 4 * size) ? new Int32Array(size) : void 0;
  const rowOfCode = (code) => {
    if (code === NULL_CODE) return -1;
    const cached = rows?.[code] ?? 0;
    if (cached !== 0) return cached - 2;
    const next = linked.table.find(dictionary.values[code]);
    const row = further === void 0 || next < 0 ? next : further.rowOf(next);
    if (rows !== void 0) rows[code] = row + 2;
    return row;
  };
  const rowOf2 = (ordinal) => rowOfCode(table.codeAt(ordinal, slot));
  return { end: further?.end ?? linked, rowOf: rowOf2, rowOfCode };
}
function createRead(view, { hops, slot, keys }) {
  const path = openPath(view, hops);
  const { table } = path?.end ?? view;
  return (ordinal) => {
    const row = path === void 0 ? ordinal : path.rowOf(ordinal);
    const value = row < 0 ? null : table.get(row, slot);
    return keys === void 0 ? value : followKeys(value, keys);
  };
}
function followKeys(value, keys) {
  let at = value;
  for (const key of keys) {
    if (typeof at !== "object" || at === null) return null;
    if (Array.isArray(at))
      at = ARRAY_POSITION.test(key) ? at[Number(key)] : void 0;
    else at = Object.hasOwn(at, key) ? at[key] : void 0;
  }
  return at ?? null;
}
var ARRAY_POSITION = /^(?:0|[1-9][0-9]*)$/;

// src/value/lower-bound.ts
function lowerBound(low, high, holds) {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = from + to >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
function gallop(low, high, holds) {
  let from = low;
  let step4 = 1;
  while (from + step4 <= high && !holds(from + step4 - 1)) {
    from += step4;
    step4 *= 2;
  }
  return lowerBound(from, Math.min(from + step4 - 1, high), holds);
}

// src/query/filter/joined-text.ts
var SEPARATOR = "\0";
var BY_FREQUENCY = " eaionrtlsudhm";
var JoinedText = class {
  #text;
  #ends;
  constructor(texts) {
    this.#text = texts.join(SEPARATOR);
    this.#ends = new Uint32Array(texts.length);
    let end = -1;
    for (let row = 0; row < texts.length; row++) {
      end += 1 + (texts[row]?.length ?? 0);
      this.#ends[row] = end;
    }
  }
  narrow(bits, indexIn, inside) {
    const text = this.#text;
    const ends = this.#ends;
    const turn = inside ? 0 : -1;
    let word = 0;
    let found = 0;
    const finishWords = (end) => {
      for (; word < end; word++) {
        bits[word] &= found ^ turn;
        found = 0;
      }
    };
    let row = 0;
    for (let at = indexIn(text, 0); at >= 0; at = indexIn(text, ends[row] + 1)) {
      row = gallop(row, ends.length - 1, (each) => ends[each] >= at);
      finishWords(row >>> 5);
      found |= 1 << (row & 31);
    }
    finishWords(bits.length);
  }
};
function isSearchable(text) {
  return text !== "" && !text.includes(SEPARATOR);
}
function createJoinedSearch(text, checkTime) {
  if (text.length > MAX_PLAIN_LENGTH) return createSearch(text, checkTime);
  const start = rarestIn(text);
  const tail = text.slice(start);
  return (haystack, from) => {
    let at = haystack.indexOf(tail, from + start);
    while (at >= 0 && !haystack.startsWith(text, at - start)) at = haystack.indexOf(tail, at + 1);
    return at < 0 ? at : at - start;
  };
}
function rarestIn(text) {
  const ranks = text.split("").map((unit) => BY_FREQUENCY.indexOf(unit) >>> 0);
  return ranks.indexOf(Math.max(...ranks));
}

// src/query/filter/chunk-cache.ts
function cacheOf(vector, count, usesOfFull = USES_OF_FULL) {
  let cache = vector.cache;
  if (cache?.count !== count) {
    cache = { count, uses: 0, postings: void 0, joined: void 0, prefixes: void 0 };
    vector.cache = cache;
  }
  return cache.uses++ < (count === CHUNK_ROWS ? usesOfFull : USES_OF_FILLING) ? void 0 : cache;
}
function keepByPostings(bits, vector, count, { answers, wanted, inside }) {
  const cache = cacheOf(vector, count);
  if (cache === void 0) return false;
  if (cache.postings === void 0) cache.postings = buildPostings(vector, count);
  const { postings } = cache;
  if (postings === null) return false;
  const words = wordsFor(count);
  const turn = inside ? 0 : -1;
  const starts = [];
  for (let i = 0; i < postings.codes.length; i++) {
    if (answers[postings.codes[i]] === wanted) starts.push(i * words);
  }
  for (let word = 0; word < words; word++) {
    let found = 0;
    for (let i = 0; i < starts.length; i++) found |= postings.bits[starts[i] + word];
    bits[word] &= found ^ turn;
  }
  return true;
}
function buildPostings(vector, count) {
  const maximum = vector.kind === "list" ? MAX_ITEM_POSTINGS : MAX_CODE_POSTINGS;
  const placeByCode = /* @__PURE__ */ new Map();
  const words = wordsFor(count);
  let bits = new Uint32Array(8 * words);
  const add = (code, row) => {
    let offset = placeByCode.get(code);
    if (offset === void 0) {
      offset = placeByCode.size;
      if (offset === maximum) return false;
      placeByCode.set(code, offset);
      if ((offset + 1) * words > bits.length) {
        const grown2 = new Uint32Array(bits.length * 2);
        grown2.set(bits);
        bits = grown2;
      }
    }
    bits[offset * words + (row >>> 5)] |= 1 << (row & 31);
    return true;
  };
  for (let row = 0; row < count; row++) {
    if (vector.kind === "code") {
      if (!add(vector.codes[row], row)) return null;
      continue;
    }
    const start = vector.starts[row];
    for (let i = start, end = start + vector.lengths[row]; i < end; i++) {
      if (!add(vector.items[i], row)) return null;
    }
  }
  return { codes: [...placeByCode.keys()], bits: bits.slice(0, placeByCode.size * words) };
}
var PREFIX_LENGTH = 4;
var NO_KEY = 2147483647;
var SIGN = 2147483648;
function narrowByPrefix(bits, vector, count, { low, high, isExact }, accept) {
  const cache = cacheOf(vector, count);
  if (cache === void 0) return false;
  cache.prefixes ??= makePrefixKeys(vector.texts, count);
  const keys = cache.prefixes;
  for (let word = 0, words = wordsFor(count); word < words; word++) {
    const candidates = bits[word];
    if (candidates === 0) continue;
    const base = word << 5;
    let within = 0;
    let unknown2 = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        const key = keys[base + shift];
        within |= (Number(key >= low) & Number(key <= high)) << shift;
        unknown2 |= Number(key === NO_KEY) << shift;
      }
    } else {
      for (let shift = 0; shift < 32; shift++) {
        const key = keys[base + shift];
        within |= (Number(key >= low) & Number(key <= high)) << shift;
        unknown2 |= Number(key === NO_KEY) << shift;
      }
    }
    let set = (within | unknown2) & candidates;
    for (let rest = isExact ? unknown2 & set : set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      if (!accept(base + shift)) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
  return true;
}
function makePrefixKeys(texts, count) {
  const keys = new Int32Array(32 * wordsFor(count));
  for (let row = 0; row < count; row++) keys[row] = prefixKey(texts[row]);
  return keys;
}
function prefixKey(text) {
  if (text === null) return NO_KEY;
  let key = 0;
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if (unit > 254) return NO_KEY;
    key = key << 8 | unit;
  }
  return key ^ SIGN;
}
function prefixRange(prefix2) {
  let low = 0;
  let high = 0;
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const unit = i < prefix2.length ? prefix2.charCodeAt(i) : void 0;
    if (unit !== void 0 && (unit === 0 || unit > 254)) return void 0;
    low = low << 8 | (unit ?? 0);
    high = high << 8 | (unit ?? 254);
  }
  return prefix2 === "" ? void 0 : { low: low ^ SIGN, high: high ^ SIGN };
}
function keepContaining(bits, vector, count, search, inside) {
  const cache = cacheOf(vector, count, 0);
  if (cache === void 0) return false;
  if (cache.joined === void 0) {
    if (countBits(bits, wordsFor(count)) < MIN_JOINED_ROWS) return false;
    const texts = vector.texts.slice(0, count);
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (length > MAX_JOINED_CHARACTERS) return false;
    cache.joined = new JoinedText(texts);
  }
  cache.joined.narrow(bits, search, inside);
  return true;
}

// src/query/filter/leaf-kernels.ts
function compileKernel(leaf, view, accept) {
  const { column, test } = leaf;
  switch (TRAITS[column.type].stored) {
    case "number":
      return intervalKernel(
        leaf,
        numberInterval(test),
        (vector) => vector.kind === "number" ? vector.values : void 0
      );
    case "instant":
      return intervalKernel(
        leaf,
        instantInterval(test),
        (vector) => vector.kind === "instant" && vector.micros === void 0 ? vector.ms : void 0
      );
    case "bool": {
      const answers = new Uint8Array(3);
      answers[FALSE_BYTE] = accept(false) ? 1 : 0;
      answers[TRUE_BYTE] = accept(true) ? 1 : 0;
      answers[NULL_BYTE] = leaf.nullMatches ? 1 : 0;
      return (vector, count, bits) => {
        if (vector.kind !== "bool") return false;
        narrowByCode(bits, wordsFor(count), vector.bytes, answers);
        return true;
      };
    }
    case "list":
      return listKernel(leaf, view, accept);
    case "text":
    case "code":
      return textKernel(leaf, view, accept);
    case "value":
      return void 0;
  }
}
function intervalKernel({ negated, nullMatches }, bounds, valuesOf) {
  if (bounds === void 0) return void 0;
  const [low, high] = bounds;
  const interval = { low, high, inside: !negated, nulls: nullMatches };
  return (vector, count, bits) => {
    const values = valuesOf(vector);
    if (values !== void 0) narrowToInterval(bits, wordsFor(count), values, interval);
    return values !== void 0;
  };
}
function numberInterval(test) {
  switch (test.kind) {
    case "equals":
      return [test.value, test.value];
    // coerced to the column's type
    case "range": {
      const low = test.low === void 0 ? Number.NEGATIVE_INFINITY : test.low.value;
      const high = test.high === void 0 ? Number.POSITIVE_INFINITY : test.high.value;
      return [
        test.low?.inclusive === false ? nextUp(low) : low,
        test.high?.inclusive === false ? -nextUp(-high) : high
      ];
    }
    default:
      return void 0;
  }
}
function nextUp(value) {
  if (value === 0) return Number.MIN_VALUE;
  const number = new Float64Array([value]);
  const bits = new BigInt64Array(number.buffer);
  bits[0] += value > 0 ? 1n : -1n;
  return number[0];
}
function instantInterval(test) {
  if (test.kind !== "range" && test.kind !== "equals") return void 0;
  const low = test.kind === "range" ? test.low : { value: test.value, inclusive: true };
  const high = test.kind === "range" ? test.high : { value: test.value, inclusive: true };
  const from = low?.value;
  const to = high?.value;
  return [
    from === void 0 ? Number.NEGATIVE_INFINITY : low?.inclusive && from.micros === 0 ? from.ms : from.ms + 1,
    to === void 0 ? Number.POSITIVE_INFINITY : high?.inclusive || to.micros > 0 ? to.ms : to.ms - 1
  ];
}
function textKernel(leaf, view, accept) {
  const { test, negated, nullMatches } = leaf;
  let answers;
  let search;
  const joined = test.kind === "text" && test.operator === "contains" && isSearchable(test.operand) ? test.operand : void 0;
  const equal = test.kind === "equals" && typeof test.value === "string" ? test.value : void 0;
  const isPrefixed = test.kind === "text" && test.operator === "startsWith";
  const prefix2 = isPrefixed ? test.operand : equal;
  const range = prefix2 === void 0 || negated || nullMatches ? void 0 : prefixRange(prefix2);
  const isExact = isPrefixed && test.operand.length <= PREFIX_LENGTH;
  const keys = range && { isExact, ...range };
  return (vector, count, bits) => {
    const words = wordsFor(count);
    if (vector.kind === "code") {
      const { dictionary } = vector;
      answers ??= CodeAnswers.create(
        view,
        dictionary,
        nullMatches,
        (code) => accept(dictionary.values[code])
      );
      if (answers === void 0) return false;
      const results = answers.forCodes(vector.codes, count);
      if (!keepByPostings(bits, vector, count, { answers: results, wanted: 1, inside: true })) {
        answers.narrow(bits, count, vector.codes, results);
      }
      return true;
    }
    if (vector.kind !== "text") return false;
    const { texts } = vector;
    const acceptRow = equal === void 0 ? (row) => accept(texts[row]) : (row) => texts[row] === equal;
    if (keys !== void 0 && narrowByPrefix(bits, vector, count, keys, acceptRow)) {
      return true;
    }
    if (joined !== void 0) search ??= createJoinedSearch(joined, view.checkTime);
    if (search !== void 0 && keepContaining(bits, vector, count, search, !negated)) {
      if (negated && !nullMatches) narrowBy(bits, words, (row) => texts[row] !== null);
    } else if (equal !== void 0) {
      narrowToText(bits, words, texts, { wanted: equal, inside: !negated, nulls: nullMatches });
    } else narrowBy(bits, words, acceptRow);
    return true;
  };
}
function listKernel({ test, negated }, view, accept) {
  if (test.kind !== "items") return void 0;
  let answers;
  const answer = test.quantifier === "some" ? 1 : 0;
  const inside = test.quantifier === "some" !== negated;
  return (vector, count, bits) => {
    if (vector.kind !== "list") return false;
    const { dictionary } = vector;
    answers ??= CodeAnswers.create(
      view,
      dictionary,
      false,
      (code) => accept([dictionary.values[code]]) !== negated
    );
    if (answers === void 0) return false;
    const results = answers.forCodes(vector.items, vector.used);
    const question = { answers: results, wanted: answer, inside };
    if (!keepByPostings(bits, vector, count, question)) {
      narrowByItems(bits, wordsFor(count), vector, question);
    }
    return true;
  };
}
var CodeAnswers = class _CodeAnswers {
  #ask;
  #answers;
  #isKnown;
  #known = 1;
  /** The codes whose result is true: how many, and one of them; −1 is no code. */
  #matching = 0;
  #match = -1;
  /** Returns undefined if the call has no memory left: then each row is tested. */
  static create({ derived }, dictionary, nullMatches, ask) {
    const size = dictionary?.size ?? 1;
    return reserve(derived, 2 * size) ? new _CodeAnswers(size, nullMatches, ask) : void 0;
  }
  constructor(size, nullMatches, ask) {
    this.#ask = ask;
    this.#answers = new Uint8Array(size);
    this.#isKnown = new Uint8Array(size);
    this.#isKnown[NULL_CODE] = 1;
    this.#set(NULL_CODE, nullMatches);
  }
  /** Narrows a chunk's rows to those whose code matches. */
  narrow(bits, count, codes, answers = this.forCodes(codes, count)) {
    const words = wordsFor(count);
    if (this.#matching > 1 || !narrowToCode(bits, words, codes, this.#match)) {
      narrowByCode(bits, words, codes, answers);
    }
  }
  of(code) {
    this.#answer(code);
    return this.#answers[code] === 1;
  }
  /** Returns the results, complete for the given codes. */
  forCodes(codes, count) {
    const size = this.#isKnown.length;
    const isSmall = size <= count;
    for (let i = 0; i < count && this.#known < size; i++) this.#answer(isSmall ? i : codes[i]);
    return this.#answers;
  }
  #answer(code) {
    if (this.#isKnown[code] === 1) return;
    this.#isKnown[code] = 1;
    this.#known++;
    this.#set(code, this.#ask(code));
  }
  #set(code, matches2) {
    if (!matches2) return;
    this.#answers[code] = 1;
    this.#matching++;
    this.#match = code;
  }
};

// src/query/filter/value-test.ts
function compileTest(test, type, view) {
  switch (test.kind) {
    case "equals":
      return compileEquality(test.value, type);
    case "among":
      return compileAmong(test.values, type, view);
    case "range":
      return compileRange(test, type);
    case "text": {
      const matches2 = compileText(test.operator, test.operand, view);
      return (value) => typeof value === "string" && matches2(value);
    }
    case "items": {
      const matches2 = compileItem(test.item, view);
      return test.quantifier === "some" ? (value) => Array.isArray(value) && value.some(matches2) : (value) => Array.isArray(value) && value.every(matches2);
    }
  }
}
function compileItem(predicate, view) {
  switch (predicate.kind) {
    case "constant":
      return () => predicate.value;
    case "all": {
      const parts = predicate.parts.map((part) => compileItem(part, view));
      return (item) => parts.every((part) => part(item));
    }
    case "any": {
      const parts = predicate.parts.map((part) => compileItem(part, view));
      return (item) => parts.some((part) => part(item));
    }
    case "null":
      return (item) => item === null === predicate.isNull;
    case "leaf": {
      const test = compileTest(predicate.test, predicate.column.type, view);
      const { negated, nullMatches } = predicate;
      return (item) => item === null ? nullMatches : test(item) !== negated;
    }
  }
}
function compileText(operator, operand, view) {
  const matches2 = compileTextTest(operator, operand, view);
  const { checkTime } = view;
  let units = 0;
  return (text) => {
    units += text.length;
    if (units > CHECKED_UNITS) checkTime?.();
    units %= CHECKED_UNITS;
    return matches2(text);
  };
}
function compileTextTest(operator, operand, { checkTime, derived }) {
  const fold = operator[0] === "i" ? foldCase : same;
  const folded = fold(operand);
  switch (operator) {
    case "startsWith":
      return (text) => text.startsWith(folded);
    case "endsWith":
      return (text) => text.endsWith(folded);
    case "contains":
    case "iContains": {
      const find = createSearch(folded, checkTime);
      return (text) => find(fold(text), 0) >= 0;
    }
    case "pattern":
    case "iPattern": {
      const compile2 = () => compilePattern(folded, derived, checkTime);
      const pattern = memoize(derived, PATTERN_BYTES * folded.length, compile2);
      return (text) => matchPattern(pattern(), fold(text), checkTime);
    }
  }
}
function same(value) {
  return value;
}
function compileEquality(operand, type) {
  switch (TRAITS[type].stored) {
    case "instant":
      return (value) => compareInstants(value, operand) === 0;
    // stored as instants
    case "value":
    case "list":
      return (value) => equalJson(value, operand);
    // lists of strings are JSON too
    default:
      return (value) => value === operand;
  }
}
var PATTERN_BYTES = 16;
function compileAmong(values, type, { derived }) {
  const isInstant = TRAITS[type].stored === "instant";
  const keyOf = (value) => {
    if (typeof value !== "object") return value;
    return isInstant ? instantKey(value) : `\uD800${canonicalJson(value)}`;
  };
  const keys = memoize(derived, 40 * values.length, () => new Set(values.map(keyOf)));
  return (value) => keys().has(keyOf(value));
}
function instantKey({ ms, micros }) {
  return `${ms}.${micros}`;
}
function compileRange({ low, high }, type) {
  const isInstant = TRAITS[type].stored === "instant";
  const compare = (a, b) => {
    if (isInstant) return compareInstants(a, b);
    if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
    if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
    return Number.NaN;
  };
  return (value) => {
    if (low !== void 0) {
      const order2 = compare(value, low.value);
      if (!(low.inclusive ? order2 >= 0 : order2 > 0)) return false;
    }
    if (high === void 0) return true;
    const order = compare(value, high.value);
    return high.inclusive ? order <= 0 : order < 0;
  };
}

// src/query/filter/row-filter.ts
function selectRows(filter, chunk, bits, from, to) {
  setLiveRows(bits, chunk, from, to);
  filter.narrow(chunk, bits);
}
function compileFilter(predicate, view) {
  switch (predicate.kind) {
    case "constant":
      return {
        narrow: (_chunk, bits) => {
          if (!predicate.value) bits.fill(0);
        },
        matches: () => predicate.value,
        cost: 0
      };
    case "all":
      return compileAll(predicate, view);
    case "any":
      return compileAny(predicate, view);
    case "leaf":
    case "null":
      if (predicate.column.hops.length > 0) return compileLinked(predicate, view);
      return predicate.kind === "null" ? compileNull(predicate, view) : compileLeaf(predicate, view);
  }
}
function compileAll(predicate, view) {
  const parts = cheapestFirst(mergeRanges(predicate.parts), view);
  const rank = ({ filter, seen, left }) => seen === left ? Number.MAX_VALUE : filter.cost * seen / (seen - left);
  let samples = view.table.chunks.length > SAMPLE_CHUNKS ? SAMPLE_CHUNKS : 0;
  return {
    narrow(chunk, bits) {
      const words = wordsFor(chunk.count);
      const isSample = samples > 0;
      for (const part of parts) {
        if (isEmpty(bits, words)) break;
        if (isSample) part.seen += countBits(bits, words);
        part.filter.narrow(chunk, bits);
        if (isSample) part.left += countBits(bits, words);
      }
      if (isSample && --samples === 0) parts.sort((a, b) => rank(a) - rank(b));
    },
    matches: (ordinal) => parts.every(({ filter }) => filter.matches(ordinal)),
    cost: costOfAll(parts)
  };
}
function mergeRanges(parts) {
  const merged = [];
  for (const part of parts) {
    let joined;
    for (let i = 0; i < merged.length && joined === void 0; i++) {
      joined = joinRanges(merged[i], part);
      if (joined !== void 0) merged[i] = joined;
    }
    if (joined === void 0) merged.push(part);
  }
  return merged;
}
function joinRanges(a, b) {
  if (a.kind !== "leaf" || b.kind !== "leaf") return void 0;
  if (a.test.kind !== "range" || b.test.kind !== "range") return void 0;
  const { low = b.test.low, high = b.test.high } = a.test;
  const isOneInterval = !a.negated && !b.negated && a.column.path === b.column.path && a.test.low === void 0 !== (b.test.low === void 0) && a.test.high === void 0 !== (b.test.high === void 0);
  return isOneInterval ? { ...a, test: { kind: "range", low, high } } : void 0;
}
function compileAny(predicate, view) {
  const parts = cheapestFirst(predicate.parts, view);
  const refused = createBits(view.table);
  const accepted = createBits(view.table);
  return {
    narrow(chunk, bits) {
      const words = wordsFor(chunk.count);
      assign(refused, bits, words);
      for (const part of parts) {
        if (isEmpty(refused, words)) break;
        assign(accepted, refused, words);
        part.filter.narrow(chunk, accepted);
        subtract(refused, accepted, words);
      }
      subtract(bits, refused, words);
    },
    matches: (ordinal) => parts.some(({ filter }) => filter.matches(ordinal)),
    cost: costOfAll(parts)
  };
}
function compileLinked(leaf, view) {
  const { hops } = leaf.column;
  const [{ slot }] = hops;
  const path = openPath(view, hops);
  const unlinked = { ...leaf, column: { ...leaf.column, hops: [] } };
  const inner = compileFilter(unlinked, path.end);
  const { table } = view;
  const nullMatches = leaf.kind === "null" ? leaf.isNull : leaf.nullMatches;
  const accept = (code) => {
    const row = path.rowOfCode(code);
    return row < 0 ? nullMatches : inner.matches(row);
  };
  const answers = CodeAnswers.create(view, table.dictionaries.get(slot), nullMatches, accept);
  return {
    narrow(chunk, bits) {
      view.checkTime?.();
      const vector = chunk.vectors[slot];
      if (vector?.kind !== "code") keepIf(nullMatches, bits);
      else if (answers !== void 0) answers.narrow(bits, chunk.count, vector.codes);
      else narrowBy(bits, wordsFor(chunk.count), (row) => accept(vector.codes[row]));
    },
    matches: (ordinal) => {
      const code = table.codeAt(ordinal, slot);
      return answers === void 0 ? accept(code) : answers.of(code);
    },
    cost: 2
  };
}
function compileNull({ column, isNull: isNull3 }, { table }) {
  const { slot, keys } = column;
  const matches2 = (value) => (keys === void 0 ? value : followKeys(value, keys)) === null === isNull3;
  return {
    narrow(chunk, bits) {
      const vector = chunk.vectors[slot];
      if (vector === void 0) keepIf(isNull3, bits);
      else if (keys === void 0) narrowToNull(vector, chunk.count, bits, isNull3);
      else narrowBy(bits, wordsFor(chunk.count), (row) => matches2(vector.get(row)));
    },
    matches: (ordinal) => matches2(table.get(ordinal, slot)),
    cost: column.type === "json" ? 20 : 1
  };
}
function keepIf(keep, bits) {
  if (!keep) bits.fill(0);
}
function compileLeaf(leaf, view) {
  const { table, checkTime } = view;
  checkTime?.();
  const { column, negated, nullMatches, test } = leaf;
  const { slot, keys } = column;
  let holds;
  const accept = (value) => {
    if (value === null) return nullMatches;
    holds ??= compileTest(test, column.type, view);
    return holds(value) !== negated;
  };
  const acceptAt = keys === void 0 ? accept : (value) => accept(followKeys(value, keys));
  const kernel = keys === void 0 ? compileKernel(leaf, view, accept) : void 0;
  return {
    narrow(chunk, bits) {
      checkTime?.();
      const vector = chunk.vectors[slot];
      if (vector === void 0) keepIf(nullMatches, bits);
      else if (kernel === void 0 || !kernel(vector, chunk.count, bits)) {
        narrowBy(bits, wordsFor(chunk.count), (row) => acceptAt(vector.get(row)));
      }
    },
    matches: (ordinal) => acceptAt(table.get(ordinal, slot)),
    cost: costOf(leaf)
  };
}
function cheapestFirst(predicates, view) {
  return predicates.map((part) => ({ filter: compileFilter(part, view), seen: 0, left: 0 })).sort((a, b) => a.filter.cost - b.filter.cost);
}
function costOfAll(parts) {
  return parts.reduce((sum, { filter }) => sum + filter.cost, 0);
}
function costOf({ test, column }) {
  if (column.type === "json") return 20;
  if (test.kind === "items") return 4;
  if (test.kind === "text") return test.operator === "startsWith" ? 2 : 10;
  return test.kind === "among" ? 6 : 1;
}

// src/query/plan/indexes.ts
function viewIndex(table, { key }) {
  const { history, position } = table;
  const index = history.findIndex(key, position);
  return index && { index, written: history.writtenSince(index, position) };
}
function plannedIndex(table, key) {
  return viewIndex(table, { key });
}
function requestIndex(view, recipe, weight = 1, used) {
  const { table, indexes } = view;
  if (indexes === "never") return;
  const { history } = table;
  const existing = viewIndex(table, recipe);
  const isStale = existing !== void 0 && existing.written.rows.size > MAX_DIRTY_ROWS;
  if (existing !== void 0 && !isStale) return;
  if (takesTooLong(table, recipe.key)) return;
  try {
    if (existing !== void 0) {
      const index = recipe.refresh(existing.index, view, existing.written.rows);
      history.keepIndex(recipe.key, index, existing.index);
    } else if (indexes === "always") {
      keepBuilt(table, recipe.key, finish(recipe.build(view), view.checkTime), used);
    } else if (isWanted(table, recipe.key, weight)) {
      if (history.build === void 0) {
        const work = recipe.build(createTableView(table));
        history.beginBuild({ key: recipe.key, work });
      }
      buildSlice(table, used);
    }
  } catch (error) {
    history.endBuild();
    history.indexes.delete(recipe.key);
    history.demand.set(recipe.key, TOO_LONG);
    throw error;
  }
}
function finish(work, checkTime) {
  for (; ; ) {
    const step4 = work.next();
    if (step4.done === true) return step4.value;
    checkTime?.();
  }
}
function buildSlice(table, used) {
  const { size, history } = table;
  const { key, work } = history.build;
  let left = Math.max(MIN_SLICE_ROWS, size * SLICE_SHARE);
  while (left > 0) {
    const step4 = work.next();
    if (step4.done === true) {
      keepBuilt(table, key, step4.value, used);
      history.endBuild();
      return;
    }
    left -= step4.value;
  }
}
function keepBuilt(table, key, index, used) {
  makeRoom(table, index.byteLength, used);
  table.history.keepIndex(key, index);
}
var TOO_LONG = Number.NEGATIVE_INFINITY;
function takesTooLong({ history }, key) {
  return history.demand.get(key) === TOO_LONG;
}
function isWanted({ size, history: { demand } }, key, weight) {
  if (size < MIN_INDEXED_ROWS) return false;
  const entry = demand.get(key);
  if (entry === void 0 && demand.size >= MAX_COUNTED_KEYS) demand.clear();
  const count = (entry ?? 0) + weight;
  demand.set(key, count);
  return count >= 2;
}
function makeRoom({ size, history: { indexes, demand } }, bytes, used) {
  let free = Math.max(MIN_INDEX_BYTES, size * MAX_INDEX_BYTES_PER_ROW) - bytes;
  for (const index of indexes.values()) free -= bytesOf(index);
  for (const [key, index] of indexes) {
    if (free >= 0) return;
    if (key === used) continue;
    indexes.delete(key);
    demand.delete(key);
    free += bytesOf(index);
  }
}
function bytesOf(indexes) {
  return indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
function linkKey(slot) {
  return `link ${slot}`;
}
function orderKey({ keys, seed }, link) {
  if (seed !== void 0 || keys.some(({ column }) => column.hops.length > 0)) return void 0;
  const slots = keys.map(({ column, descending }) => {
    return `${[column.slot, ...column.keys ?? []].join(".")}${descending ? "-" : "+"}`;
  });
  return `${link === void 0 ? "" : linkKey(link)} order ${slots.join(" ")}`;
}

// src/query/bound/order.ts
var ID_KEY = { column: plainRef("id", "id", ID_SLOT), descending: false };
function keyShapesOf({ keys, seed }) {
  const shapes = [];
  for (const key of keys) addShapes(shapes, key);
  if (seed !== void 0) {
    const value = { part: "random", seed };
    shapes.push({ kind: "number", descending: false, none: NULL_NUMBER, value });
  }
  if (!keys.some(isOwnId)) addShapes(shapes, ID_KEY);
  return shapes;
}
function isOwnId({ column }) {
  return column.type === "id" && column.hops.length === 0 && column.slot === ID_SLOT;
}
function addShapes(shapes, { column, descending, nullsLast }) {
  const none = descending && nullsLast ? -NULL_NUMBER : NULL_NUMBER;
  const add = (kind, part) => {
    shapes.push({ kind, descending, none, value: { part, column } });
  };
  switch (TRAITS[column.type].stored) {
    case "number":
    case "bool":
      add("number", "value");
      break;
    case "instant":
      add("number", "ms");
      add("number", "micros");
      break;
    case "text":
    case "code":
      add("text", "value");
      break;
    case "list":
    case "value":
      throw new TypeError(`a column of type ${column.type} has no order`);
  }
}
function isKeys(shapes, value) {
  return Array.isArray(value) && value.length === shapes.length && value.every(
    (key, i) => key === null || shapes[i].kind === "text" ? key === null || typeof key === "string" : Number.isFinite(key)
  );
}
function comparePoints2(shapes, a, b) {
  if (a.keys === void 0 || b.keys === void 0) {
    return (a.keys === void 0 ? 0 : 1) - (b.keys === void 0 ? 0 : 1);
  }
  for (let i = 0; i < shapes.length; i++) {
    const compared = compareKey(shapes[i], a.keys[i], b.keys[i]);
    if (compared !== 0) return compared;
  }
  return a.side - b.side;
}
function compareKey({ kind, descending }, a, b) {
  const order = kind === "text" ? compareTexts(a, b) : compareNumbers(a ?? NULL_NUMBER, b ?? NULL_NUMBER);
  return descending ? -order : order;
}
var NULL_NUMBER = Number.POSITIVE_INFINITY;
function compareTexts(a, b, none = NULL_NUMBER) {
  if (a === null || b === null) {
    return Math.sign(none) * (Number(a === null) - Number(b === null));
  }
  return compareStrings(a, b);
}

// src/query/plan/plan.ts
function planRows(query, available) {
  return { query, ...chooseAccess(query, available) };
}
function scanFor(query) {
  return { query, access: { kind: "scan" }, residual: query.predicate };
}
function allMatching(predicate) {
  return { predicate, order: BY_ID, range: WHOLE_RANGE, backward: false, limit: Infinity };
}
function chooseAccess(query, available) {
  const { predicate, order, backward, limit } = query;
  const matching = chooseNamed(predicate, available) ?? chooseLink(query, available);
  if (matching !== void 0) return matching;
  if (limit === Infinity) return scanFor(query);
  const descending = idDirection(order);
  if (available.idsAscend && descending !== void 0) {
    const access = { kind: "storage-order", backward: descending !== backward };
    return { access, residual: predicate };
  }
  const index = orderKey(order);
  if (index !== void 0 && available.has(index)) {
    return { access: { kind: "order-index", index }, residual: predicate };
  }
  return scanFor(query);
}
function conjunctsOf(predicate) {
  return predicate.kind === "all" ? predicate.parts : [predicate];
}
function without2(predicate, part) {
  return combine(
    "all",
    conjunctsOf(predicate).filter((other) => other !== part)
  );
}
function chooseNamed(predicate, available) {
  let chosen;
  for (const part of conjunctsOf(predicate)) {
    const access = namedAccess(part, available);
    if (access === void 0) continue;
    const choice = { access, residual: without2(predicate, part) };
    if (access.kind === "ids") return choice;
    chosen ??= choice;
  }
  return chosen;
}
function namedAccess(predicate, available) {
  if (predicate.kind !== "leaf") return void 0;
  const { column, test, negated, nullMatches } = predicate;
  if (column.hops.length > 0 || negated || nullMatches) return void 0;
  const values = test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : void 0;
  if (values === void 0) return void 0;
  const { slot, path } = column;
  if (slot === ID_SLOT) return { kind: "ids", ids: [...new Set(values)] };
  if (!available.isUnique(slot)) return void 0;
  return {
    kind: "unique-index",
    column: path,
    slot,
    keys: [...new Set(values.map((value) => uniqueKey(value)))]
  };
}
function chooseLink(query, available) {
  for (const part of conjunctsOf(query.predicate)) {
    const condition = linkConditionOf(part);
    const linked = condition && available.linked(condition);
    if (linked === void 0 || linked.rows > available.size * MAX_LINKED_SHARE) continue;
    const { column, slot } = condition;
    const index = chooseRuns(query, slot, available);
    return {
      access: { kind: "link-index", column, slot, ...linked, ...index },
      residual: without2(query.predicate, part)
    };
  }
  return void 0;
}
function chooseRuns({ order, backward }, slot, available) {
  const descending = idDirection(order);
  if (available.idsAscend && descending !== void 0) {
    return { index: linkKey(slot), sorted: descending === backward ? "forward" : "backward" };
  }
  const index = orderKey(order, slot);
  return index !== void 0 && available.has(index) ? { index, sorted: backward ? "backward" : "forward" } : { index: linkKey(slot), sorted: void 0 };
}
function idDirection({ keys, seed }) {
  const first = keys[0];
  if (first === void 0) return seed === void 0 ? false : void 0;
  return isOwnId(first) ? first.descending : void 0;
}
function linkConditionOf(predicate) {
  if (predicate.kind !== "leaf" && predicate.kind !== "null") return void 0;
  const [hop, ...hops] = predicate.column.hops;
  if (hop !== void 0) {
    if (predicate.kind === "null" ? predicate.isNull : predicate.nullMatches) return void 0;
    const condition = { ...predicate, column: { ...predicate.column, hops } };
    return { predicate, column: hop.name, slot: hop.slot, ids: { hop, condition } };
  }
  if (predicate.kind === "null") return void 0;
  const { column, test, negated, nullMatches } = predicate;
  const isLink2 = column.type === "link" || column.type === "id" && column.slot !== ID_SLOT;
  if (!isLink2 || negated || nullMatches) return void 0;
  const ids = test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : void 0;
  if (ids === void 0) return void 0;
  return { predicate, column: column.path, slot: column.slot, ids };
}

// src/value/sort-by-keys.ts
var SHORT_RUN = 8;
function sortByKeys(entries, checkTime) {
  const { length } = entries.rows;
  for (let start = 0; start < length; start += SHORT_RUN) {
    insertRows(entries, start, Math.min(start + SHORT_RUN, length));
  }
  let from = entries;
  let to = { rows: new Int32Array(length), keys: new Float64Array(length) };
  for (let run = SHORT_RUN; run < length; run *= 2) {
    checkTime?.();
    for (let start = 0; start < length; start += 2 * run) {
      mergeRuns(from, to, start, Math.min(start + run, length), Math.min(start + 2 * run, length));
    }
    [from, to] = [to, from];
  }
  if (from === entries) return;
  entries.rows.set(from.rows);
  entries.keys.set(from.keys);
}
function insertRows({ rows, keys }, start, end) {
  for (let i = start + 1; i < end; i++) {
    const [row, key] = [rows[i], keys[i]];
    let at = i;
    for (; at > start && keys[at - 1] > key; at--) {
      rows[at] = rows[at - 1];
      keys[at] = keys[at - 1];
    }
    rows[at] = row;
    keys[at] = key;
  }
}
function mergeRuns(from, to, start, middle, end) {
  const { rows, keys } = from;
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const isLeft = right === end || left < middle && keys[left] <= keys[right];
    const next = isLeft ? left++ : right++;
    to.rows[at] = rows[next];
    to.keys[at] = keys[next];
  }
}

// src/query/order/row-order.ts
var RowOrder = class {
  #readers;
  #checkTime;
  constructor(view, order) {
    this.#checkTime = view.checkTime;
    this.#readers = keyShapesOf(order).map((shape) => createReader(view, shape));
  }
  compare(a, b) {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i];
      const order = compareKeys2(reader, a, b);
      if (order !== 0) return reader.descending ? -order : order;
    }
    return 0;
  }
  /** Compares a row with a point: negative if the row is before it. */
  compareToPoint(ordinal, { keys, side }) {
    if (keys === void 0) return 1;
    const compared = this.#compareToKeys(ordinal, keys);
    return compared !== 0 ? compared : -side;
  }
  isInRange(ordinal, { after, before }) {
    return (after === void 0 || this.compareToPoint(ordinal, after) > 0) && (before === void 0 || this.compareToPoint(ordinal, before) < 0);
  }
  keysOf(ordinal) {
    return this.#readers.map((reader) => {
      const key = reader.read(ordinal);
      return key === reader.none ? null : key;
    });
  }
  /** Sorts by numeric keys, level by level: several times faster than comparing rows. */
  sort(rows) {
    const sorted = rows.slice();
    this.#sortRun(sorted, 0, 0);
    return sorted;
  }
  /** The first key if numeric, negated if descending; otherwise NaN. */
  firstNumber(ordinal) {
    const first = this.#readers[0];
    if (first.kind !== "number") return Number.NaN;
    return first.descending ? -first.read(ordinal) : first.read(ordinal);
  }
  /** The first keys of a chunk, not negated, if stored as numbers. */
  firstNumbers(chunk) {
    const first = this.#readers[0];
    const values = first.kind === "number" ? first.valuesOf(chunk) : void 0;
    return values && { values, descending: first.descending };
  }
  /** Whether the later rows of a chunk tend to come first: its first key with a trend decides. */
  startsAtEnd({ count }, base) {
    const step4 = (count - 1) / TREND_STEPS;
    for (const reader of this.#readers) {
      let trend = 0;
      for (let row = base, i = 1; i <= TREND_STEPS; i++) {
        const next = base + Math.floor(i * step4);
        trend += Math.sign(compareKeys2(reader, row, next));
        row = next;
      }
      if (Math.abs(trend) >= MIN_TREND) return reader.descending ? trend < 0 : trend > 0;
    }
    return false;
  }
  /** @param round earlier sorts of the run at this level */
  #sortRun(run, level, round) {
    const reader = this.#readers[level];
    if (run.length <= COMPARED_ROWS || reader === void 0 || round === TEXT_KEY_ROUNDS) {
      run.sort((a, b) => this.compare(a, b));
      return;
    }
    this.#checkTime?.();
    const keys = readKeys(reader, run, checkEvery(this.#checkTime));
    sortByKeys({ rows: run, keys }, this.#checkTime);
    if (keys[0] === keys[run.length - 1]) {
      this.#sortRun(run, level + 1, 0);
      return;
    }
    for (let start = 0, end = 0; start < run.length; start = end) {
      while (end < run.length && keys[end] === keys[start]) end++;
      if (end - start > 1) this.#sortRun(run.subarray(start, end), level, round + 1);
    }
  }
  #compareToKeys(ordinal, keys) {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i];
      const key = keys[i];
      const order = reader.kind === "number" ? compareNumbers(reader.read(ordinal), key ?? reader.none) : compareTexts(reader.read(ordinal), key, reader.none);
      if (order !== 0) return reader.descending ? -order : order;
    }
    return 0;
  }
};
var TopRows = class {
  #limit;
  #order;
  #sign;
  #isWanted;
  #rows = [];
  #compare = (a, b) => this.#sign * this.#order.compare(a, b);
  /** First key of the root; NaN while no row can be rejected. */
  #worst = Number.NaN;
  /**
   * @param limit of rows; `backward` collects the last ones, the last one first
   * @param isWanted called only for rows whose keys qualify
   */
  constructor({ limit, backward }, order, isWanted2) {
    this.#limit = limit;
    this.#order = order;
    this.#sign = backward ? -1 : 1;
    this.#isWanted = isWanted2;
  }
  /** Adds a row if it is among the first; otherwise returns false. */
  row(row) {
    const rows = this.#rows;
    const isFull = rows.length === this.#limit;
    if (isFull) {
      if (this.#limit === 0) return false;
      if (this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0) return false;
      if (this.#compare(row, rows[0]) >= 0) return false;
    }
    if (this.#isWanted !== void 0 && !this.#isWanted(row)) return true;
    if (isFull) siftDown(rows, 0, row, this.#compare);
    else pushOnHeap(rows, row, this.#compare);
    if (rows.length === this.#limit) this.#remember();
    return true;
  }
  /** Like {@link row}, but compares the first key inline, which rejects most rows. */
  chunk(chunk, base, bits) {
    const first = this.#order.firstNumbers(chunk);
    const sign = first?.descending ? -this.#sign : this.#sign;
    const words = wordsFor(chunk.count);
    const step4 = this.#startsAtEnd(chunk, base) ? -1 : 1;
    for (let word = step4 > 0 ? 0 : words - 1; word >= 0 && word < words; word += step4) {
      for (let rest = bits[word]; rest !== 0; rest &= rest - 1) {
        const row = (word << 5) + lowestBit(rest);
        if (first !== void 0 && sign * first.values[row] > this.#sign * this.#worst) continue;
        this.row(base + row);
      }
    }
    return true;
  }
  toSorted() {
    return this.#rows.slice().sort(this.#compare);
  }
  /** Rows that come first are visited first, so that the heap rejects the others. */
  #startsAtEnd(chunk, base) {
    const isFull = this.#rows.length === this.#limit;
    const isRejected = (row) => isFull && this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0;
    if (isRejected(base) && isRejected(base + chunk.count - 1)) return false;
    return this.#order.startsAtEnd(chunk, base) === this.#sign > 0;
  }
  #remember() {
    this.#worst = this.#order.firstNumber(this.#rows[0]);
  }
};
function compareKeys2(reader, a, b) {
  return reader.kind === "number" ? compareNumbers(reader.read(a), reader.read(b)) : compareTexts(reader.read(a), reader.read(b), reader.none);
}
function readKeys(reader, run, check) {
  if (reader.kind === "text") return textKeys(reader, run, check);
  const sign = reader.descending ? -1 : 1;
  const keys = new Float64Array(run.length);
  for (let i = 0; i < run.length; i++) keys[i] = sign * reader.read(run[i]);
  return keys;
}
function createReader(view, { kind, descending, none, value }) {
  const { table } = view;
  if (value.part === "random") {
    const read2 = (ordinal) => randomRank(value.seed, table.idAt(ordinal));
    return { kind: "number", descending, none, read: read2, valuesOf: hasNoValues };
  }
  const { part, column } = value;
  const { hops, slot, type, keys } = column;
  if (kind === "text") {
    const isPlain2 = hops.length === 0 && keys === void 0;
    const read2 = isPlain2 ? (ordinal) => readText(table, ordinal, slot) : createRead(view, column);
    return { kind, descending, none, read: read2 };
  }
  if (type === "bool" || keys !== void 0) {
    const readAny = createRead(view, column);
    const read2 = (ordinal) => Number(readAny(ordinal) ?? none);
    return { kind, descending, none, read: read2, valuesOf: hasNoValues };
  }
  const path = openPath(view, hops);
  const target = (path?.end ?? view).table;
  const isMicros = part === "micros";
  const readOwn = isMicros ? (ordinal) => {
    const vector = vectorAt(target.chunks, ordinal, slot);
    return vector?.micros?.[rowAt(ordinal)] ?? 0;
  } : (ordinal) => {
    const number = numbersOf(chunkAt(target.chunks, ordinal), slot)?.[rowAt(ordinal)] ?? Number.NaN;
    return Number.isNaN(number) ? none : number;
  };
  if (path === void 0) {
    const valuesOf = (chunk) => numbersOf(chunk, slot);
    const key = { kind, descending, none, read: readOwn };
    return { ...key, valuesOf: isMicros ? hasNoValues : valuesOf };
  }
  const absent = isMicros ? 0 : none;
  const read = (ordinal) => {
    const linked = path.rowOf(ordinal);
    return linked < 0 ? absent : readOwn(linked);
  };
  return { kind, descending, none, read, valuesOf: hasNoValues };
}
var hasNoValues = () => void 0;
function numbersOf(chunk, slot) {
  const vector = chunk.vectors[slot];
  if (vector?.kind === "number") return vector.values;
  return vector?.kind === "instant" ? vector.ms : void 0;
}
function readText(table, ordinal, slot) {
  const vector = vectorAt(table.chunks, ordinal, slot);
  const row = rowAt(ordinal);
  if (vector?.kind === "text") return vector.texts[row] ?? null;
  return vector?.kind === "code" ? vector.get(row) : null;
}
function textKeys(reader, run, check) {
  const { descending, none } = reader;
  const texts = [];
  for (let i = 0; i < run.length; i++) {
    check();
    texts.push(reader.read(run[i]));
  }
  const prefix2 = commonPrefix(texts);
  const isAscii = texts.every((text) => text === null || hasAscii(text, prefix2, 7));
  const [length, radix] = isAscii ? [7, 129] : [3, 65537];
  const keys = new Float64Array(run.length);
  for (const [at, text] of texts.entries()) {
    check();
    let key = text === null ? none : 0;
    for (let i = prefix2; text !== null && i < prefix2 + length; i++) {
      key = key * radix + (i < text.length ? codePointRank(text.charCodeAt(i)) + 1 : 0);
    }
    keys[at] = descending ? -key : key;
  }
  return keys;
}
function codePointRank(unit) {
  return unit < 55296 ? unit : unit < 57344 ? unit + 8192 : unit - 2048;
}
function commonPrefix(texts) {
  const first = texts.find((text) => text !== null) ?? "";
  let { length } = first;
  for (const text of texts) {
    if (text === null) continue;
    let same2 = 0;
    while (same2 < length && text.charCodeAt(same2) === first.charCodeAt(same2)) same2++;
    length = same2;
  }
  return length;
}
function hasAscii(text, from, count) {
  const end = Math.min(text.length, from + count);
  for (let i = from; i < end; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

// src/query/plan/row-index.ts
var RowIndex = class {
  constructor(position, rows, starts) {
    this.position = position;
    this.rows = rows;
    this.starts = starts;
  }
  get byteLength() {
    return this.rows.byteLength + (this.starts?.byteLength ?? 0);
  }
  /** Returns an empty run for a code added later. */
  runOf(code) {
    const { rows, starts } = this;
    return starts !== void 0 && code + 1 < starts.length ? rows.subarray(starts[code], starts[code + 1]) : rows.subarray(0, 0);
  }
};
function linkIndexRecipe(slot) {
  return indexRecipe(linkKey(slot), void 0, slot);
}
function orderIndexRecipe(order, slot) {
  const key = orderKey(order, slot);
  return key === void 0 ? void 0 : indexRecipe(key, order, slot);
}
function indexRecipe(key, order, slot) {
  return {
    key,
    *build(view) {
      const { table } = view;
      const rows = order === void 0 ? allRows(table) : yield* sortInSteps(view, order);
      if (slot === void 0) return new RowIndex(table.position, rows);
      return yield* groupByCode(table, slot, rows);
    },
    refresh(index, view, written) {
      const { table } = view;
      const rowOrder = order && new RowOrder(view, order);
      const codeOf = (row) => slot === void 0 ? 0 : table.codeAt(row, slot);
      const compare = (a, b) => codeOf(a) - codeOf(b) || (rowOrder?.compare(a, b) ?? a - b);
      const rows = mergeRows(index.rows, written, liveRows(table, written).sort(compare), compare);
      const starts = slot === void 0 ? void 0 : startsOf(table, slot, rows);
      return new RowIndex(table.position, rows, starts);
    }
  };
}
function allRows({ chunks }) {
  const rows = new Int32Array(chunks.length * CHUNK_ROWS);
  let length = 0;
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) rows[length++] = ordinalOf(index, row);
    }
  }
  return rows.slice(0, length);
}
function* sortInSteps(view, order) {
  const rows = allRows(view.table);
  const rowOrder = new RowOrder(view, order);
  const count = Math.ceil(rows.length / BUCKET_ROWS);
  const sample = rowOrder.sort(
    Int32Array.from({ length: count * SAMPLES_PER_BUCKET }, (_, i) => {
      return rows[Math.floor(i * rows.length / (count * SAMPLES_PER_BUCKET))];
    })
  );
  const bounds = Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    return { keys: rowOrder.keysOf(sample[(i + 1) * SAMPLES_PER_BUCKET]), side: 0 };
  });
  yield rows.length;
  const { grouped, starts } = yield* groupRows(
    rows,
    count,
    (row) => lowerBound(0, bounds.length, (at) => rowOrder.compareToPoint(row, bounds[at]) < 0)
  );
  for (let bucket = 0; bucket < count; bucket++) {
    const run = grouped.subarray(starts[bucket], starts[bucket + 1]);
    run.set(rowOrder.sort(run));
    yield run.length * SORT_COST;
  }
  return grouped;
}
function* groupByCode(table, slot, rows) {
  const count = table.dictionaries.get(slot)?.size ?? 1;
  const { grouped, starts } = yield* groupRows(
    rows,
    count,
    (row) => Math.min(table.codeAt(row, slot), count - 1)
  );
  return new RowIndex(table.position, grouped, starts);
}
function startsOf(table, slot, rows) {
  const starts = new Int32Array((table.dictionaries.get(slot)?.size ?? 1) + 1);
  for (let code = 0, start = 0; code + 1 < starts.length; starts[++code] = start) {
    const isLater = (at) => table.codeAt(rows[at], slot) > code;
    start = gallop(start, rows.length, isLater);
  }
  return starts;
}
function* groupRows(rows, count, groupOf) {
  const groups = new Uint32Array(rows.length);
  const starts = new Int32Array(count + 1);
  for (let from = 0; from < rows.length; from += BUCKET_ROWS) {
    const to = Math.min(from + BUCKET_ROWS, rows.length);
    for (let i = from; i < to; i++) {
      const group = groupOf(rows[i]);
      groups[i] = group;
      starts[group + 1]++;
    }
    yield to - from;
  }
  for (let group = 1; group < starts.length; group++) starts[group] += starts[group - 1];
  const next = starts.slice();
  const grouped = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) grouped[next[groups[i]]++] = rows[i];
  return { grouped, starts };
}
function liveRows(table, written) {
  return Int32Array.from(written).filter((row) => table.isLive(row));
}
function mergeRows(rows, written, fresh, compare) {
  const clean = rows.slice();
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (!written.has(rows[i])) clean[count++] = rows[i];
  const merged = new Int32Array(count + fresh.length);
  let next = 0;
  for (let i = 0; i < fresh.length; i++) {
    const row = fresh[i];
    const start = next;
    next = lowerBound(start, count, (at) => compare(clean[at], row) >= 0);
    merged.set(clean.subarray(start, next), start + i);
    merged[next + i] = row;
  }
  merged.set(clean.subarray(next, count), next + fresh.length);
  return merged;
}

// src/query/fetch/order-walk.ts
var OrderWalk = class {
  #rows;
  #order;
  #dirty;
  #dirtyRows;
  constructor(table, order, view) {
    this.#rows = view.index.rows;
    this.#order = order;
    this.#dirty = view.written.rows;
    this.#dirtyRows = sortWritten(table, order, view);
  }
  /** Visits a range in order, or in reverse, until the visitor returns false. */
  visit({ after, before }, backward, visitor) {
    const order = this.#order;
    const isBefore = (row) => after !== void 0 && order.compareToPoint(row, after) <= 0;
    const isWithin = (row) => before === void 0 || order.compareToPoint(row, before) < 0;
    const extra = this.#dirtyRows;
    const extraStart = lowerBound(0, extra.length, (i) => !isBefore(extra[i]));
    const extraEnd = lowerBound(0, extra.length, (i) => !isWithin(extra[i]));
    const start = after === void 0 ? 0 : this.#count(isBefore);
    const end = before === void 0 ? this.#rows.length : this.#count(isWithin);
    const step4 = backward ? -1 : 1;
    let at = backward ? end - 1 : start;
    let next = backward ? extraEnd - 1 : extraStart;
    for (; ; ) {
      while (at >= start && at < end && this.#dirty.has(this.#rows[at])) at += step4;
      const row = at >= start && at < end ? this.#rows[at] : -1;
      const other = next >= extraStart && next < extraEnd ? extra[next] : -1;
      if (row < 0 && other < 0) return;
      const takesOther = row < 0 || other >= 0 && step4 * order.compare(other, row) < 0;
      if (takesOther) next += step4;
      else at += step4;
      if (!visitor(takesOther ? other : row)) return;
    }
  }
  /** Upper bound of a monotone condition. */
  #count(holds) {
    const rows = this.#rows;
    return lowerBound(0, rows.length, (at) => {
      let next = at;
      while (next < rows.length && this.#dirty.has(rows[next])) next++;
      return next === rows.length || !holds(rows[next]);
    });
  }
};
function sortWritten(table, order, { written }) {
  const { history, position } = table;
  const last = written.sorted;
  if (last?.position === position) return last.rows;
  const since = last === void 0 ? written.rows : new Set(history.writtenBetween(last.position, position));
  const fresh = order.sort(liveRows(table, since));
  const rows = last === void 0 ? fresh : mergeRows(last.rows, since, fresh, (a, b) => order.compare(a, b));
  written.sorted = { position, rows };
  return rows;
}

// src/query/fetch/fetch.ts
function fetchRows(view, plan, order = new RowOrder(view, plan.query.order)) {
  const path = openAccess(view, plan, order);
  const { range, limit, backward } = plan.query;
  const isBounded = path.isBounded || range.after === void 0 && range.before === void 0;
  const isWanted2 = isBounded ? void 0 : (row) => order.isInRange(row, range);
  if (path.isOrdered) {
    const page = createPage(limit, path.isReversed, isWanted2);
    if (path.visit(page)) return page.rows;
    return fetchRows(view, { ...plan, access: { kind: "scan" } }, order);
  }
  if (limit * SORTED_PAGES >= path.candidates) {
    const gathered = gather(path);
    const rows = order.sort(isWanted2 === void 0 ? gathered : gathered.filter(isWanted2));
    const first = [];
    for (let i = 0; i < rows.length && i < limit; i++) {
      first.push(rows[backward ? rows.length - 1 - i : i]);
    }
    return first;
  }
  const top = new TopRows(plan.query, order, isWanted2);
  path.visit(top);
  return top.toSorted();
}
function countRows(view, plan) {
  let count = 0;
  openAccess(view, plan).visit({
    row: () => {
      count++;
      return true;
    },
    chunk: (chunk, _, bits) => {
      count += countBits(bits, wordsFor(chunk.count));
      return true;
    }
  });
  return count;
}
function gatherRows(view, plan) {
  return gather(openAccess(view, plan));
}
function gather(path) {
  const rows = new Int32Array(path.candidates);
  let found = 0;
  path.visit({
    row: (row) => {
      rows[found++] = row;
      return true;
    },
    chunk: (chunk, base, bits) => {
      eachSetBit(bits, wordsFor(chunk.count), (row) => {
        rows[found++] = base + row;
      });
      return true;
    }
  });
  return rows.subarray(0, found);
}
function createPage(limit, isReversed, isWanted2) {
  const rows = [];
  const row = (each) => {
    if (rows.length < limit && (isWanted2 === void 0 || isWanted2(each))) rows.push(each);
    return rows.length < limit;
  };
  return {
    rows,
    row,
    chunk: ({ count }, base, bits) => {
      const words = wordsFor(count);
      for (let step4 = 0; step4 < words; step4++) {
        const word = isReversed ? words - 1 - step4 : step4;
        for (let rest = bits[word]; rest !== 0; ) {
          const bit = isReversed ? 31 - Math.clz32(rest) : lowestBit(rest);
          if (!row(base + (word << 5) + bit)) return false;
          rest ^= 1 << bit;
        }
      }
      return true;
    }
  };
}
function openAccess(view, plan, order) {
  const filter = compileFilter(plan.residual, view);
  const check = checkEvery(view.checkTime);
  const matches2 = (row) => {
    check();
    return filter.matches(row);
  };
  const { table } = view;
  const { access } = plan;
  switch (access.kind) {
    case "ids":
    case "unique-index":
      return visitNamed(table, access, matches2);
    case "link-index":
      return visitLinked(table, access, matches2);
    case "storage-order":
      return visitInStorageOrder(table, plan, order, filter);
    case "order-index":
      return visitInIndexOrder(table, plan, order, matches2);
    case "scan":
      return visitAll(view, plan, filter, order);
  }
}
function visitNamed(table, access, matches2) {
  const rows = (access.kind === "ids" ? access.ids.map((id) => table.find(id)) : access.keys.map((key) => findUnique(table, access.slot, key, () => true))).filter((row) => row >= 0);
  return {
    candidates: rows.length,
    visit: (visitor) => {
      for (const row of rows) if (matches2(row)) visitor.row(row);
      return true;
    }
  };
}
function visitLinked(table, access, matches2) {
  const { slot, sorted } = access;
  const { index, written: since } = plannedIndex(table, access.index);
  const dirty = since.rows;
  const codes = new Set(access.codes);
  const runs = Array.from(codes, (code) => index.runOf(code));
  const writtenRows = [...dirty].filter((row) => {
    return codes.has(table.codeAt(row, slot)) && table.isLive(row);
  });
  return {
    candidates: runs.reduce((sum, run) => sum + run.length, writtenRows.length),
    isOrdered: sorted !== void 0 && runs.length === 1 && writtenRows.length === 0,
    visit: (visitor) => {
      for (const run of runs) {
        for (let step4 = 0; step4 < run.length; step4++) {
          const row = run[sorted === "backward" ? run.length - 1 - step4 : step4];
          if (dirty.has(row) || !matches2(row)) continue;
          if (!visitor.row(row) && sorted !== void 0) break;
        }
      }
      for (const row of writtenRows) if (matches2(row)) visitor.row(row);
      return true;
    }
  };
}
function visitAll(view, { query }, filter, order) {
  const { chunks, size } = view.table;
  return {
    candidates: size,
    visit: (visitor) => {
      const isTop = order !== void 0 && query.limit * SORTED_PAGES < size;
      const visited = isTop ? sortChunks(chunks, order, query.backward) : chunks.keys();
      const bits = createBits(view.table);
      for (const index of visited) {
        view.checkTime?.();
        selectRows(filter, chunks[index], bits);
        visitor.chunk(chunks[index], ordinalOf(index, 0), bits);
      }
      return true;
    }
  };
}
function sortChunks(chunks, order, backward) {
  const ends = Int32Array.from(chunks, ({ count }, index) => {
    const [first, last] = [ordinalOf(index, 0), ordinalOf(index, count - 1)];
    return order.compare(first, last) < 0 === backward ? last : first;
  });
  const sorted = order.sort(ends);
  return (backward ? sorted.reverse() : sorted).map(chunkIndexOf);
}
function visitInIndexOrder(table, { query, access, residual }, order, matches2) {
  const { range, backward } = query;
  const { index } = access;
  const view = plannedIndex(table, index);
  return {
    candidates: table.size,
    isOrdered: true,
    isBounded: true,
    visit: (visitor) => {
      const budget = Math.max(WALK_BUDGET, table.size * WALK_SHARE);
      const matchesAll = residual.kind === "constant" && residual.value;
      let left = matchesAll ? Number.POSITIVE_INFINITY : budget;
      let isWanted2 = true;
      new OrderWalk(table, order, view).visit(range, backward, (row) => {
        if (matches2(row)) isWanted2 = visitor.row(row);
        return isWanted2 && --left > 0;
      });
      return left > 0 || !isWanted2;
    }
  };
}
function visitInStorageOrder(table, plan, order, filter) {
  const { backward } = plan.access;
  return {
    candidates: table.size,
    isOrdered: true,
    isReversed: backward,
    isBounded: true,
    visit: (visitor) => {
      const bits = createBits(table);
      const { start, end } = spanOfRange(table, plan.query, order);
      let length = FIRST_SPAN;
      for (let done = 0; done < end - start; length *= SPAN_GROWTH) {
        const edge = backward ? end - done : start + done;
        const index = chunkIndexOf(backward ? edge - 1 : edge);
        const chunk = table.chunks[index];
        const base = ordinalOf(index, 0);
        const from = Math.max(backward ? edge - length : edge, start, base) - base;
        const to = Math.min(backward ? edge - base : edge - base + length, end - base, chunk.count);
        selectRows(filter, chunk, bits, from, to);
        if (!visitor.chunk(chunk, base, bits)) break;
        done += to - from;
      }
      return true;
    }
  };
}
function spanOfRange(table, { range, order }, rowOrder) {
  const count = rowCount(table.chunks);
  const { after, before } = range;
  const runsDown = order.keys[0]?.descending;
  const [low, high] = runsDown ? [before, after] : [after, before];
  const find = (point, isPast) => {
    const row = table.find(point.keys?.at(-1));
    if (row >= 0 && rowOrder.compareToPoint(row, point) === 0) return row + isPast;
    const sign = runsDown ? -1 : 1;
    return lowerBound(0, count, (each) => sign * rowOrder.compareToPoint(each, point) >= isPast);
  };
  return { start: low ? find(low, 1) : 0, end: high ? find(high, 0) : count };
}

// src/query/fetch/available.ts
function planRun(view, query) {
  const plan = planRows(query, availableIn(view));
  if (view.indexes !== "never") recordDemand(view, plan);
  return plan;
}
function findLinkingRows(view, link, ids) {
  return gatherRows(view, planRun(view, allMatching(linksTo(link, ids)))).sort();
}
function recordDemand(view, { query, access }) {
  if (access.kind === "ids" || access.kind === "unique-index") return;
  const { table, indexes } = view;
  const used = "index" in access ? access.index : void 0;
  const { order, predicate, limit } = query;
  for (const part of conjunctsOf(predicate)) {
    const condition = linkConditionOf(part);
    if (condition === void 0) continue;
    const { slot } = condition;
    requestIndex(view, linkIndexRecipe(slot), 1, used);
    if (access.kind !== "link-index" || access.slot !== slot) continue;
    if (table.idsAscend && idDirection(order) !== void 0) return;
    const isWorth = indexes === "always" || access.rows >= limit * MIN_SORTED_SHARE;
    const recipe2 = isWorth ? orderIndexRecipe(order, slot) : void 0;
    if (recipe2 !== void 0) requestIndex(view, recipe2, LINKED_PAGE, used);
    return;
  }
  if (access.kind === "storage-order" || limit === Infinity) return;
  const recipe = orderIndexRecipe(order);
  if (recipe !== void 0) requestIndex(view, recipe, weightOf(query), used);
}
function weightOf({ range, predicate }) {
  if (range.after !== void 0 || range.before !== void 0) return 1;
  return predicate.kind === "constant" ? SORTED_PAGE : FILTERED_PAGE;
}
function availableIn(view) {
  const { table, indexes } = view;
  const has = (key) => indexes !== "never" && (viewIndex(table, { key }) !== void 0 || indexes === "always" && !takesTooLong(table, key));
  return {
    size: table.size,
    idsAscend: table.idsAscend,
    isUnique: (slot) => table.uniques.has(slot),
    has,
    linked(condition) {
      const recipe = linkIndexRecipe(condition.slot);
      if (indexes === "always") requestIndex(view, recipe);
      const found = indexes === "never" ? void 0 : viewIndex(table, recipe);
      if (found === void 0) return void 0;
      const { index } = found;
      const codes = codesOf(condition, view);
      return codes && { codes, rows: codes.reduce((sum, code) => sum + index.runOf(code).length, 0) };
    }
  };
}
function codesOf(condition, view) {
  const dictionary = view.table.dictionaries.get(condition.slot);
  const { ids: given } = condition;
  const ids = dictionary && ("hop" in given ? idsWhere(view, given) : given);
  if (ids === void 0) return void 0;
  const codes = ids.map((id) => dictionary.find(id));
  return [...new Set(codes.filter((code) => code !== NULL_CODE))];
}
function idsWhere(from, { hop, condition }) {
  const view = viewAt(from, hop.target);
  const { table } = view;
  const filter = compileFilter(condition, view);
  const ids = [];
  const bits = createBits(table);
  for (const [index, chunk] of table.chunks.entries()) {
    selectRows(filter, chunk, bits);
    eachSetBit(bits, wordsFor(chunk.count), (row) => {
      ids.push(table.idAt(ordinalOf(index, row)));
    });
    if (ids.length > MAX_LINK_TARGETS) break;
  }
  return ids.length > MAX_LINK_TARGETS ? void 0 : ids;
}

// src/query/bind/column-list.ts
function bindColumnList(scope, columns, at) {
  if (columns === void 0) return [];
  const inner = { ...scope, clause: "columns" };
  const refs = /* @__PURE__ */ new Map();
  for (const [index, path] of readEntries(scope, columns, 0, at).entries()) {
    const entryAt = pointer(at, index);
    if (typeof path !== "string") refuseEntry(path, entryAt);
    for (const ref of expandPath(inner, path, entryAt)) refs.set(ref.path, ref);
  }
  return [...refs.values()];
}
function readEntries(scope, columns, before, at) {
  if (!isArray(columns)) refuseValue(columns, "an array", entriesAt(at));
  const { columns: most } = scope.run.limits;
  const count = before + columns.length;
  if (count > most) {
    const message = `columns: at most ${most} entries, found ${count}`;
    refuse("invalid_request", message, { path: at, rule: "L-4" });
  }
  return columns;
}
function refuseEntry(entry, at) {
  refuseValue(entry, "a column path", entriesAt(at));
}
function entriesAt(path) {
  return { what: "columns", path, rule: "P-2" };
}
function bindTypedColumn(scope, path, types, at) {
  if (typeof path !== "string") refuseValue(path, "a column path", { path: at, rule: "X-6" });
  const { ref } = resolvePath(scope, path, at);
  if (ref.type === "object") {
    const message = `column [${path}]: expected a column with values, found an object`;
    refuse("invalid_request", message, { path: at, rule: "X-6" });
  }
  if (isJsonPath(ref)) refuseUnknown(scope, void 0, path, path, at);
  requireType(ref, types, at);
  return ref;
}
function requireType(column, types, at) {
  if (types.has(column.type)) return;
  const expected = [...types].join(", ");
  const message = `column [${column.path}]: expected ${expected}, found ${column.type}`;
  refuse("invalid_request", message, { path: at, rule: "X-6" });
}
function expandPath(scope, path, at) {
  if (path === "*") return expandColumns(scope.table.schema.columns, scope.hops, "");
  const isAll = path.endsWith(".*");
  const { ref, inner } = resolvePath(scope, isAll ? path.slice(0, -2) : path, at);
  if (ref.type === "object") return expandColumns(ref.columns, ref.hops, `${ref.path}.`);
  if (isAll) {
    if (inner === void 0 || inner.files !== void 0) {
      refuseUnknown(scope, void 0, path, path, at);
    }
    return expandColumns(inner.table.schema.columns, inner.hops, `${inner.path}.`);
  }
  if (isJsonPath(ref)) refuseUnknown(scope, void 0, path, path, at);
  return [ref];
}
function expandColumns(columns, hops, prefix2) {
  return columns.flatMap((column) => {
    const path = prefix2 + column.name;
    return column.type === "object" ? expandColumns(column.columns, hops, `${path}.`) : [refTo(column, hops, path)];
  });
}

// src/query/aggregate/time-buckets.ts
var SECOND = 1e3;
var MINUTE = 60 * SECOND;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
var UNITS = {
  d: DAY,
  h: HOUR,
  m: MINUTE,
  s: SECOND,
  ms: 1
};
function parseInterval(text) {
  const match = /^(\d{1,15})(d|h|m|s|ms)$/.exec(text);
  const length = match === null ? 0 : Number(match[1]) * UNITS[match[2] ?? ""];
  return length > 0 && Number.isSafeInteger(length) ? length : void 0;
}
function parseOffset(text) {
  const match = /^([+-])([01]\d):([0-5]\d)$/.exec(text);
  if (match === null) return void 0;
  const length = Number(match[2]) * HOUR + Number(match[3]) * MINUTE;
  return match[1] === "-" ? -length : length;
}
function fixedIntervals(length, shift, isTime) {
  const startOf = (value) => {
    const start = Math.floor((value + shift) / length) * length - shift;
    if (isTime) return Math.max(start, MIN_INSTANT_MS);
    return Number.isFinite(start) ? start + 0 : value;
  };
  return { shift, length, startOf };
}
var CALENDAR_INTERVALS = {
  minute: (offset) => fixedIntervals(MINUTE, offset, true),
  hour: (offset) => fixedIntervals(HOUR, offset, true),
  day: (offset) => fixedIntervals(DAY, offset, true),
  // Weeks begin on Monday, and 1970-01-01 was a Thursday.
  week: (offset) => fixedIntervals(7 * DAY, offset + 3 * DAY, true),
  month: (offset) => monthIntervals(1, offset),
  quarter: (offset) => monthIntervals(3, offset),
  year: (offset) => monthIntervals(12, offset)
};
function monthIntervals(months, offset) {
  const startOf = (ms) => Math.max(startOfMonths(ms + offset, months) - offset, MIN_INSTANT_MS);
  return { shift: offset, length: DAY, startOf };
}

// src/query/aggregate/aggregations.ts
var TIMES2 = typesWith(({ stored }) => stored === "instant");
var VALUES = typesWith(({ sortable, stored }) => sortable && stored !== "instant");
var STORE_VALUES = new Set([...VALUES].filter((type) => type !== "link" && type !== "text"));
var DEFAULT_TOP = 10;
var MAX_TOP = 1e3;
var MAX_PERCENTILES = 1e3;
var KINDS2 = {
  count: (scope, fields, at) => {
    requireKnownKeys(fields, ["filter"], { path: at });
    return { kind: "count", predicate: bindStoreFilter(scope, fields.filter, `${at}/filter`) };
  },
  sum: bindMeasure("sum", NUMERIC_TYPES),
  average: bindMeasure("average", NUMERIC_TYPES),
  min: bindMeasure("min", NUMERIC_TYPES),
  max: bindMeasure("max", NUMERIC_TYPES),
  uniqueCount: bindMeasure("uniqueCount", COMPARABLE_TYPES, ["precisionThreshold"]),
  percentiles: (scope, fields, at) => {
    requireKnownKeys(fields, ["column", "percentiles"], { path: at });
    const column = bindColumnOf(scope, fields, NUMERIC_TYPES, at);
    return { kind: "percentiles", column, percentiles: readPercentiles(fields.percentiles, at) };
  },
  topValues: (scope, fields, at, level) => {
    requireKnownKeys(fields, ["column", "size", "aggs"], { path: at });
    const { storeAggregates } = scope.run.profile;
    const column = bindColumnOf(scope, fields, storeAggregates ? STORE_VALUES : VALUES, at);
    const { size = DEFAULT_TOP } = fields;
    const top = readNumber(size, [1, MAX_TOP], fieldAt(at, "size"));
    const aggregations = bindInner(scope, fields, at, level);
    return { kind: "buckets", column, interval: void 0, top, aggregations };
  },
  numericHistogram: (scope, fields, at, level) => {
    requireKnownKeys(fields, ["column", "interval", "offset", "aggs"], { path: at });
    const column = bindColumnOf(scope, fields, NUMERIC_TYPES, at);
    const { interval, offset = 0 } = fields;
    if (typeof interval !== "number" || !(interval > 0)) {
      refuseField(at, "interval", "a number above 0", interval);
    }
    if (typeof offset !== "number") refuseField(at, "offset", "a number", offset);
    const aggregations = bindInner(scope, fields, at, level);
    const intervals = fixedIntervals(interval, -offset, false);
    return { kind: "buckets", column, interval: intervals, top: void 0, aggregations };
  },
  dateHistogram: (scope, fields, at, level) => {
    const keys = ["column", "interval", "calendarInterval", "timezone", "aggs"];
    requireKnownKeys(fields, keys, { path: at });
    const column = bindColumnOf(scope, fields, TIMES2, at);
    if (isInternal(column) && scope.run.profile.storeAggregates) {
      refuseField(at, "column", "a column other than the metadata", column.path);
    }
    const interval = readIntervals(fields, at);
    const aggregations = bindInner(scope, fields, at, level);
    return { kind: "buckets", column, interval, top: void 0, aggregations };
  }
};
function bindAggregations(scope, aggregations = {}, at, level) {
  const { filterLevels } = scope.run.limits;
  if (level > filterLevels) {
    refuse("invalid_request", `aggs: at most ${filterLevels} levels`, { path: at, rule: "X-6" });
  }
  requireObject(aggregations, { path: at, rule: "X-6" });
  const bound = /* @__PURE__ */ new Map();
  for (const name of Object.keys(aggregations)) {
    if (aggregations[name] === void 0) continue;
    const memberAt = pointer(at, name);
    if (!isColumnName(name)) {
      const message = `aggs: ${describe(name)} cannot name an aggregation`;
      refuse("invalid_request", message, { path: memberAt, rule: "X-6" });
    }
    bound.set(name, bindAggregation(scope, aggregations[name], memberAt, level));
  }
  return bound;
}
function bindAggregation(scope, expression, at, level) {
  const [kind, fields] = readChoice(expression, Object.keys(KINDS2), { path: at, rule: "X-6" });
  if (kind === "count" && fields === "*") return { kind, predicate: TRUE };
  const fieldsAt = pointer(at, kind);
  requireObject(fields, { path: fieldsAt, rule: "X-6" });
  return KINDS2[kind](scope, fields, fieldsAt, level);
}
function bindMeasure(kind, types, further = []) {
  return (scope, fields, at) => {
    requireKnownKeys(fields, ["column", ...further], { path: at });
    const column = bindColumnOf(scope, fields, types, at);
    const { precisionThreshold = 0 } = fields;
    readNumber(precisionThreshold, [0], fieldAt(at, "precisionThreshold"));
    return { kind, column };
  };
}
function bindColumnOf(scope, { column }, types, at) {
  const bound = bindTypedColumn(scope, column, types, `${at}/column`);
  if (scope.run.profile.storeAggregates && isOfLink(bound)) {
    refuseField(at, "column", "a column of the table itself, not a link", bound.path);
  }
  return bound;
}
function bindInner(scope, { aggs }, at, level) {
  return bindAggregations(scope, aggs, `${at}/aggs`, level + 1);
}
function readPercentiles(percentiles, at) {
  if (!isArray(percentiles) || percentiles.length > MAX_PERCENTILES) {
    refuseField(at, "percentiles", `an array of at most ${MAX_PERCENTILES} numbers`, percentiles);
  }
  return percentiles.map(
    (value, index) => readNumber(value, [0, 100], fieldAt(at, `percentiles/${index}`), "a number")
  );
}
function readIntervals(fields, at) {
  const { interval, calendarInterval, timezone = "+00:00" } = fields;
  const offset = typeof timezone === "string" ? parseOffset(timezone) : void 0;
  if (offset === void 0) refuseField(at, "timezone", "an offset such as +01:00", timezone);
  if (interval !== void 0 && calendarInterval !== void 0) {
    refuseField(at, "calendarInterval", "it without interval", calendarInterval);
  }
  if (calendarInterval !== void 0) {
    const names = Object.keys(CALENDAR_INTERVALS);
    if (!names.includes(calendarInterval)) {
      refuseField(at, "calendarInterval", `one of ${names.join(", ")}`, calendarInterval);
    }
    return CALENDAR_INTERVALS[calendarInterval](offset);
  }
  const length = typeof interval === "string" ? parseInterval(interval) : void 0;
  if (length === void 0) {
    refuseField(at, "interval", "a number and one of d, h, m, s, ms, such as 5d", interval);
  }
  return fixedIntervals(length, offset, true);
}
function fieldAt(at, field) {
  return { what: field, path: `${at}/${field}`, rule: "X-6" };
}
function refuseField(at, field, expected, found) {
  refuseValue(found, expected, fieldAt(at, field));
}

// src/value/exact-sum.ts
var FLOAT = new Float64Array(1);
var BITS = new BigUint64Array(FLOAT.buffer);
var LEAST = -1074;
var ExactSum = class {
  #sum = 0n;
  add(term) {
    FLOAT[0] = Math.abs(term);
    const exponent = BITS[0] >> 52n;
    const fraction = BITS[0] & 0xfffffffffffffn;
    const size = exponent === 0n ? fraction : (fraction | 1n << 52n) << exponent - 1n;
    this.#sum += term < 0 ? -size : size;
  }
  /** Returns sum / divisor, rounded once; infinite on overflow. */
  divide(divisor = 1) {
    const size = this.#sum < 0n ? -this.#sum : this.#sum;
    const by = BigInt(divisor);
    const extra = Math.max(0, lengthOf(size) - lengthOf(by) - 64);
    const unit = by << BigInt(extra);
    const whole = size / unit;
    const rest = size % unit * 2n;
    const isUp = rest > unit || rest === unit && whole % 2n === 1n;
    const rounded = whole < 2n ** 53n ? Number(isUp ? whole + 1n : whole) : Number(whole * 2n + (rest === 0n ? 0n : 1n)) / 2;
    const result = rounded * 2 ** (LEAST + extra);
    return this.#sum < 0n ? -result : result;
  }
};
function lengthOf(number) {
  return number.toString(16).length * 4;
}

// src/value/sums.ts
var UNIT = 2 ** -53;
var SPLITTER = 2 ** 27 + 1;
var MIN_QUOTIENT = 2 ** -900;
var NO_FLOATS = /* @__PURE__ */ new Float64Array(0);
var NO_INTS = /* @__PURE__ */ new Int32Array(0);
var Sums = class {
  // By group. Results take the places of the parts.
  #highs = NO_FLOATS;
  #lows = NO_FLOATS;
  #nulls = NO_INTS;
  #groups = 0;
  /** The smallest size of a term other than 0, in any group. */
  #least = Number.POSITIVE_INFINITY;
  /** The sum of the sizes of all rounding errors, in any group. */
  #errors = 0;
  /** Exact sums of the groups whose rounding the two numbers do not decide. */
  #exact = /* @__PURE__ */ new Map();
  /**
   * Adds numbers, once more if a result was undecided.
   * @param of the groups of the numbers; undefined for group 0
   */
  add(numbers, of, groups) {
    if (this.#exact.size > 0) {
      for (let i = 0; i < numbers.length; i++) {
        const x = numbers[i];
        if (!Number.isNaN(x)) this.#exact.get(of?.[i] ?? 0)?.add(x);
      }
      return;
    }
    this.#groups = groups;
    this.#highs = grown(this.#highs, groups);
    this.#lows = grown(this.#lows, groups);
    this.#nulls = grown(this.#nulls, groups);
    if (of === void 0) this.#addToOne(numbers);
    else this.#addToGroups(numbers, of, this.#addWhole(numbers, of));
  }
  /** Adds to high parts until an addition has an error; returns the number of terms. Memory is what takes time. */
  #addWhole(numbers, of) {
    if (this.#errors !== 0) return 0;
    const highs = this.#highs;
    let least = this.#least;
    let i = 0;
    for (; i < numbers.length; i++) {
      const x = numbers[i];
      const high = highs[of[i]];
      const sum = high + x;
      const part = sum - high;
      if (high - (sum - part) + (x - part) !== 0) break;
      highs[of[i]] = sum;
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#least = least;
    return i;
  }
  #addToGroups(numbers, of, from) {
    const highs = this.#highs;
    const lows = this.#lows;
    const nulls2 = this.#nulls;
    let least = this.#least;
    let errors = this.#errors;
    for (let i = from; i < numbers.length; i++) {
      const x = numbers[i];
      const group = of[i];
      if (Number.isNaN(x)) {
        nulls2[group]++;
        continue;
      }
      const high = highs[group];
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      highs[group] = sum;
      lows[group] += error;
      errors += Math.abs(error);
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#least = least;
    this.#errors = errors;
  }
  /** Keeps the sum in local variables: the next addition would wait for an array. */
  #addToOne(numbers) {
    let least = this.#least;
    let errors = this.#errors;
    let high = this.#highs[0];
    let low = this.#lows[0];
    let nulls2 = 0;
    for (let i = 0; i < numbers.length; i++) {
      const x = numbers[i];
      if (Number.isNaN(x)) {
        nulls2++;
        continue;
      }
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      high = sum;
      low += error;
      errors += Math.abs(error);
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#highs[0] = high;
    this.#lows[0] = low;
    this.#nulls[0] += nulls2;
    this.#least = least;
    this.#errors = errors;
  }
  /**
   * Rounds sums or averages once; false if all numbers must be added once more.
   * @param countOf the number of rows of a group, null or not
   */
  round(kinds, countOf) {
    const [isSum, isAverage] = [kinds.has("sum"), kinds.has("average")];
    if (this.#exact.size > 0) {
      for (const [group, exact] of this.#exact) {
        this.#highs[group] = exact.divide();
        this.#lows[group] = exact.divide(countOf(group) - this.#nulls[group]);
      }
      return true;
    }
    for (let group = 0; group < this.#groups; group++) {
      const [high, low] = [this.#highs[group], this.#lows[group]];
      const terms = countOf(group) - this.#nulls[group];
      const bound = this.#errors <= this.#least ? 0 : 2 * terms * UNIT * this.#errors;
      const sum = !isSum || terms === 0 ? Number.NaN : roundSum(high, low, bound);
      const average = !isAverage || terms === 0 ? Number.NaN : roundQuotient(high, low, bound, terms);
      if (sum === void 0 || average === void 0) this.#exact.set(group, new ExactSum());
      this.#highs[group] = sum ?? Number.NaN;
      if (isAverage) this.#lows[group] = average ?? Number.NaN;
    }
    return this.#exact.size === 0;
  }
  /** Returns a result; NaN for no terms, not finite for overflow. */
  resultOf(kind, group) {
    return (kind === "sum" ? this.#highs : this.#lows)[group] ?? Number.NaN;
  }
};
function grown(array, length, fill2 = 0) {
  if (length <= array.length) return array;
  const type = array.constructor;
  const longer = new type(array.length === 0 ? length : 2 * length);
  longer.set(array);
  if (fill2 !== 0) longer.fill(fill2, array.length);
  return longer;
}
function roundSum(high, low, bound) {
  const slack = bound === 0 ? 0 : bound + 4 * UNIT * Math.abs(low);
  const least = high + (low - slack);
  return least === high + (low + slack) ? least : void 0;
}
function roundQuotient(high, low, bound, divisor) {
  const quotient = high / divisor;
  if (Number.isInteger(Math.log2(divisor)) && Math.abs(quotient) >= MIN_QUOTIENT) {
    return roundSum(quotient, low / divisor, bound / divisor);
  }
  if (high !== 0 && Math.abs(quotient) < MIN_QUOTIENT) return void 0;
  const product = quotient * divisor;
  const [quotientHigh, quotientLow] = split(quotient);
  const [divisorHigh, divisorLow] = split(divisor);
  const error = quotientHigh * divisorHigh - product + quotientHigh * divisorLow + quotientLow * divisorHigh + quotientLow * divisorLow;
  const rest = (high - product - error + low) / divisor;
  const slack = bound / divisor + 8 * UNIT * Math.abs(rest) + 8 * UNIT * UNIT * Math.abs(quotient);
  const least = quotient + (rest - slack);
  return least === quotient + (rest + slack) ? least : void 0;
}
function split(number) {
  const shifted = SPLITTER * number;
  const high = shifted - (shifted - number);
  return [high, number - high];
}

// src/value/percentiles.ts
var MAX_SORTED = 4096;
var BINS = 1 << 16;
var Numbers = class {
  #numbers = NO_FLOATS;
  #groups = NO_INTS;
  #count = 0;
  #byGroup;
  /** Adds numbers but for NaN. */
  add(numbers, of) {
    const length = this.#count + numbers.length;
    this.#numbers = grown(this.#numbers, length);
    if (of !== void 0) this.#groups = grown(this.#groups, length);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i];
      if (Number.isNaN(number)) continue;
      if (of !== void 0) this.#groups[this.#count] = of[i];
      this.#numbers[this.#count++] = number;
    }
  }
  /** Returns the numbers of a group; valid until more are added. */
  of(group) {
    this.#byGroup ??= this.#groups.length > 0 ? this.#split() : () => this.#numbers.subarray(0, this.#count);
    return this.#byGroup(group);
  }
  #split() {
    let most = 0;
    for (let i = 0; i < this.#count; i++) most = Math.max(most, this.#groups[i]);
    const ends = new Int32Array(most + 2);
    for (let i = 0; i < this.#count; i++) ends[this.#groups[i] + 1]++;
    for (let group = 1; group < ends.length; group++) ends[group] += ends[group - 1];
    const sorted = new Float64Array(this.#count);
    const next = ends.slice();
    for (let i = 0; i < this.#count; i++) sorted[next[this.#groups[i]]++] = this.#numbers[i];
    return (group) => sorted.subarray(ends[group] ?? 0, ends[group + 1] ?? 0);
  }
};
function percentilesOf(numbers, percentiles) {
  const last = numbers.length - 1;
  if (last < 0) return percentiles.map(() => null);
  const places = percentiles.map(
    (percentile) => Math.min(Math.max(percentile * numbers.length / 100 - 0.5, 0), last)
  );
  const ranks = new Set(places.flatMap((rank) => [Math.floor(rank), Math.ceil(rank)]));
  const at = selectRanks(numbers, ranks);
  return places.map((rank) => {
    const share = rank - Math.floor(rank);
    const [below2, above] = [at(Math.floor(rank)), at(Math.ceil(rank))];
    const between = below2 + (above - below2) * share;
    return Number.isFinite(between) ? between : below2 * (1 - share) + above * share;
  });
}
function selectRanks(numbers, ranks) {
  if (numbers.length <= MAX_SORTED) {
    const sorted = numbers.slice().sort();
    return (rank) => sorted[rank];
  }
  const heads = new Uint16Array(numbers.buffer, numbers.byteOffset, numbers.length * 4);
  const starts = new Int32Array(BINS + 1);
  for (let i = 3; i < heads.length; i += 4) starts[binOf(heads[i]) + 1]++;
  for (let bin = 1; bin <= BINS; bin++) starts[bin] += starts[bin - 1];
  const isWanted2 = new Uint8Array(BINS);
  const binOfRank = (rank) => lowerBound(0, BINS - 1, (bin) => starts[bin + 1] > rank);
  for (const rank of ranks) isWanted2[binOfRank(rank)] = 1;
  const bins = /* @__PURE__ */ new Map();
  const filled = new Int32Array(BINS);
  for (let bin = 0; bin < BINS; bin++) {
    if (isWanted2[bin] === 1) bins.set(bin, new Float64Array(starts[bin + 1] - starts[bin]));
  }
  for (let i = 0; i < numbers.length; i++) {
    const bin = binOf(heads[i * 4 + 3]);
    if (isWanted2[bin] === 1) bins.get(bin)[filled[bin]++] = numbers[i];
  }
  for (const bin of bins.values()) bin.sort();
  return (rank) => {
    const bin = binOfRank(rank);
    return bins.get(bin)[rank - starts[bin]];
  };
}
function binOf(head) {
  return head & 32768 ? ~head & 65535 : head | 32768;
}

// src/value/number-codes.ts
var MIN_CAPACITY = 2 ** 6;
var MAX_FIRST_CAPACITY = 2 ** 11;
var NumberCodes = class {
  #keys;
  /** 0 for an empty slot. */
  #codes;
  #used = 0;
  #float = new Float64Array(1);
  #halves = new Uint32Array(this.#float.buffer);
  /** @param most the numbers to expect at most */
  constructor(most = 0) {
    let capacity = MIN_CAPACITY;
    while (capacity < MAX_FIRST_CAPACITY && capacity < 2 * most) capacity *= 2;
    this.#keys = new Float64Array(capacity);
    this.#codes = new Int32Array(capacity);
  }
  /** Returns the code of a number; a number without one gets `next`. */
  find(number, next) {
    const slot = this.#slotOf(number);
    const numberCode = this.#codes[slot];
    if (numberCode !== 0) return numberCode;
    this.#keys[slot] = number;
    this.#codes[slot] = next;
    if (++this.#used * 2 > this.#codes.length) this.#grow();
    return next;
  }
  #grow() {
    const [keys, codes] = [this.#keys, this.#codes];
    this.#keys = new Float64Array(keys.length * 4);
    this.#codes = new Int32Array(keys.length * 4);
    for (let i = 0; i < keys.length; i++) {
      if (codes[i] === 0) continue;
      const slot = this.#slotOf(keys[i]);
      this.#keys[slot] = keys[i];
      this.#codes[slot] = codes[i];
    }
  }
  /** The slot of a number, or the empty one for it. */
  #slotOf(number) {
    const [keys, codes] = [this.#keys, this.#codes];
    const mask = keys.length - 1;
    let bits = number | 0;
    if (bits !== number) {
      this.#float[0] = number;
      bits = this.#halves[0] ^ Math.imul(this.#halves[1], 2654435761);
    }
    const mixed = Math.imul(bits, 2246822507);
    let slot = (mixed ^ mixed >>> 15) & mask;
    while (codes[slot] !== 0 && keys[slot] !== number) slot = slot + 1 & mask;
    return slot;
  }
};

// src/query/aggregate/pieces.ts
function eachPiece(view, plan, visit) {
  const { chunks } = view.table;
  let scratch = new Uint16Array(0);
  const give = (chunk, base, bits) => {
    const words = wordsFor(chunk.count);
    const count = countBits(bits, words);
    let rows;
    if (count < chunk.count) {
      scratch = grown(scratch, count);
      listBits(bits, words, scratch);
      rows = scratch;
    }
    if (count > 0) visit({ chunk, base, bits, count, rows });
    return true;
  };
  const named = /* @__PURE__ */ new Map();
  openAccess(view, plan).visit({
    row: (ordinal) => {
      const index = chunkIndexOf(ordinal);
      const bits = named.get(index) ?? new Uint32Array(wordsFor(chunks[index].count));
      bits[rowAt(ordinal) >>> 5] |= 1 << (ordinal & 31);
      named.set(index, bits);
      return true;
    },
    chunk: give
  });
  for (const [index, bits] of [...named].sort(([a], [b]) => a - b)) {
    view.checkTime?.();
    give(chunks[index], ordinalOf(index, 0), bits);
  }
}
function rowOf({ rows }, position) {
  return rows === void 0 ? position : rows[position];
}

// src/query/aggregate/columns.ts
function createValueReader(view, ref) {
  const read = createRead(view, ref);
  return (piece, position) => read(piece.base + rowOf(piece, position));
}
function isPlain({ hops, keys }) {
  return hops.length === 0 && keys === void 0;
}
var NumberReader = class {
  #slot;
  #readAny;
  #scratch = NO_FLOATS;
  #last;
  #numbers = this.#scratch;
  constructor(view, ref) {
    this.#slot = isPlain(ref) ? ref.slot : void 0;
    this.#readAny = createValueReader(view, ref);
  }
  /** Valid until the next piece is read. */
  read(piece) {
    if (piece !== this.#last) this.#numbers = this.#read(piece).subarray(0, piece.count);
    this.#last = piece;
    return this.#numbers;
  }
  #read(piece) {
    const { chunk, rows, count } = piece;
    const vector = this.#slot === void 0 ? void 0 : chunk.vectors[this.#slot];
    const floats = vector?.kind === "number" ? vector.values : vector?.kind === "instant" ? vector.ms : void 0;
    if (floats !== void 0 && rows === void 0) return floats;
    const scratch = grown(this.#scratch, count);
    this.#scratch = scratch;
    if (floats === void 0) this.#readEach(piece, scratch);
    else for (let i = 0; i < count; i++) scratch[i] = floats[rows[i]];
    return scratch;
  }
  #readEach(piece, scratch) {
    for (let i = 0; i < piece.count; i++) {
      const value = this.#readAny(piece, i);
      scratch[i] = Number(value?.ms ?? value ?? Number.NaN);
    }
  }
};
var MAX_SPARSE = 4096;
var SAMPLES = 16;
var CodeReader = class {
  /** Codes below are those of the dictionary, or whole numbers and one; undefined before the first piece. */
  #direct;
  /** The values of the other codes. */
  #values = [];
  #view;
  #ref;
  #dictionary;
  #readAny;
  #readNumbers;
  #codesByKey = /* @__PURE__ */ new Map();
  /** Codes of numbers, and of times in milliseconds. */
  #numbers;
  #scratch = NO_INTS;
  #last;
  constructor(view, ref, readNumbers) {
    const { dictionaries, size } = view.table;
    const dictionary = isPlain(ref) ? dictionaries.get(ref.slot) : void 0;
    this.#view = view;
    this.#ref = ref;
    this.#dictionary = dictionary !== void 0 && dictionary.size <= Math.max(MAX_SPARSE, size) ? dictionary : void 0;
    this.#readAny = createValueReader(view, ref);
    this.#readNumbers = readNumbers;
  }
  get size() {
    return (this.#direct ?? 1) + this.#values.length;
  }
  valueOf(code) {
    if (code === NULL_CODE) return null;
    if (code >= this.#direct) return this.#values[code - this.#direct];
    return this.#dictionary === void 0 ? code - 1 : this.#dictionary.values[code];
  }
  read(piece) {
    if (piece === this.#last) return this.#scratch;
    this.#last = piece;
    this.#direct ??= this.#dictionary?.size ?? this.#limitOf(piece);
    this.#scratch = grown(this.#scratch, piece.count);
    const vector = isPlain(this.#ref) ? piece.chunk.vectors[this.#ref.slot] : void 0;
    if (vector?.kind === "code" && vector.dictionary === this.#dictionary) {
      const { rows, count } = piece;
      if (rows === void 0) this.#scratch.set(vector.codes.subarray(0, count));
      else for (let i = 0; i < count; i++) this.#scratch[i] = vector.codes[rows[i]];
    } else if (vector?.kind === "number" || vector?.kind === "instant" && vector.micros === void 0) {
      this.#encodeFloats(this.#readNumbers.read(piece), this.#direct);
    } else if (vector?.kind === "text") {
      for (let i = 0; i < piece.count; i++) {
        const text = vector.texts[rowOf(piece, i)];
        this.#scratch[i] = text === null ? NULL_CODE : this.#encodeText(text);
      }
    } else {
      for (let i = 0; i < piece.count; i++) {
        const value = this.#readAny(piece, i);
        this.#scratch[i] = value === null ? NULL_CODE : this.#encode(value);
      }
    }
    return this.#scratch;
  }
  /** Returns one more than the whole numbers to use as codes, if a large part of the rows is read. */
  #limitOf({ chunk, rows, count }) {
    const { chunks, size } = this.#view.table;
    if (!isPlain(this.#ref) || rows !== void 0 && count * 4 < chunk.count) return 1;
    let most = -1;
    for (let at = 0; at < chunks.length; at += Math.ceil(chunks.length / SAMPLES)) {
      const vector = chunks[at].vectors[this.#ref.slot];
      if (vector?.kind !== "number") continue;
      for (let i = 0; i < chunks[at].count; i++) {
        const number = vector.values[i];
        if (number > most && number * 4 <= size && Number.isInteger(number)) most = number;
      }
    }
    return 2 ** (32 - Math.clz32(most + 1));
  }
  #encodeFloats(floats, direct) {
    const codes = this.#scratch;
    for (let i = 0; i < floats.length; i++) {
      const number = floats[i];
      const whole = number | 0;
      const isDirect = whole === number && whole >= 0 && whole < direct - 1;
      codes[i] = isDirect ? whole + 1 : this.#encodeNumber(number);
    }
  }
  #encode(value) {
    const { type } = this.#ref;
    if (type === "json" || Array.isArray(value))
      return this.#take(canonicalJson(value), value);
    if (typeof value === "number") return this.#encodeNumber(value);
    if (typeof value === "string") return this.#encodeText(value);
    if (typeof value !== "object") return this.#take(value, value);
    const { ms, micros } = value;
    return micros === 0 ? this.#encodeNumber(ms) : this.#take(`${ms}.${micros}`, value);
  }
  #encodeText(text) {
    return this.#dictionary?.find(text) || this.#take(text, text);
  }
  /** Returns the code of a number that is not its own, 0 for NaN. */
  #encodeNumber(number) {
    if (Number.isNaN(number)) return NULL_CODE;
    this.#numbers ??= new NumberCodes(this.#view.table.size);
    const next = this.size;
    const code = this.#numbers.find(number, next);
    const isTime = this.#ref.type === "datetime";
    if (code === next) this.#values.push(isTime ? { ms: number, micros: 0 } : number);
    return code;
  }
  #take(key, value) {
    const cached = this.#codesByKey.get(key);
    if (cached !== void 0) return cached;
    const code = this.size;
    this.#values.push(value);
    this.#codesByKey.set(key, code);
    return code;
  }
};

// src/value/pair-codes.ts
var MAX_TABLE = 1 << 20;
var PairCodes = class {
  constructor() {
    this.outers = [0];
    this.codes = [0];
    /** A code takes this many bits of the position in the table. */
    this.#bits = 4;
    /** The greatest outer group in the table. */
    this.#most = -1;
    this.#table = new Int32Array(0);
    this.#map = /* @__PURE__ */ new Map();
  }
  #bits;
  #most;
  #table;
  #map;
  get size() {
    return this.outers.length;
  }
  find(outer, code) {
    const table = this.#table;
    if (table !== void 0 && outer <= this.#most && code >> this.#bits === 0) {
      const group = table[outer << this.#bits | code];
      if (group !== 0) return group;
    }
    return this.#add(outer, code);
  }
  #add(outer, code) {
    if (this.#table !== void 0 && !this.#reach(outer, code)) {
      this.#table = void 0;
      for (let group2 = 1; group2 < this.size; group2++) {
        this.#map.set(keyOfPair(this.outers[group2], this.codes[group2]), group2);
      }
    }
    if (this.#table === void 0) {
      const pairCode = this.#map.get(keyOfPair(outer, code));
      if (pairCode !== void 0) return pairCode;
    }
    this.codes.push(code);
    const group = this.outers.push(outer) - 1;
    if (this.#table === void 0) this.#map.set(keyOfPair(outer, code), group);
    else this.#table[outer << this.#bits | code] = group;
    return group;
  }
  /** Grows the table to a pair; false if it would be too large. */
  #reach(outer, code) {
    let bits = this.#bits;
    while (code >> bits !== 0) bits++;
    this.#most = Math.max(this.#most, outer);
    const needed = (this.#most + 1) * 2 ** bits;
    if (needed > MAX_TABLE) return false;
    if (bits === this.#bits && needed <= this.#table.length) return true;
    this.#bits = bits;
    this.#table = new Int32Array(Math.min(MAX_TABLE, needed * 2));
    for (let group = 1; group < this.size; group++) {
      this.#table[this.outers[group] << bits | this.codes[group]] = group;
    }
    return true;
  }
};
function keyOfPair(outer, code) {
  return outer * 2 ** 26 + code;
}

// src/query/aggregate/groups.ts
var Grouping = class {
  #codes;
  #hasNulls;
  /** Undefined if codes are groups, because there is a single outer group. */
  #pairs;
  #counts = NO_INTS;
  #scratch = NO_INTS;
  constructor(outer, codes, hasNulls = true) {
    this.outer = outer;
    this.#codes = codes;
    this.#hasNulls = hasNulls;
    this.#pairs = outer?.outer === void 0 ? void 0 : new PairCodes();
  }
  /** One more than the greatest group so far. */
  get size() {
    return this.#pairs?.size ?? this.#codes?.size ?? 1;
  }
  read(piece) {
    const codes = this.#codes?.read(piece);
    const outers = this.outer?.of;
    const pairs = this.#pairs;
    if (codes === void 0 || outers === void 0 || pairs === void 0) {
      this.of = codes;
      return;
    }
    this.#scratch = grown(this.#scratch, piece.count);
    const groups = this.#scratch;
    for (let i = 0; i < piece.count; i++) {
      const outer = outers[i];
      const code = codes[i];
      const isIn = this.#hasNulls || outer !== 0 && code !== 0;
      groups[i] = isIn ? pairs.find(outer, code) : 0;
    }
    this.of = groups;
  }
  /** Counts the rows that were read. */
  count({ count }) {
    this.#counts = grown(this.#counts, this.size);
    const counts = this.#counts;
    const groups = this.of;
    if (groups === void 0) counts[0] += count;
    else for (let i = 0; i < count; i++) counts[groups[i]]++;
  }
  countOf(group) {
    return this.#counts[group] ?? 0;
  }
  /** The groups with rows; that of all rows in any case. */
  groups() {
    const counts = this.#counts;
    if (this.outer === void 0) return new Int32Array(1);
    const groups = new Int32Array(counts.length);
    let found = 0;
    const hasZero = this.#pairs === void 0 && this.#hasNulls;
    for (let group = hasZero ? 0 : 1; group < counts.length; group++) {
      if (counts[group] !== 0) groups[found++] = group;
    }
    return groups.subarray(0, found);
  }
  outerOf(group) {
    return this.#pairs?.outers[group] ?? 0;
  }
  /** Returns the value of a group's code; null for null. */
  keyOf(group) {
    return this.#codes?.valueOf(this.#pairs?.codes[group] ?? group) ?? null;
  }
};
var MAX_WINDOW = 2 ** 19;
var IntervalCodes = class {
  #numbers;
  #interval;
  #isTime;
  /** By code. */
  #starts = [Number.NaN];
  #codesByStart = /* @__PURE__ */ new Map();
  /** Codes by the parts of intervals that the rows are in, from the first part of the window. */
  #window = NO_INTS;
  #first = Number.NaN;
  #scratch = NO_INTS;
  constructor(numbers, interval, isTime) {
    this.#numbers = numbers;
    this.#interval = interval;
    this.#isTime = isTime;
  }
  get size() {
    return this.#starts.length;
  }
  valueOf(code) {
    const start = this.#starts[code];
    return this.#isTime ? { ms: start, micros: 0 } : start;
  }
  read(piece) {
    const numbers = this.#numbers.read(piece);
    this.#scratch = grown(this.#scratch, numbers.length);
    const codes = this.#scratch;
    for (let i = 0; i < numbers.length; i++) {
      i = this.#readKnown(numbers, codes, i);
      if (i < numbers.length) codes[i] = this.#encode(numbers[i]);
    }
    return codes;
  }
  /** Returns the place of the first number without a code, or the length. */
  #readKnown(numbers, codes, from) {
    const { shift, length } = this.#interval;
    const window = this.#window;
    const first = this.#first;
    for (let i = from; i < numbers.length; i++) {
      const bucket = Math.floor((numbers[i] + shift) / length) - first;
      const code = bucket >= 0 && bucket < window.length ? window[bucket] : 0;
      if (code === 0) return i;
      codes[i] = code;
    }
    return numbers.length;
  }
  #encode(number) {
    if (Number.isNaN(number)) return 0;
    const { shift, length, startOf } = this.#interval;
    const start = startOf(number);
    let code = this.#codesByStart.get(start);
    if (code === void 0) {
      code = this.#starts.push(start) - 1;
      this.#codesByStart.set(start, code);
    }
    const part = Math.floor((number + shift) / length);
    if (Number.isFinite(part * length - shift)) {
      this.#widenTo(part);
      this.#window[part - this.#first] = code;
    }
    return code;
  }
  #widenTo(part) {
    const { length } = this.#window;
    if (length === 0) this.#first = part;
    const first = Math.min(this.#first, part);
    const span = Math.max(this.#first + length, part + 1) - first;
    if (span === length || span > MAX_WINDOW) return;
    const wider = new Int32Array(3 * span);
    wider.set(this.#window, this.#first - first + span);
    this.#first = first - span;
    this.#window = wider;
  }
};

// src/query/aggregate/measures.ts
var FOLDS_OF_A_PASS = 16;
var Folding = class {
  constructor(view) {
    this.root = new Grouping();
    this.#groupings = [this.root];
    this.#folds = [];
    // By column; sums and numbers also by grouping.
    this.#readers = /* @__PURE__ */ new Map();
    this.#codes = /* @__PURE__ */ new Map();
    this.#sums = /* @__PURE__ */ new Map();
    this.#numbers = /* @__PURE__ */ new Map();
    this.#view = view;
  }
  #view;
  #groupings;
  #folds;
  #readers;
  #codes;
  #sums;
  #numbers;
  codesOf(column) {
    const make = () => new CodeReader(this.#view, column, this.#numbersOf(column));
    return remember(this.#codes, column.path, make);
  }
  intervalsOf(column, interval) {
    const isTime = column.type === "datetime";
    return new IntervalCodes(this.#numbersOf(column), interval, isTime);
  }
  /** @param hasNulls whether null has groups */
  split(outer, codes, hasNulls) {
    const grouping = new Grouping(outer, codes, hasNulls);
    this.#groupings.push(grouping);
    return grouping;
  }
  /** Folds the rows of a plan. */
  run(plan) {
    const checkTime = this.#view.checkTime ?? (() => {
    });
    let isFirst = true;
    const pass = (folds) => {
      eachPiece(this.#view, plan, (piece) => {
        for (const grouping of this.#groupings) {
          grouping.read(piece);
          if (isFirst) grouping.count(piece);
          checkTime();
        }
        for (const fold of folds) {
          fold.fold(piece);
          checkTime();
        }
      });
      isFirst = false;
    };
    if (this.#folds.length === 0) pass([]);
    for (let from = 0; from < this.#folds.length; from += FOLDS_OF_A_PASS) {
      const folds = this.#folds.slice(from, from + FOLDS_OF_A_PASS);
      for (let left = folds; left.length > 0; left = left.filter((fold) => fold.again?.())) {
        pass(left);
      }
      for (const fold of folds) {
        fold.finish?.();
        checkTime();
      }
    }
  }
  measure(measure, grouping) {
    switch (measure.kind) {
      case "count": {
        const { predicate } = measure;
        if (predicate === TRUE) return (group) => grouping.countOf(group);
        return this.#add(foldCounts(grouping, compileFilter(predicate, this.#view))).valueOf;
      }
      case "uniqueCount":
        return this.#add(foldDistinct(grouping, this.codesOf(measure.column))).valueOf;
      case "sum":
      case "average": {
        const { column, kind } = measure;
        return remember(
          this.#sums,
          this.#nameOf(grouping, column),
          () => this.#add(foldSums(grouping, this.#numbersOf(column)))
        ).want(kind);
      }
      case "min":
      case "max": {
        const { column, kind } = measure;
        const sign = kind === "min" ? 1 : -1;
        return NUMERIC_TYPES.has(column.type) ? this.#add(foldExtremes(grouping, this.#numbersOf(column), sign)).valueOf : this.#add(foldExtremeValues(grouping, createValueReader(this.#view, column), sign)).valueOf;
      }
      case "percentiles": {
        const { column, percentiles } = measure;
        const reader = this.#numbersOf(column);
        const numbers = remember(this.#numbers, this.#nameOf(grouping, column), () => {
          const all = new Numbers();
          this.#add({ fold: (piece) => all.add(reader.read(piece), grouping.of) });
          return all;
        });
        return (group) => percentilesOf(numbers.of(group), percentiles);
      }
    }
  }
  #add(fold) {
    this.#folds.push(fold);
    return fold;
  }
  #nameOf(grouping, { path }) {
    return `${this.#groupings.indexOf(grouping)} ${path}`;
  }
  #numbersOf(column) {
    return remember(this.#readers, column.path, () => new NumberReader(this.#view, column));
  }
};
function remember(map, key, make) {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
function foldCounts(grouping, filter) {
  let counts = NO_INTS;
  return {
    fold: (piece) => {
      const { of, size } = grouping;
      const bits = piece.bits.slice();
      counts = grown(counts, size);
      filter.narrow(piece.chunk, bits);
      for (let i = 0; i < piece.count; i++) {
        if (hasBit2(bits, rowOf(piece, i))) counts[of?.[i] ?? 0]++;
      }
    },
    valueOf: (group) => counts[group] ?? 0
  };
}
function foldDistinct(grouping, codes) {
  let split2 = new Grouping(grouping, codes, false);
  let counts = NO_INTS;
  return {
    fold: (piece) => {
      split2.read(piece);
      split2.count(piece);
    },
    finish: () => {
      counts = new Int32Array(grouping.size);
      for (let group = 1; group < split2.size; group++) {
        if (split2.countOf(group) !== 0) counts[split2.outerOf(group)]++;
      }
      split2 = void 0;
    },
    valueOf: (group) => counts[group]
  };
}
function foldSums(grouping, reader) {
  const sums = new Sums();
  const kinds = /* @__PURE__ */ new Set();
  return {
    want: (kind) => {
      kinds.add(kind);
      return (group) => {
        const value = sums.resultOf(kind, group);
        return Number.isFinite(value) ? value : null;
      };
    },
    fold: (piece) => sums.add(reader.read(piece), grouping.of, grouping.size),
    again: () => !sums.round(kinds, (group) => grouping.countOf(group))
  };
}
function foldExtremes(grouping, reader, sign) {
  let least = NO_FLOATS;
  return {
    fold: (piece) => {
      least = grown(least, grouping.size, Number.POSITIVE_INFINITY);
      keepLeast(least, reader.read(piece), grouping.of, sign);
    },
    valueOf: (group) => {
      const number = least[group];
      return Number.isFinite(number) ? sign * number + 0 : null;
    }
  };
}
function keepLeast(least, numbers, of, sign) {
  if (of === void 0) {
    let first = least[0];
    for (let i = 0; i < numbers.length; i++) {
      const number = sign * numbers[i];
      if (number < first) first = number;
    }
    least[0] = first;
    return;
  }
  for (let i = 0; i < numbers.length; i++) {
    const number = sign * numbers[i];
    if (number < least[of[i]]) least[of[i]] = number;
  }
}
function foldExtremeValues(grouping, read, sign) {
  const best = [];
  return {
    fold: (piece) => {
      const { of } = grouping;
      for (let i = 0; i < piece.count; i++) {
        const value = read(piece, i);
        if (value === null) continue;
        const group = of?.[i] ?? 0;
        const known = best[group];
        if (known === void 0 || sign * comparePresent(value, known) < 0) best[group] = value;
      }
    },
    valueOf: (group) => best[group] ?? null
  };
}
function comparePresent(a, b) {
  if (typeof a === "string") return compareStrings(a, b);
  if (typeof a === "object") return compareInstants(a, b);
  return Number(a) - Number(b);
}

// src/query/aggregate/aggregate.ts
function bindAggregate(run, request) {
  const standard = run.profile.storeAggregates ? { count: { count: "*" } } : {};
  const { filter, aggs = standard } = readFields(request, ["filter", "aggs"], { rule: "E-3" });
  const scope = tableScope(run);
  const predicate = bindStoreFilter(scope, filter, "/filter");
  const aggregations = bindAggregations(scope, aggs, "/aggs", 1);
  requireFew("aggregations", countAggregations(aggregations), MAX_AGGREGATIONS);
  return { predicate, aggregations };
}
function runAggregate(view, request) {
  const { predicate, aggregations } = bindAggregate(view, request);
  const { storeAggregates } = view.profile;
  const folding = new Folding(view);
  const run = { folding, view, storeAggregates, buckets: 0 };
  const describeGroup = prepareAll(run, aggregations, folding.root);
  folding.run(planRun(view, allMatching(predicate)));
  return describeGroup(0);
}
var MAX_AGGREGATIONS = 200;
var MAX_BUCKETS = 1e4;
function countAggregations(aggregations) {
  let count = aggregations.size;
  for (const aggregation of aggregations.values()) {
    if (aggregation.kind === "buckets") count += countAggregations(aggregation.aggregations);
  }
  return count;
}
function requireFew(what, count, most) {
  if (count <= most) return;
  refuse("invalid_request", `aggs: at most ${most} ${what}, found ${count}`, {
    path: "/aggs",
    rule: "L-8"
  });
}
function prepareAll(run, aggregations, grouping) {
  const columns = /* @__PURE__ */ new Map();
  for (const [name, aggregation] of aggregations) {
    columns.set(name, prepare(run, aggregation, grouping));
  }
  return (group) => {
    const values = {};
    for (const [name, describe2] of columns) values[name] = describe2(group);
    return values;
  };
}
function prepare(run, aggregation, grouping) {
  if (aggregation.kind === "buckets") return prepareBuckets(run, aggregation, grouping);
  const measured = run.folding.measure(aggregation, grouping);
  if (aggregation.kind !== "percentiles") return measured;
  const { percentiles } = aggregation;
  const keys = percentiles.map(
    (percentile) => run.storeAggregates && Number.isInteger(percentile) ? percentile.toFixed(1) : String(percentile)
  );
  return (group) => {
    run.view.checkTime?.();
    const values = measured(group);
    return { values: Object.fromEntries(keys.map((key, i) => [key, values[i]])) };
  };
}
function prepareBuckets(run, buckets, outer) {
  const { folding, view } = run;
  const { column, interval, aggregations } = buckets;
  const codes = interval === void 0 ? folding.codesOf(column) : folding.intervalsOf(column, interval);
  const grouping = folding.split(outer, codes, false);
  const describeInner = prepareAll(run, aggregations, grouping);
  let byOuter;
  return (group) => {
    byOuter ??= listBuckets(view, grouping);
    const arranged = arrange(byOuter.get(group) ?? [], buckets, checkEvery(view.checkTime));
    run.buckets += arranged.length;
    requireFew("buckets in an answer", run.buckets, MAX_BUCKETS);
    return {
      values: arranged.map(({ key, count, group: inner }) => {
        view.checkTime?.();
        return { $key: describeKey(key, run), $count: count, ...describeInner(inner) };
      })
    };
  };
}
function listBuckets(view, grouping) {
  const check = checkEvery(view.checkTime);
  const byOuter = /* @__PURE__ */ new Map();
  for (const group of grouping.groups()) {
    check();
    const outer = grouping.outerOf(group);
    const bucket = { key: grouping.keyOf(group), count: grouping.countOf(group), group };
    const bucketsOfOuter = byOuter.get(outer);
    if (bucketsOfOuter === void 0) byOuter.set(outer, [bucket]);
    else bucketsOfOuter.push(bucket);
  }
  return byOuter;
}
function arrange(buckets, { top }, check) {
  const compare = (a, b) => {
    check();
    return (top === void 0 ? 0 : b.count - a.count) || comparePresent(a.key, b.key);
  };
  return top === void 0 ? buckets.sort(compare) : firstOf(buckets, top, compare);
}
function describeKey(key, { storeAggregates }) {
  if (typeof key !== "object") return key;
  const { ms, micros } = key;
  return storeAggregates ? new Date(ms).toISOString() : formatInstant(ms, micros);
}

// src/query/bound/cursor.ts
var FORMAT = 1;
var CHECKSUM_LENGTH = 8;
function encodeCursor(query, first, last) {
  const points = [encodePoint(first), first === last ? null : encodePoint(last)];
  const { table, filter, columns, sort, seed, size, columnsChecksum, text } = query;
  const json = text === void 0 ? writeAscii([FORMAT, table, filter, columns, sort, seed, size, columnsChecksum, ...points]) : text + writeRest(points);
  const body = btoa(json).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return checksum(body) + body;
}
function decodeCursor(cursor) {
  const body = cursor.slice(CHECKSUM_LENGTH);
  if (!BASE64URL.test(body) || body.length % 4 === 1) return void 0;
  if (checksum(body) !== cursor.slice(0, CHECKSUM_LENGTH)) return void 0;
  const json = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
  const parts = parseJson(json)?.value;
  if (!Array.isArray(parts) || parts.length !== 10 || parts[0] !== FORMAT) return void 0;
  const [, table, filter, columns, sort, seed, size, columnsChecksum, ...ends] = parts;
  const points = decodePoints(ends);
  const isSound = typeof table === "string" && typeof columnsChecksum === "string" && Number.isInteger(size) && (seed === null || Number.isInteger(seed));
  if (!isSound || points === void 0) return void 0;
  const end = writeRest(ends);
  return {
    table,
    filter: filter ?? void 0,
    columns: columns ?? void 0,
    sort: sort ?? void 0,
    seed: seed ?? void 0,
    // checked above
    size,
    // checked above
    columnsChecksum,
    text: json.endsWith(end) ? json.slice(0, -end.length) : void 0,
    ...points
  };
}
function writeAscii(value) {
  return JSON.stringify(value).replace(BEYOND_ASCII, escapeUnit);
}
var BASE64URL = /^[A-Za-z0-9_-]+$/;
var BEYOND_ASCII = /[\u0080-\uffff]/g;
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
function writeRest(points) {
  return `,${writeAscii(points).slice(1)}`;
}
function decodePoints([firstPart, lastPart]) {
  const first = decodePoint(firstPart);
  const last = lastPart === null ? first : decodePoint(lastPart);
  return first && last && { first, last };
}
function encodePoint({ keys, side }) {
  return keys === void 0 ? [side] : [side, ...keys];
}
function decodePoint(value) {
  if (!Array.isArray(value)) return void 0;
  const [side, ...keys] = value;
  if (side !== -1 && side !== 0 && side !== 1) return void 0;
  return keys.length === 0 ? BEGINNING : { side, keys };
}

// src/query/bound/describe.ts
function describeOrder({ keys, seed }, { idColumn }) {
  const columns = keys.map(
    ({ column, descending }) => `${column.path} ${descending ? "desc" : "asc"}`
  );
  if (seed !== void 0) columns.push("* random");
  if (!keys.some(isOwnId)) columns.push(`${idColumn} asc`);
  return columns;
}
function describePredicate(predicate) {
  switch (predicate.kind) {
    case "constant":
      return predicate.value;
    case "all":
    case "any": {
      const parts = predicate.parts.map(describePredicate);
      const texts = new Map(parts.map((part) => [canonicalJson(part), part]));
      return { [predicate.kind]: [...texts.keys()].sort().map((text) => texts.get(text) ?? null) };
    }
    case "null":
      return { column: predicate.column.path, exists: !predicate.isNull };
    case "leaf": {
      const { column, test, negated, nullMatches } = predicate;
      return {
        column: column.path,
        ...describeTest(test, column.type),
        ...negated ? { not: true } : {},
        ...nullMatches ? { orNull: true } : {}
      };
    }
  }
}
function describeTest(test, type) {
  const show = (value) => describeValue(value, type);
  switch (test.kind) {
    case "equals":
      return { equals: show(test.value) };
    case "among":
      return { among: test.values.map(show).sort(compareTexts2) };
    case "range":
      return {
        ...test.low === void 0 ? {} : { [test.low.inclusive ? "ge" : "gt"]: show(test.low.value) },
        ...test.high === void 0 ? {} : { [test.high.inclusive ? "le" : "lt"]: show(test.high.value) }
      };
    case "text":
      return { [test.operator]: test.operand };
    case "items":
      return {
        [test.quantifier === "some" ? "someItem" : "everyItem"]: describePredicate(test.item)
      };
  }
}
function compareTexts2(a, b) {
  return compareStrings(canonicalJson(a), canonicalJson(b));
}
function describeValue(value, type) {
  if (TRAITS[type].stored !== "instant" || value === null) return value;
  const { ms, micros } = value;
  return formatInstant(ms, micros);
}

// src/query/bind/sort.ts
function bindSort(scope, sort, at, continuedSeed) {
  if (sort === void 0) return BY_ID;
  const keys = [];
  const sorted = /* @__PURE__ */ new Set();
  let seed;
  for (const { path, direction, keyAt } of listKeys2(sort, at)) {
    if (seed !== void 0) {
      refuseSort("no sort key may follow the random order", keyAt, "S-4");
    }
    if (path === "*" !== (direction === "random")) {
      const found = `${describe(direction)} for ${describe(path)}`;
      refuseSort(`the random order is {"*": "random"}, found ${found}`, keyAt, "S-4");
    }
    if (direction === "random") {
      seed = continuedSeed ?? scope.run.drawSeed();
      continue;
    }
    if (direction !== "asc" && direction !== "desc") {
      const message = `sort [${path}]: expected asc or desc, found ${describe(direction)}`;
      refuseSort(message, keyAt, "S-2");
    }
    const { ref } = resolvePath(scope, path, keyAt);
    if (ref.type === "object" || !TRAITS[ref.type].sortable) {
      refuseSort(`sort [${path}]: a column of type ${ref.type} has no order`, keyAt, "S-2");
    }
    const slots = [...ref.hops, ref].map(({ slot }) => slot);
    const column = [...slots, ...ref.keys ?? []].join(".");
    if (sorted.has(column)) continue;
    sorted.add(column);
    keys.push({ column: ref, descending: direction === "desc" });
  }
  return { keys, seed };
}
function listKeys2(sort, at) {
  if (isPlainObject(sort)) return keysOf(sort, at);
  if (!isArray(sort)) {
    const forms = 'an object or an array, such as ["age"] or { "age": "desc" }';
    return refuseSort(`expected ${forms}, found ${describe(sort)}`, at, "S-1");
  }
  const keys = [];
  for (const [index, member] of sort.entries()) {
    const keyAt = pointer(at, index);
    if (typeof member === "string") {
      keys.push({ path: member, direction: member === "*" ? "random" : "asc", keyAt });
    } else if (isPlainObject(member)) {
      for (const key of keysOf(member, keyAt)) keys.push(key);
    } else {
      refuseSort(`expected an object or a column name, found ${describe(member)}`, keyAt, "S-1");
    }
  }
  return keys;
}
function keysOf(keys, at) {
  return Object.keys(keys).filter((path) => keys[path] !== void 0).map((path) => ({ path, direction: keys[path], keyAt: pointer(at, path) }));
}
var DIRECTIONS = ["asc", "desc", "random"];
function bindReverseOrder(scope, order, at) {
  const { run, table } = scope;
  const part = { path: at, rule: "P-11", code: "invalid_sort" };
  if (!isArray(order)) refuseValue(order, 'an array of {"column", "order"}', part);
  const sort = order.map((member, index) => {
    const path = pointer(at, index);
    const fields = readFields(member, ["column", "order"], { ...part, path });
    const { column, order: direction = "asc" } = fields;
    if (typeof column !== "string")
      return refuseValue(column, "a path", { ...part, path: pointer(path, "column") });
    if (!DIRECTIONS.includes(direction)) {
      const directionPart = { ...part, path: pointer(path, "order"), rule: "S-2" };
      return refuseValue(direction, "asc or desc", directionPart);
    }
    const isMetadata = METADATA_KEYS.includes(column) && !table.schema.columnsByName.has(column);
    return { [isMetadata ? metadataPath(run.profile, column) : column]: direction };
  });
  return bindSort(scope, sort, at);
}
function refuseSort(message, path, rule) {
  refuse("invalid_sort", message, { path, rule });
}

// src/query/bind/selection.ts
function bindColumns(scope, columns, at) {
  const counters = { entries: 0, reverseRecords: 0, insideReverse: false, reverse: [] };
  const selection = bindList({ ...scope, clause: "columns" }, columns, at, counters);
  const selections = [selection, ...counters.reverse.map((link) => link.selection)];
  const expanded = selections.filter(({ isWhole }) => !isWhole);
  const count = expanded.reduce((sum, chosen) => sum + countChoices(chosen.columns), 0);
  if (count > MAX_SELECTED) {
    const message = `columns: at most ${MAX_SELECTED} in total, found ${count} after expansion`;
    refuse("invalid_request", message, { path: at, rule: "L-7" });
  }
  return { selection, reverse: counters.reverse };
}
var MAX_SELECTED = 1e4;
function countChoices(choices) {
  let count = 0;
  for (const choice of choices.values()) {
    if (choice.kind === "object") count += countChoices(choice.columns);
    else if (choice.kind === "link" && choice.linked)
      count += countChoices(choice.linked.selection.columns);
    else count++;
  }
  return count;
}
function bindReverseSorts({ selection, reverse }) {
  if (reverse.length === 0) return selection;
  const bound = reverse.map(({ bindOrder: bindOrder2, ...choice }) => ({ ...choice, order: bindOrder2() }));
  return { ...selection, reverse: bound };
}
function bindList(scope, columns, at, counters) {
  if (columns === void 0) return wholeSelection(scope.table.schema);
  const entries = readEntries(scope, columns, counters.entries, at);
  counters.entries += entries.length;
  const selection = emptySelection();
  for (const [index, entry] of entries.entries()) {
    const entryAt = pointer(at, index);
    if (typeof entry === "string") addPath(scope, selection, entry, entryAt);
    else if (isPlainObject(entry))
      counters.reverse.push(bindReverse(scope, entry, entryAt, counters));
    else refuseEntry(entry, entryAt);
  }
  return selection;
}
function emptySelection() {
  return { columns: /* @__PURE__ */ new Map(), reverse: [], isWhole: false };
}
var wholeSelections = /* @__PURE__ */ new WeakMap();
function wholeSelection(schema) {
  let selection = wholeSelections.get(schema);
  if (selection === void 0) {
    selection = selectAll(schema, BRIEF_MEMBERS);
    wholeSelections.set(schema, selection);
  }
  return selection;
}
function selectAll({ columns }, members) {
  return { columns: wholeColumns(columns, members), reverse: [], isWhole: true };
}
function wholeColumns(columns, members) {
  return new Map(columns.map((column) => [column.name, wholeColumn(column, members)]));
}
function wholeColumn(column, members = BRIEF_MEMBERS) {
  if (column.type === "object") {
    return { kind: "object", column, columns: wholeColumns(column.columns, members) };
  }
  if (isFileType(column.type)) return { kind: "files", column, members: new Set(members) };
  return column.type === "link" ? { kind: "link", column, linked: void 0 } : { kind: "value", column };
}
function addPath(scope, selection, path, at) {
  if (path.includes("->")) refuseUnknown(scope, void 0, path, path, at);
  const names = path.split(".");
  const isAll = names.at(-1) === "*";
  const named = isAll ? names.slice(0, -1) : names;
  const resolved = named.length === 0 ? void 0 : resolvePath(scope, named.join("."), at);
  const isLeaf = resolved?.inner === void 0 && resolved?.ref.type !== "object";
  if (isAll && resolved !== void 0 && isLeaf) refuseUnknown(scope, void 0, path, path, at);
  if (resolved?.inner !== void 0 && (isAll || scope.run.profile.wholeLinks)) {
    requireLinkLimit(resolved.inner, at);
  }
  addNames(scope, selection, named, isAll);
}
function addNames(scope, selection, names, isAll) {
  let columns = selection.columns;
  let schemaColumns = scope.table.schema.columnsByName;
  if (names.length === 0) {
    mergeAll(columns, scope.table.schema.columns);
    return;
  }
  for (const [depth, name] of names.entries()) {
    const column = schemaColumns.get(name);
    if (column === void 0) return;
    const rest = names.slice(depth + 1);
    if (column.type !== "object") {
      addLeaf(scope, columns, column, rest, isAll);
      return;
    }
    const fresh = { kind: "object", column, columns: /* @__PURE__ */ new Map() };
    const choice = columns.get(name) ?? fresh;
    columns.set(name, choice);
    if (choice.kind !== "object") return;
    if (rest.length === 0) {
      mergeAll(choice.columns, column.columns);
      return;
    }
    columns = choice.columns;
    schemaColumns = column.columnsByName;
  }
}
function mergeAll(choices, columns) {
  for (const column of columns) {
    const choice = choices.get(column.name);
    if (choice === void 0) choices.set(column.name, wholeColumn(column));
    else if (choice.kind === "files") {
      for (const member of BRIEF_MEMBERS) choice.members.add(member);
    } else if (choice.kind === "object") mergeAll(choice.columns, choice.column.columns);
  }
}
function addLeaf(scope, choices, column, rest, isAll) {
  if (isFileType(column.type)) {
    addMembers(choices, column, rest[0]);
    return;
  }
  if (column.type !== "link") {
    choices.set(column.name, { kind: "value", column });
    return;
  }
  const existing = choices.get(column.name);
  const choice = existing?.kind === "link" ? existing : { kind: "link", column, linked: void 0 };
  choices.set(column.name, choice);
  const isWhole = isAll || scope.run.profile.wholeLinks;
  if (rest.length === 0 && !isWhole) return;
  const linked = findLinked(scope.run, column);
  if (linked === void 0) return;
  const hop = hopTo(column, linked);
  choice.linked ??= { table: hop.target, selection: emptySelection() };
  const inner = { ...tableScope(scope.run, linked), hops: [...scope.hops, hop] };
  addNames(inner, choice.linked.selection, rest, isAll);
}
function addMembers(choices, column, name) {
  const existing = choices.get(column.name);
  const members = existing?.kind === "files" ? existing.members : /* @__PURE__ */ new Set();
  const names = Object.keys(FILE_MEMBERS2);
  for (const member of names) {
    if (name === void 0 ? FILE_MEMBERS2[member] !== "apart" : member === name)
      members.add(member);
  }
  choices.set(column.name, { kind: "files", column, members });
}
var REVERSE_KEYS = /* @__PURE__ */ new Set(["name", "as", "columns", "sort", "order", "limit", "offset"]);
var DEFAULT_REVERSE_LIMIT = 20;
function bindReverse(scope, entry, at, counters) {
  if (counters.insideReverse) {
    refuseReverse(at, "name", "a reverse link cannot contain another one");
  }
  for (const key of Object.keys(entry)) {
    if (REVERSE_KEYS.has(key) || entry[key] === void 0) continue;
    const reason2 = { kind: "unknown_key", key };
    refuseReverse(at, key, `unknown key ${describe(key)} in a reverse link`, reason2);
  }
  const { shape, ...source } = findReverse(scope, entry.name, at);
  const { run, table } = scope;
  const { joinedNames, maxPageSize, maxPageOffset } = run.profile;
  const joined = source.table.name + source.link.path;
  const { as: name = joinedNames ? joined : entry.name } = entry;
  if (typeof name !== "string" || name === "" || name === "__proto__") {
    return refuseReverse(at, "as", `expected a name, found ${describe(name)}`);
  }
  const isTaken = recordNames(run.profile).includes(name) || table.schema.columnsByName.has(name) || counters.reverse.some((other) => other.name === name);
  if (isTaken) refuseReverse(at, "as", `the name ${describe(name)} is taken`);
  const count = (key, fallback, range) => entry[key] === void 0 ? fallback : readNumber(entry[key], range, { path: pointer(at, key), rule: "P-11" });
  const limit = count("limit", DEFAULT_REVERSE_LIMIT, [1, maxPageSize]);
  const offset = count("offset", 0, [0, maxPageOffset]);
  const { columns, sort, order } = entry;
  if (order !== void 0 && sort !== void 0) {
    refuseReverse(at, "order", "order is an alias of sort: give only one");
  }
  counters.reverseRecords += limit;
  if (counters.reverseRecords > maxPageSize) {
    const message = `the limits of reverse links must not exceed ${maxPageSize} in total`;
    refuseReverse(at, "limit", message);
  }
  counters.insideReverse = true;
  const inner = tableScope(run, shape, scope.clause, scope.resolved);
  const selection = bindList(inner, columns, pointer(at, "columns"), counters);
  counters.insideReverse = false;
  const bindOrder2 = () => order === void 0 ? bindSort(tableScope(run, shape), sort, pointer(at, "sort")) : bindReverseOrder(tableScope(run, shape), order, pointer(at, "order"));
  return { name, ...source, selection, limit, offset, bindOrder: bindOrder2 };
}
function refuseReverse(at, key, message, reason2) {
  const path = pointer(at, key);
  refuse("invalid_request", `columns: ${message}`, { path, rule: "P-11", reason: reason2 });
}
var REVERSE_NAME = /^<-([^.]+)\.(.+)$/;
function findReverse({ run, table }, name, at) {
  const match = typeof name === "string" ? REVERSE_NAME.exec(name) : null;
  if (match === null) {
    return refuseReverse(at, "name", `expected "<-table.link", found ${describe(name)}`);
  }
  const [shown, tableName = "", path = ""] = match;
  const shape = run.findTable(tableName);
  const link = shape?.schema.leaves.find((leaf) => leaf.type === "link" && leaf.path === path);
  if (shape !== void 0 && link !== void 0) {
    if (findLinked(run, link)?.identity === table.identity) {
      return { table: { name: tableName, identity: shape.identity }, shape, link };
    }
  }
  const message = `column [${shown.slice(0, 100)}] does not exist: no such link to this table`;
  return refuse("unknown_column", message, {
    path: pointer(at, "name"),
    rule: "P-11",
    reason: { kind: "unknown_column", clause: "columns", column: shown }
  });
}

// src/query/bind/bind-query.ts
function bindQuery(run, request) {
  const { table, profile } = run;
  const parsed = parseQuery(request, profile);
  const { page } = parsed;
  const open = (key, other) => {
    const cursor = page[key];
    if (cursor === void 0 || cursor === END) return void 0;
    return openCursor(run, cursor, `/page/${key}`, other);
  };
  const after = open("after");
  const before = open("before", after);
  const base = after ?? before ?? open("start") ?? open("end");
  const { filter, sort, columns: cursorColumns } = base?.content ?? parsed;
  const columns = parsed.columns ?? cursorColumns;
  const { selection, predicate, order, columnsChecksum } = base !== void 0 && parsed.columns === void 0 ? base.bound : bindParts(run, { columns, filter, sort, seed: void 0 }, base?.bound);
  if (after !== void 0 && before !== void 0) requireAgreement(run.profile, after, before);
  if (page.after === END && order.seed !== void 0) {
    refuse("invalid_page", "a random order has no end to page from", {
      path: "/page/after",
      rule: "S-4"
    });
  }
  const cursorSize = base?.content.size ?? DEFAULT_PAGE_SIZE;
  const size = page.size ?? Math.min(cursorSize, profile.maxPageSize);
  const isSame2 = parsed.columns === void 0 && size === base?.content.size;
  return {
    table,
    selection,
    predicate,
    order,
    page: pageOf(page, after?.content.last, before?.content.first),
    size,
    offset: page.offset,
    cursorQuery: isSame2 ? base.content : { table: table.identity, filter, columns, sort, seed: order.seed, size, columnsChecksum }
  };
}
function pageOf(page, after, before) {
  if (page.after === END) return { kind: "tail" };
  if (after === void 0) {
    const isBackward = page.before !== void 0 || page.end !== void 0;
    return isBackward ? { kind: "before", point: before } : { kind: "first" };
  }
  return page.before === void 0 ? { kind: "after", point: after } : { kind: "between", after, before };
}
function bindParts(run, parts, rows) {
  const selected = [];
  const scope = tableScope(run, run.table, void 0, selected);
  const draft = bindColumns(scope, parts.columns, "/columns");
  const { predicate, order, rowColumns } = rows ?? bindRows(run, parts);
  const selection = bindReverseSorts(draft);
  const named = [...selected, ...rowColumns].map(fingerprint);
  const columnsChecksum = named.length === 0 ? "" : checksum(named.join("\n"));
  return { selection, predicate, order, rowColumns, columnsChecksum };
}
function bindRows(run, { filter, sort, seed }) {
  const rowColumns = [];
  const scope = tableScope(run, run.table, void 0, rowColumns);
  const predicate = bindFilter(scope, filter, "/filter");
  return { predicate, order: bindSort(scope, sort, "/sort", seed), rowColumns };
}
function fingerprint(ref) {
  const through = ref.hops.map(({ slot, target }) => `${slot}@${target.identity}`);
  return [ref.path, ref.type, ref.type === "object" ? "" : ref.slot, ...through].join(":");
}
function openCursor(run, cursor, at, other) {
  const fail = (why) => refuse("invalid_cursor", `the cursor ${why}`, { path: at, rule: "G-13" });
  const content = decodeCursor(cursor) ?? fail("is damaged");
  if (content.table !== run.table.identity) fail("was made for another table");
  const isSame2 = content.text !== void 0 && content.text === other?.content.text;
  let bound = isSame2 ? other.bound : void 0;
  try {
    bound ??= bindParts(run, content);
  } catch (error) {
    if (error instanceof TwinbaseError && error.code !== "query_timeout")
      fail(`no longer fits the table: ${error.message}`);
    throw error;
  }
  if (bound.columnsChecksum !== content.columnsChecksum) {
    fail("names a column that has since been changed");
  }
  const shapes = keyShapesOf(bound.order);
  for (const { keys } of [content.first, content.last]) {
    if (keys !== void 0 && !isKeys(shapes, keys)) fail("is damaged");
  }
  return { content, bound };
}
function requireAgreement(profile, after, before) {
  const fail = (why) => refuse("invalid_page", `the cursors of a range must agree: ${why}`, {
    path: "/page/before",
    rule: "G-9"
  });
  if (after.bound !== before.bound) {
    const textOf = ({ bound }) => canonicalJson(describePredicate(bound.predicate));
    if (textOf(after) !== textOf(before)) fail("their filters differ");
    const sortOf = ({ bound }) => describeOrder(bound.order, profile).join(", ");
    if (sortOf(after) !== sortOf(before)) fail("their sorts differ");
    if (after.bound.order.seed !== before.bound.order.seed) fail("their random orders differ");
  }
  const shapes = keyShapesOf(after.bound.order);
  if (comparePoints2(shapes, after.content.last, before.content.first) >= 0) {
    fail("after must come before before");
  }
}
var END = "end";
var DEFAULT_PAGE_SIZE = 20;
var QUERY_KEYS = ["columns", "filter", "sort", "page", "consistency"];
var CURSOR_KEYS = ["after", "before", "start", "end"];
var PAGE_KEYS = ["size", "offset", ...CURSOR_KEYS];
function parseQuery(request, profile) {
  const fields = readFields(request, QUERY_KEYS, { rule: "E-3" });
  readConsistency(fields.consistency);
  const page = parsePage(fields.page, PAGE_KEYS, profile);
  requireAlone(fields, page);
  const { columns, filter, sort } = fields;
  return { columns, filter, sort, page };
}
function readConsistency(consistency = "strong") {
  readOneOf(consistency, ["strong", "eventual"], partAt("consistency"));
}
function parsePage(page = {}, keys, profile) {
  requireObject(page, { path: "/page", rule: "G-1", code: "invalid_page" });
  requireKnownKeys(page, keys, { path: "/page" });
  const { size, offset } = page;
  requireWhole(size, 1, "size");
  if (size !== void 0 && size > profile.maxPageSize) {
    refusePage(`page size exceeds max limit of ${profile.maxPageSize}`, "size", "G-1");
  }
  requireWhole(offset, 0, "offset");
  if (offset !== void 0 && offset > profile.maxPageOffset) {
    refusePage(`page offset must not exceed ${profile.maxPageOffset}`, "offset", "G-1");
  }
  const [after, before, start, end] = CURSOR_KEYS.map((key) => {
    const cursor = page[key];
    if (cursor === void 0 || typeof cursor === "string") return cursor;
    const what = `page.${key}`;
    const code = "invalid_cursor";
    return refuseValue(cursor, "a cursor", { what, path: `/page/${key}`, rule: "G-13", code });
  });
  return { size, offset: offset ?? 0, after, before, start, end };
}
function requireWhole(value, least, key) {
  if (value === void 0) return;
  const [what, path] = [`page ${key}`, `/page/${key}`];
  readNumber(value, [least], { what, path, rule: "G-1", code: "invalid_page" });
}
function refusePage(message, key, rule, code = "invalid_page") {
  refuse(code, message, { path: `/page/${key}`, rule });
}
function requireAlone(request, page) {
  for (const key of ["start", "end"]) {
    if (page[key] === void 0) continue;
    const other = CURSOR_KEYS.find(
      (candidate) => candidate !== key && page[candidate] !== void 0
    );
    if (other !== void 0) {
      refusePage(`page.${key} cannot be combined with page.${other}`, other, "G-8");
    }
    if (page[key] === END) {
      const message = `page.${key}: only after and before take "end"`;
      refusePage(message, key, "G-7", "invalid_cursor");
    }
  }
  if (page.after === END && page.before !== void 0) {
    refusePage('page.after: "end" cannot be combined with page.before', "before", "G-7");
  }
  const real = CURSOR_KEYS.find((key) => page[key] !== void 0 && page[key] !== END);
  if (real === void 0) return;
  for (const key of ["filter", "sort"]) {
    if (request[key] === void 0) continue;
    const message = `${key}: not allowed with page.${real}: the cursor contains its own`;
    refuse("invalid_page", message, { path: `/${key}`, rule: "G-7" });
  }
}

// src/query/aggregate/group-table.ts
function createGroupTable(columns, idName) {
  const nest = (columns2, prefix2) => {
    const groups = /* @__PURE__ */ new Map();
    for (const column of columns2) {
      const dot = column.path.indexOf(".", prefix2.length);
      const path = dot < 0 ? column.path : column.path.slice(0, dot);
      const group = groups.get(path);
      if (group === void 0) groups.set(path, [column]);
      else group.push(column);
    }
    return Array.from(groups, ([path, group]) => {
      const leaf = group.find((column) => column.path === path);
      if (leaf !== void 0 && group.length === 1) {
        return plainLeaf(leaf.type, path, leaf.slot, leaf.target);
      }
      const below2 = group.filter((column) => column !== leaf);
      const members = nest(below2, `${path}.`);
      const ownPath = `${path}.${idName}`;
      if (leaf !== void 0 && !below2.some((column) => column.path === ownPath)) {
        members.unshift(plainLeaf("string", ownPath, leaf.slot, leaf.target));
      }
      return plainObject(path, members);
    });
  };
  const schema = assembleSchema(nest(columns, ""), FIRST_COLUMN_SLOT + columns.length);
  return createTableVersion("groups", schema);
}
function fillGroupTable(table, readers, groups, checkTime) {
  const { dictionaries, schema } = table;
  const chunks = [];
  for (let from = 0; from < groups.length; from += CHUNK_ROWS) {
    const chunk = new Chunk(void 0);
    chunk.count = Math.min(CHUNK_ROWS, groups.length - from);
    chunk.vectors = new Array(schema.slotCount).fill(void 0);
    for (const [slot, valueAt2] of readers) {
      checkTime?.();
      const type = schema.leaves.find((leaf) => leaf.slot === slot)?.type ?? "string";
      const vector = createVector(type, chunk.count, dictionaries.get(slot));
      for (let row = 0; row < chunk.count; row++) vector.set(row, valueAt2(groups[from + row]));
      chunk.vectors[slot] = vector;
    }
    chunks.push(chunk);
  }
  return new TableVersion({ ...table, chunks, size: groups.length, idsAscend: false });
}

// src/query/aggregate/summary.ts
var ORDERED_TYPES = typesWith(({ operators }) => operators === "text" || operators === "range");
var OPERANDS = {
  count: typesWith(() => true),
  min: ORDERED_TYPES,
  max: ORDERED_TYPES,
  sum: NUMERIC_TYPES,
  average: NUMERIC_TYPES
};
var OPERATORS2 = Object.keys(OPERANDS);
var MAX_SUMMARIES = 200;
function bindSummaries(scope, summaries = {}, columns) {
  requireObject(summaries, { path: "/summaries", rule: "X-6" });
  const names = Object.keys(summaries);
  if (names.length > MAX_SUMMARIES) {
    const message = `summaries: at most ${MAX_SUMMARIES}, found ${names.length}`;
    refuse("invalid_request", message, { path: "/summaries", rule: "L-8" });
  }
  const taken = new Set(recordNames(scope.run.profile));
  for (const { path } of columns) taken.add(path.split(".")[0]);
  const bound = /* @__PURE__ */ new Map();
  for (const name of names) {
    if (summaries[name] === void 0) continue;
    const at = pointer("/summaries", name);
    if (!isColumnName(name) || taken.has(name)) {
      const why = taken.has(name) ? "is the name of a column" : "cannot name a summary";
      const message = `summaries: ${describe(name)} ${why}`;
      refuse("invalid_request", message, { path: at, rule: "X-6" });
    }
    bound.set(name, bindSummary(scope, summaries[name], at));
  }
  return bound;
}
function bindSummary(scope, expression, at) {
  const [kind, path] = readChoice(expression, OPERATORS2, { path: at, rule: "X-6" });
  if (kind === "count" && path === "*") return { kind, predicate: TRUE };
  const operandAt = pointer(at, kind);
  const column = bindTypedColumn(scope, path, OPERANDS[kind], operandAt);
  requireOperand(scope, column, operandAt);
  if (kind !== "count") return { kind, column };
  return { kind, predicate: { kind: "null", column, isNull: false } };
}
function requireOperand({ run }, column, at) {
  if (!run.profile.storeAggregates || !isInternal(column)) return;
  const message = `column [${column.path}]: a summary is not of an id or metadata`;
  refuse("invalid_request", message, { path: at, rule: "X-6" });
}
function typeOfSummary(measure) {
  if (measure.kind === "average") return "float";
  return "column" in measure ? leafType(measure.column) : "int";
}
function leafType({ type }) {
  return type === "id" || type === "item" ? "string" : type;
}

// src/query/aggregate/summarize.ts
var KEYS = [
  "columns",
  "filter",
  "summaries",
  "summariesFilter",
  "sort",
  "page",
  "consistency"
];
function runSummarize(run, request) {
  const fields = readFields(request, KEYS, { rule: "E-3" });
  readConsistency(fields.consistency);
  const { size = DEFAULT_PAGE_SIZE } = parsePage(fields.page, ["size"], run.profile);
  const scope = tableScope(run);
  const keys = bindColumnList(scope, fields.columns, "/columns");
  for (const key of keys) requireType(key, COMPARABLE_TYPES, "/columns");
  const predicate = bindFilter(scope, fields.filter, "/filter");
  const summaries = bindSummaries(scope, fields.summaries, keys);
  const folding = new Folding(run);
  const columns = [];
  const addColumn = (column) => {
    columns.push({ slot: FIRST_COLUMN_SLOT + columns.length, ...column });
  };
  let last = folding.root;
  for (const key of keys) {
    const grouping = folding.split(last, folding.codesOf(key), true);
    const valueAt3 = (group) => {
      let code = group;
      for (let at = last; at !== grouping; at = at.outer) code = at.outerOf(code);
      return grouping.keyOf(code);
    };
    addColumn({ path: key.path, type: leafType(key), target: targetOf2(run, key), valueAt: valueAt3 });
    last = grouping;
  }
  const keyColumns = columns.slice();
  for (const [path, summary] of summaries) {
    const valueAt3 = folding.measure(summary, last);
    addColumn({ path, type: typeOfSummary(summary), target: void 0, valueAt: valueAt3 });
  }
  const empty = createGroupTable(columns, run.profile.idColumn);
  const resolved = [];
  const groupScope = {
    ...tableScope(run, empty, void 0, resolved),
    columns: empty.schema.columnsByName
    // without id and metadata
  };
  const residual = bindFilter(groupScope, fields.summariesFilter, "/summariesFilter");
  const order = bindOrder(groupScope, fields.sort, keyColumns);
  for (const { column } of order.keys) resolved.push(column);
  folding.run(planRun(run, allMatching(predicate)));
  const valueAt2 = (slot) => columns[slot - FIRST_COLUMN_SLOT].valueAt;
  const readers = /* @__PURE__ */ new Map();
  for (const ref of resolved) for (const slot of slotsOf(ref)) readers.set(slot, valueAt2(slot));
  const isDecided = keys.every(({ type }) => TRAITS[type].sortable);
  if (!isDecided || order.seed !== void 0) {
    readers.set(
      ID_SLOT,
      (group) => canonicalJson(keyColumns.map((column) => column.valueAt(group)))
    );
  }
  const groups = last.groups();
  const table = fillGroupTable(empty, readers, groups, run.checkTime);
  const query = { ...allMatching(residual), order, limit: size };
  const { findTable: findTable3, checkTime, derived } = run;
  const groupView = { table, findTable: findTable3, indexes: "never", checkTime, derived };
  const rows = fetchRows(groupView, { query, access: { kind: "scan" }, residual });
  return rows.map(
    (row) => showGroup(
      empty.schema.columns,
      ({ slot, type }) => showValue(type, valueAt2(slot)(groups[row]), run.profile)
    )
  );
}
function slotsOf(ref) {
  const [hop] = ref.hops;
  if (hop !== void 0) return [hop.slot];
  return ref.type === "object" ? ref.columns.flatMap(leavesOf).map(({ slot }) => slot) : [ref.slot];
}
function bindOrder(scope, sort, columns) {
  const { keys, seed } = bindSort(scope, sort, "/sort");
  if (seed !== void 0) return { keys, seed };
  const all = keys.map((key) => ({ nullsLast: true, ...key }));
  for (const { path, slot, type } of columns) {
    if (TRAITS[type].sortable) all.push({ column: plainRef(type, path, slot), descending: false });
  }
  return { keys: all, seed };
}
function targetOf2(view, { type, hops, slot }) {
  if (type !== "link") return void 0;
  const { leaves } = (openPath(view, hops)?.end ?? view).table.schema;
  return leaves.find((leaf) => leaf.slot === slot)?.target;
}
function showGroup(columns, show) {
  const record = {};
  for (const column of columns) {
    record[column.name] = column.type === "object" ? showGroup(column.columns, show) : show(column);
  }
  return record;
}
function showValue(type, value, profile) {
  if (value === null) return null;
  switch (TRAITS[type].stored) {
    case "instant": {
      const { ms, micros } = value;
      return formatInstant(ms, micros);
    }
    case "code":
      return { [profile.idColumn]: value };
    case "value":
      return profile.jsonAsText ? JSON.stringify(value) : cloneJson(value);
    case "list":
      return cloneJson(value);
    default:
      return value;
  }
}

// src/query/explain.ts
function describePlan(run, plan) {
  return {
    access: describeAccess(plan.access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.query.order, run.profile),
    limit: plan.query.limit,
    estimate: estimatePlan(run, plan)
  };
}
function describeAccess(access) {
  switch (access.kind) {
    case "ids":
      return { kind: "ids", ids: access.ids.length };
    case "unique-index":
      return { kind: "unique-index", column: access.column, ids: access.keys.length };
    case "storage-order":
      return { kind: "storage-order", backward: access.backward };
    case "link-index": {
      const { kind, column, codes, sorted } = access;
      return { kind, column, ids: codes.length, sorted: sorted !== void 0 };
    }
    case "order-index":
    case "scan":
      return { kind: access.kind };
  }
}
var GOLDEN_RATIO = 0.618033988749895;
function estimatePlan(view, plan) {
  const { query, access, residual } = plan;
  const { limit } = query;
  const { table } = view;
  if (access.kind === "ids" || access.kind === "unique-index") {
    const { candidates: candidates2 } = openAccess(view, plan);
    return { examined: candidates2, rows: Math.min(limit, countRows(view, plan)) };
  }
  const sample = sampleRows(table);
  const { matches: matches2 } = compileFilter(residual, view);
  const share = sample.length === 0 ? 0 : sample.filter(matches2).length / sample.length;
  const candidates = access.kind === "link-index" ? access.rows : table.size;
  const rows = Math.min(limit, Math.round(candidates * share));
  const isOrdered = access.kind === "order-index" || access.kind === "storage-order";
  const examined = isOrdered && rows === limit ? Math.ceil(limit / share) : candidates;
  return { examined: Math.min(candidates, examined), rows };
}
function sampleRows({ chunks }) {
  const total = chunks.reduce((sum, { count }) => sum + count, 0);
  const part = Math.max(1, total / ESTIMATE_ROWS);
  const sample = [];
  let [first, taken] = [0, 0];
  for (const [index, chunk] of chunks.entries()) {
    for (; ; ) {
      const row = Math.floor((taken + taken * GOLDEN_RATIO % 1) * part) - first;
      if (row >= chunk.count) break;
      if (!chunk.isDeleted(row)) sample.push(ordinalOf(index, row));
      taken++;
    }
    first += chunk.count;
  }
  return sample;
}

// src/query/page.ts
function* pageRows2(query, keysOf2) {
  const { page, size, cursorQuery, predicate, order } = query;
  const found = page.kind === "tail" ? [] : yield rowsOf2(query);
  const rows = found.slice(0, size);
  if (page.kind === "before") rows.reverse();
  let first = rows.length > 0 ? pointOf(keysOf2(rows[0])) : gapOf(query);
  if (first === "end") {
    const end = { predicate, order, range: WHOLE_RANGE, backward: true, limit: 1 };
    const [last2] = yield { ...end, selection: NOTHING, offset: 0 };
    first = last2 === void 0 ? BEGINNING : pointOf(keysOf2(last2), 1);
  }
  const last = rows.length > 0 ? pointOf(keysOf2(rows.at(-1))) : first;
  const cursor = encodeCursor(cursorQuery, first, last);
  return { rows, page: { cursor, more: found.length > size, size } };
}
function rowsOf2(query) {
  const { predicate, order, page, selection, size, offset } = query;
  const backward = page.kind === "before";
  const limit = offset + size + 1;
  return { predicate, order, range: rangeOf(page), backward, limit, selection, offset };
}
function rangeOf(page) {
  switch (page.kind) {
    case "first":
    case "tail":
      return WHOLE_RANGE;
    case "after":
      return { after: page.point, before: void 0 };
    case "before":
      return { after: void 0, before: page.point };
    case "between":
      return page;
  }
}
function gapOf({ page, offset }) {
  switch (page.kind) {
    case "first":
      return offset > 0 ? "end" : BEGINNING;
    case "after":
      return offset > 0 ? "end" : asGap(page.point, 1);
    case "before":
      return offset > 0 || page.point === void 0 ? BEGINNING : asGap(page.point, -1);
    case "between":
      return asGap(page.after, 1);
    case "tail":
      return "end";
  }
}
function pointOf(keys, side = 0) {
  return { keys, side };
}
function asGap(point, side) {
  return point.side === 0 ? { keys: point.keys, side } : point;
}

// src/schema/show-files.ts
function showFiles(column, chosen, table, make) {
  const names = Object.keys(FILE_MEMBERS2);
  const members = names.filter((name) => chosen.has(name));
  const show = (file, id) => {
    const shown = {};
    for (const member of members) {
      const value = FILE_MEMBERS2[member] === "stored" ? cloneJson(file[member] ?? null) : make?.({ table, column, id }, file, member);
      if (value != null) shown[member] = value;
    }
    return shown;
  };
  return (value, id) => {
    const files = value;
    if (Array.isArray(files)) return files.map((file) => show(file, id));
    const shown = show(files, id);
    return Object.keys(shown).length > 0 ? shown : void 0;
  };
}

// src/query/project/projection.ts
function createProjection(sink) {
  const whole = /* @__PURE__ */ new WeakMap();
  const compile2 = (run, table, selection, reverse) => {
    const { profile } = run;
    const cached = whole.get(selection);
    if (cached?.profile === profile) return cached;
    const columns = compileColumns(sink, run, table, (linked) => {
      const { table: target } = viewAt(run, linked.table);
      const { make } = compile2(run, target, linked.selection, reverse);
      return (id) => {
        const ordinal = target.find(id);
        return ordinal < 0 ? void 0 : makeAt(target.chunks, ordinal, make);
      };
    });
    const compiled = {
      profile,
      make: sink.record({
        steps: columns(table.schema.columns, selection.columns, false),
        names: recordNames(profile),
        reverse: selection.reverse.map((choice) => [choice.name, reverse(choice)])
      })
    };
    if (selection.isWhole) whole.set(selection, compiled);
    return compiled;
  };
  return (run, table, selection, reverse) => {
    const { make } = compile2(run, table, selection, reverse);
    return (rows) => {
      const records = [];
      for (let from = 0; from < rows.length; from = records.length) {
        if (from > 0) run.checkTime?.();
        const end = Math.min(from + RECORD_RUN, rows.length);
        for (let i = from; i < end; i++) records.push(makeAt(table.chunks, rows[i], make));
      }
      return records;
    };
  };
}
var RECORD_RUN = 32;
function makeAt(chunks, ordinal, make) {
  return make(chunkAt(chunks, ordinal), rowAt(ordinal));
}
function compileColumns(sink, { profile, showFiles: show = showFiles }, { identity }, openLink) {
  const id = profile.idColumn;
  const createStep = (choice, isFirst) => {
    const { column } = choice;
    const key = sink.keyOf(column.name, isFirst);
    switch (choice.kind) {
      case "files": {
        const shape = show(choice.column, choice.members, identity);
        return sink.json(key, choice.column.slot, shape);
      }
      case "value":
        return createValueStep(sink, choice.column, key, profile);
      case "object":
        return sink.object(key, (first) => steps(choice.column.columns, choice.columns, first));
      case "link":
        return sink.link(key, choice.column.slot, id, choice.linked && openLink(choice.linked));
    }
  };
  const steps = (columns, choices, isFirst) => columns.flatMap(({ name }) => {
    const choice = choices.get(name);
    return choice === void 0 ? [] : [createStep(choice, isFirst)];
  });
  return steps;
}
function asText(value) {
  return JSON.stringify(value);
}
function createValueStep(sink, { slot, type }, key, profile) {
  switch (TRAITS[type].stored) {
    case "number":
      return sink.number(key, slot);
    case "bool":
      return sink.bool(key, slot);
    case "instant":
      return sink.instant(key, slot);
    case "list":
      return sink.list(key, slot);
    case "value":
      return sink.json(key, slot, type === "json" && profile.jsonAsText ? asText : void 0);
    case "text":
    case "code":
      return sink.text(key, slot);
  }
}

// src/query/project/sink.ts
function createInstantReader() {
  let lastMs = Number.NaN;
  let lastMicros = 0;
  let lastText = "";
  return (vector, row) => {
    const ms = vector.ms[row];
    const micros = vector.micros === void 0 ? 0 : vector.micros[row];
    if (ms === lastMs && micros === lastMicros) return lastText;
    if (Number.isNaN(ms)) return null;
    lastMs = ms;
    lastMicros = micros;
    lastText = formatInstant(ms, micros);
    return lastText;
  };
}

// src/query/project/records.ts
var OBJECTS = {
  keyOf: (name) => name,
  number: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot];
    if (vector === void 0) return;
    const value = vector.values[row];
    if (!Number.isNaN(value)) target[key] = value;
  },
  bool: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot];
    const byte = vector === void 0 ? NULL_BYTE : vector.bytes[row];
    if (byte !== NULL_BYTE) target[key] = byte === TRUE_BYTE;
  },
  instant: (key, slot) => {
    const read = createInstantReader();
    return (chunk, row, target) => {
      const vector = chunk.vectors[slot];
      const text = vector === void 0 ? null : read(vector, row);
      if (text !== null) target[key] = text;
    };
  },
  list: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot];
    const list = vector === void 0 ? null : vector.get(row);
    if (list !== null) target[key] = list;
  },
  text: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot];
    if (vector === void 0) return;
    const text = vector.kind === "text" ? vector.texts[row] : vector.get(row);
    if (text !== null) target[key] = text;
  },
  json: (key, slot, shape) => (chunk, row, target) => {
    const value = chunk.vectors[slot]?.get(row);
    if (value == null) return;
    const shaped = shape === void 0 ? cloneJson(value) : shape(value, chunk.idAt(row));
    if (shaped !== void 0) target[key] = shaped;
  },
  object: (key, members) => {
    const steps = members(true);
    return (chunk, row, target) => {
      const object = {};
      for (let i = 0; i < steps.length; i++) steps[i](chunk, row, object);
      for (const _ in object) {
        target[key] = object;
        break;
      }
    };
  },
  link: (key, slot, idKey, recordOf) => (chunk, row, target) => {
    const vector = chunk.vectors[slot];
    const id = vector === void 0 ? null : vector.get(row);
    if (id !== null) target[key] = recordOf?.(id) ?? { [idKey]: id };
  },
  record: ({ steps, names, reverse }) => {
    const [idKey, metadataKey = "", ...others] = names;
    const readCreatedAt = createInstantReader();
    const readUpdatedAt = createInstantReader();
    return (chunk, row) => {
      const id = chunk.idAt(row);
      const record = {};
      record[idKey] = id;
      for (let i = 0; i < steps.length; i++) steps[i](chunk, row, record);
      for (const [name, recordsFor] of reverse) record[name] = { records: recordsFor(id) };
      record[metadataKey] = {
        version: chunk.vectors[VERSION_SLOT].values[row],
        // version vectors hold numbers
        createdAt: readCreatedAt(chunk.vectors[CREATED_AT_SLOT], row),
        updatedAt: readUpdatedAt(chunk.vectors[UPDATED_AT_SLOT], row)
      };
      if (others.length > 0) flatten(record, names);
      return record;
    };
  }
};
function flatten(record, [, first = "", ...others]) {
  const values = Object.values(record[first]);
  for (const [index, name] of [first, ...others].entries()) record[name] = values[index];
}
var createProject = createProjection(OBJECTS);

// src/query/run.ts
function runQuery(run, request) {
  const { records, page } = givePage(run, request, createProject);
  return { records, meta: { page } };
}
function explainQuery(run, request) {
  const query = bindQuery(run, request);
  return describePlan(run, planRows(rowsOf2(query), availableIn(run)));
}
function countMatches(run, filter) {
  if (filter === void 0) return run.table.size;
  return countRows(run, planRun(run, bindMatches(run, filter)));
}
function bindMatches(run, filter) {
  return allMatching(bindFilter(tableScope(run), filter, ""));
}
function scanRecords(run, request, within) {
  const query = bindQuery(run, request);
  const { page } = request ?? {};
  if (Object.values(page ?? {}).some((value) => value !== void 0 && value !== 0)) {
    refuse("invalid_page", "a scan has no pages", { path: "/page", rule: "G-2" });
  }
  return projectAll(run, query, within);
}
function* projectAll(run, query, within) {
  const build = project(run, query.selection, createProject);
  const rows = within(() => findRows2(run, { ...rowsOf2(query), limit: run.table.size }));
  for (let from = 0; from < rows.length; from += SCAN_ROWS) {
    yield* within(() => build(rows.slice(from, from + SCAN_ROWS)));
  }
}
function bindProject(run, columns, at) {
  const selection = bindReverseSorts(bindColumns(tableScope(run), columns, at));
  return project(run, selection, createProject);
}
function findRows2(view, query, order) {
  return fetchRows(view, planRun(view, query), order);
}
function givePage(run, request, compile2) {
  const query = bindQuery(run, request);
  const order = new RowOrder(run, query.order);
  const paging = pageRows2(query, (row) => order.keysOf(row));
  let step4 = paging.next();
  while (step4.done !== true) {
    step4 = paging.next(findRows2(run, step4.value, order).slice(step4.value.offset));
  }
  const { rows, page } = step4.value;
  return { records: project(run, query.selection, compile2)(rows), page };
}
function project(run, selection, compile2) {
  return compile2(run, run.table, selection, reverseOf(run, compile2));
}
function reverseOf(run, compile2) {
  return ({ table, link, selection, order, limit, offset }) => {
    const view = viewAt(run, table);
    const make = compile2(run, view.table, selection, reverseOf(run, compile2));
    const rowOrder = new RowOrder(view, order);
    return (id) => {
      view.table.source?.find(link.slot, id);
      const linking = { ...allMatching(linksTo(link, [id])), order, limit: offset + limit };
      return make(findRows2(view, linking, rowOrder).slice(offset));
    };
  };
}

// src/engine/query-run.ts
function openRun(context, address, own) {
  const { tables: versions, profile, limits, indexes } = context;
  const { tables } = context.readBranch(address);
  const findTable3 = (name) => {
    const version = own?.uncommitted?.(name);
    if (version !== void 0) return version;
    const key = tables.get(name);
    return key === void 0 ? void 0 : versions.get(key);
  };
  return {
    table: findTable3(address.table) ?? context.readTable(address),
    findTable: findTable3,
    profile,
    limits,
    indexes,
    drawSeed: () => drawSeed(context),
    checkTime: context.time.check,
    showFiles: context.files?.openBranch(context, address),
    derived: createDerived(),
    ...own
  };
}
function drawSeed(context) {
  context.randomOrders += 1;
  return context.streams.orderSeed(context.randomOrders);
}

// src/engine/record-options.ts
function readRecordOptions(options, keys) {
  if (options === void 0) return {};
  requireObject(options, { what: "options", rule: "E-3" });
  requireKnownKeys(options, keys);
  const { ifVersion, createOnly, columns, limit } = options;
  const most = limit === void 0 ? limit : readNumber(limit, [0], partAt("limit"));
  return {
    ifVersion: readIfVersion(ifVersion, "/ifVersion"),
    createOnly: readFlag(createOnly, partAt("createOnly")),
    columns,
    limit: most
  };
}
function readIfVersion(value, path) {
  if (value === void 0) return void 0;
  return readNumber(value, [0], { what: "ifVersion", path, rule: "X-1" });
}
function mayFollowLinks(columns) {
  const members = isArray(columns) ? columns : [];
  return members.some((member) => typeof member !== "string" || member.includes("."));
}

// src/engine/tables.ts
function createTableAt(context, address, columns = []) {
  context.change((state) => {
    checkNewTable(state, address);
    return createTables(address, [[address.table, compile(context, columns)]], context);
  });
}
function createTablesAt(context, address, tables) {
  context.readBranch(address);
  if (!isPlainObject(tables)) {
    refuseValue(tables, "columns by table", { rule: "E-3" });
  }
  let schemas = [];
  context.change(() => {
    const entries = Object.entries(tables).filter(([, columns]) => columns !== void 0);
    const existing = context.readBranch(address).tables.keys();
    const taken = new Map(Array.from(existing, (name) => [name.toLowerCase(), name]));
    schemas = entries.map(([table, columns]) => {
      const at = pointer("", table);
      checkName("table", table, at);
      const folded = table.toLowerCase();
      requireFreeTable(taken.get(folded), address, { name: table, rule: "M-1", path: at });
      taken.set(folded, table);
      context.time.check();
      return [table, compile(context, columns, at)];
    });
    return createTables(address, schemas, context);
  });
  return schemas.map(([table]) => table);
}
function compile(context, columns, at) {
  const schema = compileSchema(columns, context.profile, at);
  requireFewColumns2(context, schema, at);
  return schema;
}
function requireFewColumns2({ limits: { tableColumns } }, { leaves }, path, before = 0) {
  if (leaves.length <= Math.max(tableColumns, before)) return;
  const message = `a table has at most ${tableColumns} columns (limits.tableColumns)`;
  refuse("invalid_schema", message, { path, rule: "L-13" });
}
function createTables(address, tables, context) {
  const { branchTables } = context.limits;
  const available = branchTables - context.readBranch(address).tables.size;
  if (tables.length > Math.max(0, available)) {
    const message = `a branch has at most ${branchTables} tables (limits.branchTables)`;
    refuse("invalid_schema", message, { rule: "L-13" });
  }
  const operations = [];
  const events = tables.map(([name, schema]) => {
    const columns = describeSchema(schema);
    const at = tableAt(address, name);
    const identity = context.createTableIdentity(at, columns);
    operations.push({ addTable: { table: name } });
    for (const column of columns) operations.push({ addColumn: { table: name, column } });
    const version = createTableVersion(identity, schema);
    return { kind: "table_created", at: tableNames(at), key: context.createKey(), version };
  });
  return [...events, ...addMigration(context.state, address, context.now(), operations)];
}
function renameTableAt(context, address, name) {
  context.change((state) => renameTable(state, address, name, context));
}
function deleteTableAt(context, address) {
  context.change((state) => removeTable(state, address, context));
}
function alterTableAt(context, address, alter) {
  context.change((state) => {
    const key = findTable2(state, address);
    const before = context.tableAt(key);
    const altering = alterContext(context, address);
    const { version, operations } = alter(before, altering);
    requireFewColumns2(context, version.schema, void 0, before.schema.leaves.length);
    const { links, remote, time } = context;
    links?.addAltered(address, key, { before, after: version, remote }, time.check);
    return [
      { kind: "table_altered", at: tableNames(address), key, before, version },
      ...addMigration(state, address, altering.now, operations)
    ];
  });
}
function alterContext(context, address) {
  const { profile, time, limits, remote } = context;
  return {
    table: address.table,
    profile,
    recordBytes: limits.recordBytes,
    now: context.now(),
    checkTime: time.check,
    findBreach: (version, check) => remote ? remote.findBreach(address, check) : findBreach(version, check, time.check)
  };
}

// src/storage/require-constraints.ts
function requireConstraints(transient, table, { notNulls, uniques }, valueAt2, ordinal, at) {
  for (const column of notNulls) {
    if (leavesOf(column).every(({ slot }) => valueAt2(slot) === null)) {
      refuseColumn(table, column.path, "must not be null", at);
    }
  }
  for (const column of uniques) {
    const value = requireValue(valueAt2(column.slot));
    if (value !== null && transient.findUnique(column, value, ordinal) >= 0) {
      const fault = `must be unique: another record holds ${describe(value)}`;
      const reason2 = { kind: "not_unique", column: column.path };
      refuseColumn(table, column.path, fault, at, { reason: reason2 });
    }
  }
}
function refuseColumn(table, path, fault, at, details = {}) {
  refuseRecord(table, "invalid_record", `column [${path}] ${fault}`, {
    path: path.split(".").reduce(below, at),
    rule: "T-16",
    ...details
  });
}

// src/storage/writer.ts
var UPDATE = { update: true, inserts: false };
var REPLACE = { update: false, inserts: false };
var UPSERT = { update: true, inserts: true };
var PUT = { update: false, inserts: true };
var TableWriter = class {
  #context;
  #transient;
  #constraints;
  #reader;
  #metadata;
  /** By slot: 1 for each code whose linked record exists. */
  #knownLinks = [];
  #openValue = (slot) => this.#transient.openValue(slot);
  constructor(table, context) {
    const { schema } = table;
    const { now, profile, owner, noted, readFile } = context;
    this.#context = context;
    this.#transient = new TableTransient(table, owner, noted);
    this.#constraints = schema.constraints;
    this.#reader = new RecordReader({ table: context.table, schema, profile, readFile });
    this.#metadata = { version: 0, createdAt: now, updatedAt: now };
  }
  persist() {
    return this.#transient.persist();
  }
  written() {
    return this.#transient.written();
  }
  /** Inserts a record and returns its id; throws `invalid_record`, `id_in_use`. */
  insert(record, at = ROOT, expected = 1, metadata) {
    const parsed = this.#read(record, at, false, void 0, this.#transient.openRow(expected));
    if (parsed.id !== void 0 && this.#transient.has(parsed.id))
      this.#refuseTaken(parsed.id, below(at, this.#context.profile.idColumn));
    this.#complete(parsed, -1, at);
    const id = parsed.id ?? this.#freeId();
    this.#observeLinks(parsed, id, at);
    const rowMetadata = metadata === void 0 ? this.#metadata : { ...this.#metadata, ...metadata };
    this.#transient.append(id, rowMetadata, parsed.values, expected);
    return id;
  }
  /** Updates the given columns (rule R-7). */
  update(id, changes, conditions, at) {
    this.#put(id, changes, conditions, at, UPDATE);
  }
  /** Replaces a record; absent columns become null or their default (rule R-7). */
  replace(id, record, conditions, at) {
    this.#put(id, record, conditions, at, REPLACE);
  }
  /** Updates or inserts a record; returns whether it existed. */
  upsert(id, record, conditions, at) {
    return this.#put(id, record, conditions, at, UPSERT);
  }
  /** Replaces or inserts a record; returns whether it existed. */
  put(id, record, conditions, at) {
    return this.#put(id, record, conditions, at, PUT);
  }
  /** Deletes a record; returns whether it existed. */
  delete(id, conditions = {}) {
    const ordinal = this.#transient.find(id);
    if (ordinal < 0) return false;
    this.#requireVersion(id, ordinal, conditions);
    this.#context.links?.onDelete?.(id);
    this.#transient.delete(ordinal);
    return true;
  }
  has(id) {
    return this.#transient.find(id) >= 0;
  }
  get(ordinal, slot) {
    return this.#transient.get(ordinal, slot);
  }
  /** Forgets which linked records exist, because records were deleted. */
  forgetLinks() {
    this.#knownLinks = [];
  }
  /** Sets links of a record to null; counts as one write of it (rule T-18). */
  unlink(ordinal, columns) {
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of columns) this.#transient.set(ordinal, column, null);
  }
  #put(id, record, conditions = {}, at = ROOT, { update, inserts }) {
    const ordinal = this.#transient.find(id);
    if (ordinal < 0 && !inserts) {
      this.#refuse("record_not_found", `record ${describe(id)} not found`, "R-9");
    }
    if (ordinal < 0) requireRecordId(this.#context.table, id);
    const parsed = this.#read(record, at, update && ordinal >= 0, id);
    if (ordinal >= 0 && conditions.createOnly === true) this.#refuseTaken(id, void 0);
    if (update || ordinal >= 0) this.#requireVersion(id, ordinal, conditions);
    if (ordinal < 0) {
      this.#complete(parsed, -1, at);
      this.#observeLinks(parsed, id, at);
      this.#transient.append(id, this.#metadata, parsed.values);
    } else if (update) this.#update(ordinal, parsed, at);
    else this.#replace(ordinal, parsed, at);
    return ordinal >= 0;
  }
  #read(record, at, allowOperations, id, sink) {
    const parsed = this.#reader.read(record, at, allowOperations, sink);
    this.#context.requireCurrent?.();
    if (id !== void 0 && parsed.id !== void 0 && parsed.id !== id) {
      const message = `id: expected ${describe(id)} as addressed, found ${describe(parsed.id)}`;
      this.#refuse("invalid_record", message, "R-8", below(at, this.#context.profile.idColumn));
    }
    return parsed;
  }
  #replace(ordinal, parsed, at) {
    this.#complete(parsed, ordinal, at);
    this.#observeLinks(parsed, this.#transient.idAt(ordinal), at);
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of this.#transient.schema.leaves) {
      const value = requireValue(parsed.values[column.slot]);
      if (value !== null || this.#transient.get(ordinal, column.slot) !== null) {
        this.#transient.set(ordinal, column, value);
      }
    }
  }
  /** Fills in defaults and checks constraints (rule T-16). */
  #complete(parsed, ordinal, at) {
    const { values } = parsed;
    const { defaults, objectDefaults, notNulls, uniques } = this.#constraints;
    if (defaults.length > 0 || objectDefaults.length > 0)
      this.#reader.fillDefaults(parsed, this.#context.now, at);
    if (parsed.files.length > 0) this.#applyFileChanges(parsed, ordinal);
    requireRecordSize(this.#context, this.#transient.schema, values, this.#openValue, at);
    if (notNulls.length > 0 || uniques.length > 0)
      this.#requireConstraints(this.#constraints, (slot) => values[slot] ?? null, ordinal, at);
  }
  #update(ordinal, parsed, at) {
    const { values } = parsed;
    for (const { column, operation, path } of parsed.operations) {
      const before = this.#transient.get(ordinal, column.slot);
      const after = before === null ? null : applyOperation(column, before, operation);
      if (after === void 0) {
        const done = `${operation.operator} ${operation.operand} on ${before}`;
        const message = `column [${column.path}]: ${done} has no result that the column can hold`;
        this.#refuse("invalid_record", message, "X-2", path);
      }
      values[column.slot] = after;
    }
    this.#applyFileChanges(parsed, ordinal);
    const valueAt2 = (slot) => {
      const value = values[slot];
      return value === void 0 ? this.#transient.get(ordinal, slot) : value;
    };
    const storedAt = (slot) => this.#transient.get(ordinal, slot);
    requireRecordSize(this.#context, this.#transient.schema, values, storedAt, at);
    const { notNulls, uniques } = this.#constraints;
    const changed2 = uniques.filter(({ slot }) => values[slot] !== void 0);
    this.#requireConstraints({ notNulls, uniques: changed2 }, valueAt2, ordinal, at);
    this.#observeLinks(parsed, this.#transient.idAt(ordinal), at);
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of this.#transient.schema.leaves) {
      const value = values[column.slot];
      if (value !== void 0) this.#transient.set(ordinal, column, requireValue(value));
    }
  }
  #observeLinks({ values }, id, at) {
    const { links: observer } = this.#context;
    if (observer === void 0) return;
    for (const column of this.#constraints.links) {
      const { slot } = column;
      const value = values[slot];
      if (value === TAKEN) {
        const code = this.#transient.openCode(slot);
        const checkedLinks = this.#knownLinks[slot];
        if (code === NULL_CODE || checkedLinks?.[code] === 1) continue;
        const link = this.#transient.openValue(slot);
        if (observer.onLink(column, link, id, at)) this.#know(slot, code);
      } else if (typeof value === "string") observer.onLink(column, value, id, at);
    }
  }
  #know(slot, code) {
    let known = this.#knownLinks[slot] ?? new Uint8Array(0);
    if (code >= known.length) {
      const longer = new Uint8Array(Math.max(64, code * 2));
      longer.set(known);
      known = longer;
    }
    known[code] = 1;
    this.#knownLinks[slot] = known;
  }
  #applyFileChanges(parsed, ordinal) {
    const before = (slot) => ordinal < 0 ? null : this.#transient.get(ordinal, slot);
    applyFileChanges(parsed, before, this.#context.nextId);
  }
  #requireConstraints(of, valueAt2, ordinal, at) {
    requireConstraints(this.#transient, this.#context.table, of, valueAt2, ordinal, at);
  }
  #requireVersion(id, ordinal, { ifVersion }) {
    if (ifVersion === void 0) return;
    const version = ordinal < 0 ? "none" : this.#transient.get(ordinal, VERSION_SLOT);
    if (version === ifVersion) return;
    const message = `record [${id}]: expected version ${ifVersion}, found ${String(version)}`;
    this.#refuse("version_conflict", message, "X-1", void 0, { reason: { kind: "version" } });
  }
  #freeId() {
    for (; ; ) {
      const id = this.#context.nextId();
      if (!this.#transient.has(id)) return id;
    }
  }
  #refuseTaken(id, path) {
    this.#refuse("id_in_use", `record ${describe(id)} already exists`, "R-3", path);
  }
  #refuse(code, text, rule, path, details = {}) {
    refuseRecord(this.#context.table, code, text, { path, rule, ...details });
  }
};

// src/engine/branch-write.ts
var BranchWrite = class {
  #context;
  #address;
  #inPlace;
  #readFile;
  #nextId;
  /** By name: a list of few, as a map would take a twentieth of the time of an insert. */
  #writers = [];
  /** Deleted records by table, until {@link settle}. */
  #deleted;
  /** @param readFile replaces the engine's reader of files */
  constructor(context, address, readFile) {
    this.#context = context;
    this.#address = address;
    this.#inPlace = context.writesInPlace;
    this.#readFile = readFile ?? context.files?.read;
  }
  /** Returns a table with the writes so far. */
  version(name) {
    return this.written(name) ?? this.#context.readTable(tableAt(this.#address, name));
  }
  /** Like {@link version}; undefined for a table without writes. */
  written(name) {
    return this.#findWriter(name)?.persist();
  }
  /** Returns a table's writer. Call {@link settle} first, except to delete. */
  writer(name) {
    const open = this.#findWriter(name);
    if (open !== void 0) return open;
    const context = this.#context;
    const outer = this.#address;
    const address = "table" in outer && outer.table === name ? outer : tableAt(outer, name);
    const writer = new TableWriter(context.readTable(address), {
      table: name,
      profile: context.profile,
      now: context.now(),
      nextId: this.#drawId,
      recordBytes: context.limits.recordBytes,
      readFile: this.#readFile,
      noted: context.feed.noted,
      links: this.#observeLinks(address),
      ...this.#inPlace && context.ownTables(name)
    });
    this.#writers.push([address, writer]);
    return writer;
  }
  #findWriter(name) {
    for (const [{ table }, writer] of this.#writers) if (table === name) return writer;
    return void 0;
  }
  /** Ascending ids that begin with the time (rule R-3); the engine's counter advances on commit. */
  #drawId = () => {
    const { nextId, streams } = this.#context;
    this.#nextId ??= Math.max(nextId, firstIdAt(this.#context.now().ms));
    return formatRecordId(this.#nextId++, streams.recordTail);
  };
  /** Sets the links to deleted records to null (rule T-18). Many deletions share one scan. */
  settle() {
    const deleted2 = this.#deleted;
    if (deleted2 === void 0) return;
    for (const [target, ids] of deleted2) {
      deleted2.delete(target);
      const found = this.#linksTo(target).flatMap(([name, columns]) => {
        const version = this.version(name);
        return columns.map((column) => {
          return { name, columns, column, rows: this.#linkingRows(version, column, ids) };
        });
      });
      for (const links of found) if (links.rows.length > 0) this.#unlink(links, ids);
    }
  }
  /** Makes the writes visible. If it throws, none is. */
  commit() {
    this.settle();
    if (this.#nextId !== void 0) this.#context.nextId = this.#nextId;
    for (const [address, writer] of this.#writers) {
      this.#context.writeTable(address, writer.persist(), writer.written());
    }
  }
  #linksTo(target) {
    return [...this.#context.linksTo(tableAt(this.#address, target))];
  }
  #unlink({ name, column, columns, rows }, ids) {
    const writer = this.writer(name);
    for (const [step4, row] of rows.entries()) {
      if ((step4 & CHECKED_ROWS) === 0 && !this.#inPlace) this.#context.time.check();
      const link = writer.get(row, column.slot);
      if (link === null || !ids.has(String(link))) continue;
      const isSame2 = ({ slot }) => writer.get(row, slot) === link;
      writer.unlink(row, columns.length === 1 ? columns : columns.filter(isSame2));
    }
  }
  #linkingRows(version, column, ids) {
    const { indexes, time } = this.#context;
    if (version.source !== void 0) for (const id of ids) version.source.find(column.slot, id);
    return findLinkingRows(createTableView(version, indexes, time.check), column, [...ids]);
  }
  /** Returns an observer that checks links (rule T-18); undefined if they are free. */
  #observeLinks(address) {
    const context = this.#context;
    const { links } = context;
    if (links === void 0) return void 0;
    const { tables } = context.readBranch(address);
    const { table } = address;
    const has = (target, key, id) => {
      if (!this.#inPlace && target === table) return false;
      return this.#findWriter(target)?.has(id) ?? context.tableAt(key).has(id);
    };
    return {
      onLink: (column, link, record, at) => {
        const { target } = column;
        if (target === table && link === record) return true;
        const key = tables.get(target);
        if (key === void 0 || has(target, key, link)) return true;
        const fault = { address, column, link, record, at };
        if (this.#inPlace) refuseLink(fault);
        links.add({ ...fault, table: tables.get(table) });
        return false;
      },
      onDelete: (id) => this.#onDelete(table, id)
    };
  }
  #onDelete(table, id) {
    const linked = this.#linksTo(table);
    if (linked.length === 0) return;
    for (const [name, columns] of linked) {
      for (const column of columns) this.#requireNullable(name, column, table, id);
    }
    for (const [, writer] of this.#writers) writer.forgetLinks();
    this.#deleted ??= /* @__PURE__ */ new Map();
    const deleted2 = this.#deleted.get(table) ?? /* @__PURE__ */ new Set();
    this.#deleted.set(table, deleted2.add(id));
    if (this.#inPlace) this.settle();
  }
  /** Rejects the deletion if a `notNull` column links to the record (rule T-16). */
  #requireNullable(name, column, target, id) {
    const { schema } = this.#context.readTable(tableAt(this.#address, name));
    const { notNulls } = schema.constraints;
    const bound = notNulls.filter((one) => leavesOf(one).some(({ slot }) => slot === column.slot));
    if (bound.length === 0) return;
    const version = this.version(name);
    for (const row of this.#linkingRows(version, column, [id])) {
      const record = version.idAt(row);
      if (name === target && record === id) continue;
      const isCleared = ({ slot, target: to }) => {
        const value = version.get(row, slot);
        if (value === null || to === void 0) return value === null;
        return to === target && value === id || this.#deleted?.get(to)?.has(String(value)) === true;
      };
      const broken = bound.find((one) => leavesOf(one).every(isCleared));
      if (broken === void 0) continue;
      const text = `record [${id}] cannot be deleted: record [${record}] of table [${name}] links to it, and column [${broken.path}] must not be null`;
      refuseRecord(target, "invalid_record", text, { rule: "T-16" });
    }
  }
};
var CHECKED_ROWS = 255;

// src/engine/write-records.ts
function writeRecords(context, address, act, { writes, readFile } = {}) {
  return context.write(() => {
    const write = new BranchWrite(context, address, readFile);
    const result = act(write.writer(address.table));
    write.commit();
    return result;
  }, writes);
}
var EXPECTED_RECORDS = 32;
function batchOptions({ profile }) {
  return profile.batches === "limited" ? { readFile: refuseFile } : {};
}
var refuseFile = ({ table, column, value, at }) => {
  const entry = isArray(value) && value.length > 0 ? "file entry [0]: " : "";
  const text = `column [${column.path}]: ${entry}file upload not permitted in transaction`;
  return refuseRecord(table, "invalid_record", text, { path: at, rule: "X-8" });
};
function insertRecords(context, address, records, { onInsert, metadata, onRefusal, ...options }) {
  const isIterable = typeof records === "object" && records !== null && Symbol.iterator in records;
  if (!isIterable || Array.isArray(records) && !isArray(records)) {
    refuseValue(records, "records", { rule: "R-5" });
  }
  const insertAll = (writer) => {
    const expected = isArray(records) ? records.length : EXPECTED_RECORDS;
    const insert = (record, index) => {
      try {
        onInsert(writer.insert(record, below(ROOT, index), expected - index, metadata?.(index)));
      } catch (error) {
        if (onRefusal === void 0 || !isRefusal(error)) throw error;
        onRefusal(error, index);
      }
    };
    tryEach(records, insert, context);
  };
  writeRecords(context, address, insertAll, options);
}
function insertAndRead(context, address, records, columns, options = {}) {
  return context.call(() => {
    const ids = [];
    const onInsert = (id) => void ids.push(id);
    insertRecords(context, address, records, { onInsert, ...options });
    return readRecords(context, address, columns, ids);
  });
}
function readRecords(context, address, columns, ids) {
  const run = openRun(context, address);
  return bindProject(run, columns, "/columns")(ids.map((id) => run.table.find(id)));
}
var CHECKED_MEMBERS = 15;
function tryEach(members, act, { time, links }, of = "records") {
  const faults = new BatchFaults(of);
  let index = 0;
  links?.beginBatch(of);
  for (const member of members) {
    if ((index & CHECKED_MEMBERS) === 0) time.check();
    links?.atMember(index);
    try {
      act(member, index);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      faults.add(index, error);
    }
    index++;
  }
  links?.endBatch();
  faults.throwAny();
}

// src/engine/write-where.ts
function writeWhere(context, address, [filter, changes, options]) {
  const { columns, limit = Infinity } = readRecordOptions(options, ["columns", "limit"]);
  return context.call(() => {
    const ids = context.read(() => {
      const run = openRun(context, address);
      const query = { ...bindMatches(run, filter ?? null), limit };
      context.onQuery?.(address, query);
      return findRows2(run, query).map((row) => run.table.idAt(row));
    });
    const read = () => columns === void 0 ? ids.length : readRecords(context, address, columns, ids);
    const before = changes === void 0 && read();
    writeRecords(context, address, (writer) => {
      const write = (id) => changes === void 0 ? writer.delete(id) : writer.update(id, changes, {}, below(ROOT, id));
      tryEach(ids, write, context);
    });
    return before || read();
  });
}

// src/engine/table.ts
var ONE = { writes: "one" };
var Table = class {
  #context;
  #address;
  constructor(context, address) {
    this.#context = context;
    this.#address = address;
  }
  /** Internal: for other entry points. The address follows renames by the handle. */
  static locate(table) {
    const own = table;
    return { context: own.#context, address: own.#address };
  }
  get name() {
    return this.#address.table;
  }
  insert(records, options) {
    const { columns } = readRecordOptions(options, ["columns"]);
    this.#checkColumns(columns);
    if (!isArray(records)) {
      return this.#writeAndRead(columns, (writer) => writer.insert(records));
    }
    return insertAndRead(this.#context, this.#address, records, columns);
  }
  load(records) {
    let count = 0;
    insertRecords(this.#context, this.#address, records, { onInsert: () => count++ });
    return count;
  }
  get(id, options) {
    const { columns } = readRecordOptions(options, ["columns"]);
    return this.#context.read(() => {
      const run = this.#run();
      const project2 = bindProject(run, columns, "/columns");
      const ordinal = run.table.find(id);
      return ordinal < 0 ? null : project2([ordinal])[0];
    });
  }
  update(id, changes, options) {
    return this.#writeOne("update", id, changes, options);
  }
  replace(id, record, options) {
    return this.#writeOne("replace", id, record, options);
  }
  upsert(id, record, options) {
    return this.#writeOne("upsert", id, record, options);
  }
  put(id, record, options) {
    return this.#writeOne("put", id, record, options, ["columns", "ifVersion", "createOnly"]);
  }
  delete(id, options) {
    const conditions = readRecordOptions(options, ["ifVersion"]);
    if (this.#read().find(id) < 0) return false;
    const remove = (writer) => writer.delete(id, conditions);
    return writeRecords(this.#context, this.#address, remove, ONE);
  }
  updateWhere(filter, changes, options) {
    return writeWhere(this.#context, this.#address, [filter, changes ?? null, options]);
  }
  deleteWhere(filter, options) {
    return writeWhere(this.#context, this.#address, [filter, void 0, options]);
  }
  query(request) {
    return this.#context.query(() => runQuery(this.#run(), request));
  }
  scan(request) {
    return this.#context.query(() => {
      this.#context.share();
      return scanRecords(this.#run(), request, (act) => this.#context.read(act));
    });
  }
  count(filter) {
    return this.#context.query(() => countMatches(this.#run(), filter));
  }
  summarize(request) {
    return this.#context.query(() => ({ summaries: runSummarize(this.#run(), request) }));
  }
  aggregate(request) {
    return this.#context.query(() => ({ aggs: runAggregate(this.#run(), request) }));
  }
  explain(request) {
    return this.#context.query(() => explainQuery(this.#run({ drawSeed: () => 0 }), request));
  }
  schema() {
    return { columns: describeSchema(this.#read().schema) };
  }
  addColumn(definition) {
    this.#alter((table, context) => putColumn("addColumn", table, definition, context));
  }
  alterColumn(definition) {
    this.#alter((table, context) => putColumn("alterColumn", table, definition, context));
  }
  renameColumn(path, newName) {
    this.#alter((table, context) => renameColumn(table, path, newName, context));
  }
  removeColumn(path) {
    this.#alter((table, context) => removeColumn(table, path, context));
  }
  setSchema(schema, options) {
    const about = { what: "schema", rule: "E-3" };
    const { columns } = readFields(schema ?? null, ["columns"], about);
    const { dropValues } = readFields(options, ["dropValues"], about);
    const mayDrop = readFlag(dropValues, partAt("dropValues"));
    this.#alter((table, context) => replaceColumns(table, columns, mayDrop, context));
  }
  rename(newName) {
    const before = this.#address;
    this.#address = { ...before, table: newName };
    try {
      renameTableAt(this.#context, before, newName);
    } catch (error) {
      this.#address = before;
      throw error;
    }
  }
  #read() {
    return this.#context.readTable(this.#address);
  }
  #run(settings) {
    return openRun(this.#context, this.#address, settings);
  }
  /** Validates the selection before writing. */
  #checkColumns(columns) {
    if (columns !== void 0) readRecords(this.#context, this.#address, columns, []);
  }
  /** Writes a record and reads it back: in place unless the answer may be refused, as through links. */
  #writeAndRead(columns, write) {
    const writes = mayFollowLinks(columns) ? "many" : "one";
    return this.#context.call(() => {
      const id = writeRecords(this.#context, this.#address, write, ONE);
      return readRecords(this.#context, this.#address, columns, [id])[0];
    }, writes);
  }
  /** Like above, but validates options first. */
  #writeOne(call, id, record, options, known = ["columns", "ifVersion"]) {
    const conditions = readRecordOptions(options, known);
    const { columns } = conditions;
    this.#checkColumns(columns);
    return this.#writeAndRead(columns, (writer) => {
      writer[call](id, record, conditions);
      return id;
    });
  }
  #alter(change) {
    alterTableAt(this.#context, this.#address, change);
  }
};

// src/engine/operation.ts
var OPERATION_KEYS = {
  insert: ["table", "record", "ifVersion", "createOnly", "columns"],
  update: ["table", "id", "fields", "ifVersion", "upsert", "columns"],
  delete: ["table", "id", "failIfMissing", "columns"],
  get: ["table", "id", "columns"]
};
var KINDS3 = Object.keys(OPERATION_KEYS);
function readOperationHead(request, path) {
  const [kind, fields] = readChoice(request, KINDS3, { path, rule: "X-3" });
  const at = pointer(path, kind);
  requireObject(fields, { what: kind, path: at, rule: "X-3" });
  requireKnownKeys(fields, OPERATION_KEYS[kind], { path: at });
  return { kind, table: readText2(fields, "table", at), fields, at };
}
function readRecordOperation({ kind, table, fields, at }) {
  const { [kind === "insert" ? "record" : "fields"]: record, columns } = fields;
  const flagAt = (key) => readFlag(fields[key], partOf2(key, at));
  const id = kind === "insert" ? "" : readText2(fields, "id", at);
  const ifVersion = readIfVersion(fields.ifVersion, below(at, "ifVersion"));
  const [createOnly, upsert] = [flagAt("createOnly"), flagAt("upsert")];
  const failIfMissing = flagAt("failIfMissing");
  return { kind, table, id, record, columns, ifVersion, createOnly, upsert, failIfMissing, at };
}
function readText2(fields, key, at) {
  const { [key]: text } = fields;
  return typeof text === "string" ? text : refuseValue(text, "a string", partOf2(key, at));
}
function partOf2(key, at) {
  return { what: key, path: below(at, key), rule: "E-3" };
}
function placeRefusal(error, { kind, table, at }) {
  const head = `table [${shorten(table, MAX_NAME_LENGTH)}]: `;
  const message = error.message.startsWith(head) ? error.message : head + error.message;
  const { code, path = pointer(at, addressKey(code, kind)), rule, status, reason: reason2 } = error;
  return new TwinbaseError(code, message, { path, rule, status, reason: reason2, table });
}
function addressKey(code, kind) {
  switch (code) {
    case "invalid_name":
    case "table_not_found":
      return "table";
    case "version_conflict":
      return "ifVersion";
    default:
      return kind === "insert" ? "record" : "id";
  }
}

// src/engine/transaction.ts
var MAX_OPERATIONS = 1e3;
function runTransaction(context, address, operations) {
  if (!isArray(operations)) {
    refuseValue(operations, "an array", partAt("operations", "X-3"));
  }
  if (operations.length > MAX_OPERATIONS) {
    refuse("invalid_request", `operations: at most ${MAX_OPERATIONS}, found ${operations.length}`, {
      path: "/operations",
      rule: "X-3"
    });
  }
  return context.write(() => {
    context.readBranch(address);
    const transaction = new Transaction(context, address);
    const results = [];
    const run = (operation, index) => {
      results.push(transaction.run(operation, pointer("/operations", index)));
    };
    tryEach(operations, run, context, "operations");
    transaction.commit();
    return results;
  });
}
var Transaction = class {
  #context;
  #address;
  #reserved;
  #write;
  constructor(context, address) {
    this.#context = context;
    this.#address = address;
    this.#reserved = recordNames(context.profile);
    this.#write = new BranchWrite(context, address, batchOptions(context).readFile);
  }
  run(request, at) {
    const head = readOperationHead(request, at);
    try {
      return this.#run(readRecordOperation(head));
    } catch (error) {
      throw error instanceof TwinbaseError ? placeRefusal(error, head) : error;
    }
  }
  commit() {
    this.#write.commit();
  }
  #run(operation) {
    const { kind, table, columns } = operation;
    const writer = this.#write.writer(table);
    if (kind !== "delete" || columns !== void 0) this.#write.settle();
    if (columns !== void 0) this.#project(operation);
    switch (kind) {
      case "insert":
        return this.#insert(writer, operation);
      case "update":
        return this.#update(writer, operation);
      case "delete":
        return this.#delete(writer, operation);
      case "get":
        return { operation: "get", columns: this.#columnsOf(operation) ?? {} };
    }
  }
  /** Replaces an existing record, unless `createOnly` (rule X-3). */
  #insert(writer, operation) {
    const { table, record, at, ifVersion, createOnly, columns } = operation;
    const { idColumn } = this.#context.profile;
    const path = pointer(at, "record");
    const chosenId = isPlainObject(record) ? record[idColumn] : void 0;
    if (chosenId === void 0) {
      if (ifVersion !== void 0 && isPlainObject(record)) {
        refuseRecord(table, "version_conflict", "ifVersion needs the id of a record", {
          path: at,
          rule: "X-3",
          reason: { kind: "version" }
        });
      }
      const id2 = writer.insert(record, path);
      return { operation: "insert", id: id2, rows: 1, ...this.#named({ ...operation, id: id2 }) };
    }
    const id = requireRecordId(table, chosenId, pointer(path, idColumn));
    writer.put(id, record, { ifVersion, createOnly }, path);
    const isPlain2 = isEmptySelection(columns) && createOnly !== true;
    const named = isPlain2 ? { columns: {} } : this.#named({ ...operation, id });
    return { operation: "insert", id, rows: 1, ...named };
  }
  #update(writer, operation) {
    const { id, record, at, ifVersion, upsert, columns } = operation;
    writer[upsert ? "upsert" : "update"](id, record, { ifVersion }, pointer(at, "fields"));
    const named = isEmptySelection(columns) ? { columns: {} } : this.#named(operation);
    return { operation: "update", id, rows: 1, ...named };
  }
  #delete(writer, operation) {
    const { table, id, at, failIfMissing } = operation;
    const named = this.#named(operation);
    const wasThere = writer.delete(id);
    if (!wasThere && failIfMissing === true) {
      refuseRecord(table, "record_not_found", `record ${describe(id)} not found`, {
        path: pointer(at, "id"),
        rule: "X-3",
        reason: { kind: "record", text: "no rows deleted" }
      });
    }
    return wasThere ? { operation: "delete", rows: 1, ...named } : { operation: "delete", rows: 0 };
  }
  /** Returns the selected columns; no columns without a selection. */
  #named(operation) {
    if (isEmptySelection(operation.columns)) return {};
    const columns = this.#columnsOf(operation);
    return columns === void 0 ? {} : { columns };
  }
  /** Returns exactly the named columns: id and metadata only if named (rule X-3). */
  #columnsOf(operation) {
    const { kind, table, id, columns } = operation;
    const ordinal = this.#write.version(table).find(id);
    if (ordinal < 0) return void 0;
    const record = this.#project(operation)([ordinal])[0];
    if (columns === void 0) return record;
    const { sortedResults } = this.#context.profile;
    const names = columns.filter((name) => typeof name === "string");
    if (sortedResults && kind === "get" && names.length === 0) return record;
    const selected = Object.entries(record).filter(
      ([key]) => !this.#reserved.includes(key) || names.some((name) => name === key || name.startsWith(`${key}.`))
    );
    return Object.fromEntries(
      sortedResults ? selected.sort(([a], [b]) => compareStrings(a, b)) : selected
    );
  }
  #project({ table, columns, at }) {
    const run = openRun(this.#context, tableAt(this.#address, table), {
      uncommitted: (name) => this.#write.written(name)
    });
    return bindProject(run, columns, pointer(at, "columns"));
  }
};
function isEmptySelection(columns) {
  return columns === void 0 || isArray(columns) && columns.length === 0;
}

// src/engine/branch.ts
var Branch = class {
  #context;
  #address;
  constructor(context, address) {
    this.#context = context;
    this.#address = address;
    this.name = address.branch;
    this.database = address.database;
  }
  /** Internal: for the package's other entries. */
  static sourceOf(branch) {
    const own = branch;
    return { context: own.#context, address: own.#address };
  }
  /**
   * Creates an empty table (M-1). The handle has the types of columns given literally or `as
   * const`, but not those behind links. Throws `invalid_name`, `table_exists`, `invalid_schema`.
   *
   * @example
   * main.createTable("teams", [{ name: "name", type: "string" }]);
   */
  createTable(name, columns) {
    const address = tableAt(this.#address, name);
    createTableAt(this.#context, address, columns);
    return this.#open(address);
  }
  /**
   * Creates several empty tables, all or none, and returns their handles by name. Their types
   * include the columns behind links. Throws as {@link createTable}.
   *
   * @example
   * const { teams, users } = main.createTables({
   *   teams: [{ name: "name", type: "string" }],
   *   users: [{ name: "team", type: "link", link: { table: "teams" } }],
   * });
   */
  createTables(tables) {
    const names = createTablesAt(this.#context, this.#address, tables);
    const handles = Object.fromEntries(
      names.map((name) => [name, this.#open(tableAt(this.#address, name))])
    );
    return handles;
  }
  /** Returns a table's handle; its shape is not checked. Throws `table_not_found` (M-4). */
  table(name) {
    const address = tableAt(this.#address, name);
    this.#context.readTable(address);
    return this.#open(address);
  }
  /** Lists the tables in creation order. */
  tables() {
    return listTables(this.#context.state, this.#address);
  }
  /** Renames a table; links to it follow (rules M-3, T-17). */
  renameTable(name, newName) {
    renameTableAt(this.#context, tableAt(this.#address, name), newName);
  }
  /** Deletes a table (rule M-2). */
  deleteTable(name) {
    deleteTableAt(this.#context, tableAt(this.#address, name));
  }
  /**
   * Runs operations on records in order, all or none (X-3). The error's `errors` lists every
   * invalid operation, with status 400. A type argument checks operations by columns.
   *
   * @example
   * main.transaction<typeof schema>([
   *   { insert: { table: "teams", record: { id: "red" } } },
   *   { update: { table: "users", id: "ada", fields: { team: "red" } } },
   * ]);
   */
  transaction(operations) {
    return runTransaction(this.#context, this.#address, operations);
  }
  /** Returns the branch's metadata (rule X-5). */
  metadata() {
    return structuredClone(this.#context.readBranch(this.#address).metadata);
  }
  /** Replaces the metadata (rule X-5); throws `invalid_request`. */
  setMetadata(metadata) {
    this.#context.change((state) => changeBranchMetadata(state, this.#address, metadata));
    return this.metadata();
  }
  /** Shapes are types only, unchecked at run time. */
  #open(address) {
    const table = new Table(this.#context, address);
    return table;
  }
};

// src/catalog/git-branches.ts
var MAX_GIT_BRANCH = 1024;
function addGitBranch(state, address, mapping, { mappingTarget }) {
  const { branches, branchesByGitBranch } = findDatabase(state, address);
  const part = { what: "git branch mapping", rule: "B-3" };
  const fields = readFields(mapping, ["gitBranch", mappingTarget], part);
  const gitBranch = readGitBranch(fields.gitBranch, "B-3");
  const branch = fields[mappingTarget];
  const path = `/${mappingTarget}`;
  if (typeof branch !== "string") refuseValue(branch, mappingTarget, { ...part, path });
  if (!branches.has(branch)) {
    refuse("branch_not_found", `${mappingTarget}: branch ${describe(branch)} not found`, {
      path,
      rule: "B-3",
      status: 400
    });
  }
  const from = branchesByGitBranch.get(gitBranch);
  const warning = from === void 0 ? void 0 : `The git branch ${gitBranch} was mapped to ${from} before; it is now mapped to ${branch}.`;
  const { workspace, database } = address;
  return { event: created("gitBranch", [workspace, database, gitBranch], branch), warning };
}
function removeGitBranch(state, address, gitBranch) {
  const { branchesByGitBranch } = findDatabase(state, address);
  const name = readGitBranch(gitBranch, "B-4");
  if (!branchesByGitBranch.has(name)) {
    refuse("git_branch_not_found", `git branch ${describe(name)} not found in the mapping`, {
      rule: "B-4"
    });
  }
  return [deleted("gitBranch", address.workspace, address.database, name)];
}
function listGitBranches(state, address, { mappingsKey, mappingTarget }) {
  const { branchesByGitBranch } = findDatabase(state, address);
  const entries = Array.from(branchesByGitBranch, ([gitBranch, branch]) => ({
    gitBranch,
    [mappingTarget]: branch
  }));
  return { [mappingsKey]: entries };
}
function resolveGitBranch(state, address, request) {
  const database = findDatabase(state, address);
  const fields = readFields(request, ["gitBranch", "fallbackBranch"], {
    what: "resolve",
    rule: "B-5"
  });
  const read = (key) => fields[key] === void 0 ? void 0 : readString(fields[key], 0, MAX_GIT_BRANCH, partAt(key, "B-5"));
  return resolve(database, read("gitBranch"), read("fallbackBranch"));
}
function resolve({ branches, branchesByGitBranch }, gitBranch, fallback) {
  const mapped = gitBranch === void 0 ? void 0 : branchesByGitBranch.get(gitBranch);
  if (mapped !== void 0) {
    return reason(mapped, "FOUND_IN_MAPPING", `git branch ${gitBranch} is mapped to ${mapped}`);
  }
  if (gitBranch !== void 0 && branches.has(gitBranch)) {
    return reason(gitBranch, "BRANCH_EXISTS", `a branch is called ${gitBranch}`);
  }
  if (fallback !== void 0 && branches.has(fallback)) {
    return reason(fallback, "FALLBACK_BRANCH", `the fallback branch ${fallback} exists`);
  }
  const [oldest] = branches.keys();
  const branch = branches.has("main") ? "main" : oldest;
  return reason(branch, "DEFAULT_BRANCH", `${branch} is the default branch`);
}
function reason(branch, code, message) {
  return { branch, reason: { code, message } };
}
function readGitBranch(gitBranch, rule) {
  return readString(gitBranch, 1, MAX_GIT_BRANCH, partAt("gitBranch", rule));
}

// src/engine/git-branches.ts
var GitBranches = class {
  #context;
  #address;
  constructor(context, address) {
    this.#context = context;
    this.#address = address;
  }
  /** Lists the mappings in insertion order, in the profile's form (rule B-2). */
  list() {
    return listGitBranches(this.#context.state, this.#address, this.#context.profile);
  }
  /** Maps a git branch (rule B-3); throws `branch_not_found` (400), `invalid_request`. */
  add(mapping) {
    const context = this.#context;
    let warning;
    context.change((state) => {
      const added = addGitBranch(state, this.#address, mapping, context.profile);
      warning = added.warning;
      return [added.event];
    });
    return warning === void 0 ? {} : { warning };
  }
  /** Removes a mapping; throws `git_branch_not_found` (rule B-4). */
  remove(gitBranch) {
    this.#context.change((state) => removeGitBranch(state, this.#address, gitBranch));
  }
  /** Returns the branch for a git branch, and the reason (rule B-5). */
  resolve(request) {
    return resolveGitBranch(this.#context.state, this.#address, request);
  }
};

// src/engine/database.ts
var Database = class {
  #context;
  #address;
  constructor(context, address) {
    this.#context = context;
    this.#address = address;
    this.name = address.database;
    this.workspace = address.workspace;
    this.gitBranches = new GitBranches(context, address);
  }
  /** Internal: for the package's other entries. */
  static sourceOf(database) {
    const own = database;
    return { context: own.#context, address: own.#address };
  }
  /** Returns name, region, creation time and, if set, colour (rule D-2). */
  metadata() {
    return describeDatabase(this.name, findDatabase(this.#context.state, this.#address));
  }
  /** Sets the colour, 1–32 characters (rule D-3); throws `invalid_request`. */
  update(changes) {
    this.#context.change((state) => changeDatabase(state, this.#address, changes));
    return this.metadata();
  }
  /**
   * Creates a branch in O(1): empty, or with the tables of another one, and its records if `data`
   * or the profile's `branchCopies` requests them (B-1). Throws `invalid_name`, `branch_exists`,
   * `branch_not_found` (400), `invalid_request`.
   */
  createBranch(name, options) {
    const address = branchAt(this.#address, name);
    const context = this.#context;
    context.change((state) => addBranch(state, address, options, context));
    return new Branch(this.#context, address);
  }
  /** Returns a branch's handle; throws `branch_not_found` (rule M-4). */
  branch(name) {
    const address = branchAt(this.#address, name);
    this.#context.readBranch(address);
    return new Branch(this.#context, address);
  }
  /** Lists the branches, oldest first. */
  branches() {
    return listBranches(this.#context.state, this.#address);
  }
  /** Renames a branch; throws `branch_exists`. */
  renameBranch(name, newName) {
    const address = branchAt(this.#address, name);
    this.#context.change((state) => renameBranch(state, address, newName));
  }
  /** Deletes a branch and mappings to it (rule B-6); throws `last_branch` (B-1). */
  deleteBranch(name) {
    const address = branchAt(this.#address, name);
    this.#context.change((state) => removeBranch(state, address));
  }
  /** Returns the settings (rule X-5). */
  settings() {
    return structuredClone(findDatabase(this.#context.state, this.#address).settings);
  }
  /** Merges settings (rule X-5). */
  updateSettings(changes) {
    this.#context.change((state) => changeDatabaseSettings(state, this.#address, changes));
    return this.settings();
  }
};

// src/engine/workspace.ts
var Workspace = class {
  #context;
  constructor(context, id) {
    this.#context = context;
    this.id = id;
  }
  /** Adds a database with one empty branch (B-1, D-1); throws `invalid_name`, `database_exists`. */
  createDatabase(name, options) {
    const address = { workspace: this.id, database: name };
    const now = this.#context.now();
    this.#context.change((state) => addDatabase(state, address, options, now));
    return new Database(this.#context, address);
  }
  /** Returns a database's handle; throws `database_not_found` (rule M-4). */
  database(name) {
    const address = { workspace: this.id, database: name };
    findDatabase(this.#context.state, address);
    return new Database(this.#context, address);
  }
  /** Lists the databases, in creation order. */
  databases() {
    return listDatabases(this.#context.state, this.id);
  }
  /** Renames a database; throws `database_exists`. */
  renameDatabase(name, newName) {
    const address = { workspace: this.id, database: name };
    this.#context.change((state) => renameDatabase(state, address, newName));
  }
  /** Deletes a database and its contents (rule D-4). */
  deleteDatabase(name) {
    const address = { workspace: this.id, database: name };
    this.#context.change((state) => removeDatabase(state, address));
  }
  /** Internal: for the package's other entries. */
  static contextOf(workspace) {
    return workspace.#context;
  }
  /** Returns name and slug (rule A-2). */
  metadata() {
    const { name, slug } = findWorkspace(this.#context.state, this.id);
    return { id: this.id, name, slug };
  }
  /** Changes the name and, if given, the slug; the id doesn't change (rule A-2). */
  update(changes) {
    this.#context.change((state) => changeWorkspace(state, this.id, changes));
    return this.metadata();
  }
  /** Returns the settings (rule X-5). */
  settings() {
    return structuredClone(findWorkspace(this.#context.state, this.id).settings);
  }
  /** Merges settings (rule X-5). */
  updateSettings(changes) {
    this.#context.change((state) => changeWorkspaceSettings(state, this.id, changes));
    return this.settings();
  }
};

// src/engine.ts
function createEngine(options) {
  const setup = resolveSetup(options);
  return new Engine(new EngineContext(setup, createEngineContents(setup)));
}
var Engine = class _Engine extends EngineUsers {
  #context;
  constructor(context) {
    super(context);
    this.profile = context.profile;
    this.limits = context.limits;
    this.clock = context.clock;
    this.#context = context;
  }
  /** Internal: the context of an engine, for the package's other entries. */
  static contextOf(engine) {
    return engine.#context;
  }
  /** The seed of ids and random values. */
  get seed() {
    return this.#context.seed;
  }
  /**
   * Creates an empty workspace; its id is 1–255 characters of `A-Z a-z 0-9 _ - ~`. Throws
   * `invalid_name`, `invalid_request` if the id is taken.
   *
   * @example
   * const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
   */
  createWorkspace(id, options) {
    this.#context.change((state) => addWorkspace(state, id, options));
    return new Workspace(this.#context, id);
  }
  /** Returns a workspace; throws `workspace_not_found` (D-5). */
  workspace(id) {
    findWorkspace(this.#context.state, id);
    return new Workspace(this.#context, id);
  }
  /** Returns all workspaces, in the order of creation. */
  workspaces() {
    return listWorkspaces(this.#context.state);
  }
  /** Renames a workspace; its id and slug don't change. */
  renameWorkspace(id, name) {
    this.#context.change((state) => changeWorkspace(state, id, { name }));
  }
  /** Deletes a workspace and everything in it. */
  deleteWorkspace(id) {
    this.#context.change((state) => removeWorkspace(state, id));
  }
  /** Whether a workspace has a database of that name; false for an unknown workspace. */
  hasDatabase(workspace, name) {
    return this.#context.state.workspaces.get(workspace)?.databases.has(name) ?? false;
  }
  /**
   * Returns the engine's state as an immutable value, in O(1).
   *
   * @example
   * const saved = engine.snapshot();
   * users.delete("ada");
   * engine.restore(saved);
   */
  snapshot() {
    return new Snapshot(this.#context.share(), this.profile);
  }
  /**
   * Restores a snapshot of any engine, in O(1). Handles then refer to the restored objects with
   * the same names. Throws `invalid_request` for a snapshot of another base profile.
   */
  restore(snapshot) {
    const contents = Snapshot.open(snapshot, this.profile);
    this.#context.write(() => this.#context.restore(contents));
  }
  /**
   * Returns an independent copy with the same sequence of ids and times, in O(1).
   *
   * @example
   * const own = seeded.fork(); // for one test
   */
  fork() {
    return new _Engine(this.#context.fork());
  }
  /** Makes the current state the baseline of {@link reset}, in O(1). */
  setBaseline() {
    this.#context.setBaseline();
  }
  /**
   * Restores the baseline, with the clock and the sequence of ids, in O(1). The default
   * baseline is the initial state; for a fork, its state when forked.
   */
  reset() {
    this.#context.reset();
  }
  /** Deletes all contents of the engine. Its forks are unaffected. */
  [Symbol.dispose]() {
    this.#context.dispose();
  }
};

// ../../tmp/m/untold.ts
for (const profile of (process.env.P ?? "documented").split(",")) {
  const traits = { ...resolveTraits({ engine: createEngine({ profile }) }), tier: "strict" };
  const want = new Set(featureRows(traits).telling.flatMap((row) => neighbourRows(traits, row)).flatMap(({ names }) => names));
  const told = /* @__PURE__ */ new Set();
  for (const c of featureCases(traits, 25).examples) for (const w of c.walks) for (const f of w().features) told.add(f);
  const un = [...want].filter((x) => !told.has(x));
  console.log(profile, want.size, want.size - un.length, (want.size - un.length) / want.size);
  const by = {};
  for (const u of un) {
    const k = u.replace(/× (type|path|combinator) .*/, (m, a) => a);
    by[k] = (by[k] ?? 0) + 1;
  }
  if (process.env.L) console.log(Object.entries(by).sort((a, b) => b[1] - a[1]).slice(0, 50).map((x) => x.join(": ")).join("\n"));
  if (process.env.G) console.log(un.filter((x) => x.includes(process.env.G)).join("\n"));
}

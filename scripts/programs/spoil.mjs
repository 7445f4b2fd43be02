// Spoils values: one mutator for requests over HTTP, for calls of the engine, and for bodies that a schema forbids.

/** Maximum depth and members per level of a place: some junk is cyclic or large. */
const MAX_DEPTH = 8;
const MAX_MEMBERS = 40;

/** As the next value of a place: the place is removed. */
export const REMOVED = Symbol("removed");

/** JSON that requests rarely expect. */
export const JSON_JUNK = [
  ...[null, true, false, 0, 1, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, "", " ", "0", "null"],
  ...["__proto__", "constructor", "toString", "$is", "$", "*", ".", "a.b", "a..b", "|", "{", "[]"],
  ...["->", "doc->", "doc->a", "team.team", "team.name", "home.*", "id", "n", "name", "service"],
  ...["end", "asc", "random", "now", "usr_1", "main", "2022-01-31T10:20:30Z"],
  ...["\u0000", "\n", "\u2028", "é", "\u{1f600}", "x".repeat(3000)],
  ...[[], {}, [[]], [{}], [null], { "": null }, { $any: {} }, { $not: { $not: null } }],
  ...[{ $is: { $is: 1 } }, { $any: [1, { $gt: 2 }, null, "x"] }, { $exists: ["n", null] }],
  ...[{ $pattern: "*?*".repeat(50) }, { n: { $increment: 1 } }, { $increment: 1 }],
  ...[{ "*": "random" }, { name: "<-users.team" }, { name: "<-players.team", as: "x" }],
  ...[
    { type: "object", columns: [] },
    { type: "object", columns: [{ name: "x", type: "int" }] },
  ],
  JSON.parse('{"__proto__":{"n":1},"constructor":{"prototype":1}}'),
  nest(40, (inner) => ({ $not: inner })),
  nest(40, (inner) => [inner]),
  Array.from({ length: 1200 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`k${i}`, i])),
];

const KEYS = [
  ...["n", "name", "id", "service", "team", "home", "doc", "tags", "filter", "sort", "columns"],
  ...["page", "size", "offset", "after", "before", "start", "end", "table", "record", "fields"],
  ...["type", "link", "unique", "notNull", "defaultValue", "$any", "$all", "$not", "$none"],
  ...["$exists", "$notExists", "$is", "$isNot", "$gt", "$contains", "$pattern", "$includes"],
  ...["$foo", "$", "0", "", "nope", "a.b", "a/b~c", "home.geo.lat", "team.boss.team.name"],
  ...["__proto__", "constructor", "toString", "\ud83d"],
];

/** Wraps a value several times. */
export function nest(levels, wrap, core = 1) {
  let value = core;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Lists the places in a value, as lists of keys; the first is the whole. Reads no getters. */
export function listPlaces(value, depth = MAX_DEPTH) {
  if (!isPlain(value) || depth === 0) return [[]];
  const members = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([key, { enumerable }]) => enumerable && key !== "length")
    .slice(0, MAX_MEMBERS);
  const below = members.flatMap(([key, { value: inner }]) =>
    listPlaces(inner, depth - 1).map((place) => [key, ...place]),
  );
  return [[], ...below];
}

export function readPlace(value, place) {
  return place.reduce((inner, key) => inner[key], value);
}

/** Returns a copy with another value at a place; {@link REMOVED} removes the place. */
export function putAt(value, [key, ...rest], next) {
  if (key === undefined) return next;
  const inner = putAt(value[key], rest, next);
  if (Array.isArray(value)) {
    const copy = value.slice();
    if (inner === REMOVED) copy.splice(Number(key), 1);
    else copy[key] = inner;
    return copy;
  }
  if (inner !== REMOVED) return { ...value, [key]: inner };
  const { [key]: _, ...others } = value;
  return others;
}

/** Returns a copy with a random change at a place: a random one by default. */
export function spoil(value, random, junk = JSON_JUNK, place = random.pick(listPlaces(value))) {
  const inner = readPlace(value, place);
  const [key, other] = [random.pick(KEYS), random.pick(junk)];
  const [parent, last] = [place.slice(0, -1), place.at(-1)];
  const isNamed = last !== undefined && !Array.isArray(readPlace(value, parent));
  const isObject = isPlain(inner) && !Array.isArray(inner);
  const replaced = () => putAt(value, place, other);
  const changes = [
    replaced,
    replaced,
    () => putAt(value, place, isObject ? { ...inner, [key]: other } : [other, inner]),
    () => putAt(value, place, key === "" ? [inner] : { [key]: inner }),
    () => putAt(value, place, [inner, inner, inner]),
    last === undefined ? replaced : () => putAt(value, place, REMOVED),
    isNamed ? () => putAt(putAt(value, place, REMOVED), [...parent, key], inner) : replaced,
  ];
  return random.pick(changes)();
}

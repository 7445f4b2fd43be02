import fc from "fast-check";

class Instance {
  readonly field = 1;
}

/** An object whose getters return another value each time. */
function createShifting(...values: unknown[]): object {
  let turn = 0;
  const next = (): unknown => values[turn++ % values.length];
  return {
    get n() {
      return next();
    },
    get id() {
      return next();
    },
  };
}

function createCycle(): unknown {
  const object: Record<string, unknown> = { n: 1, list: [] };
  object.self = object;
  (object.list as unknown[]).push(object);
  return object;
}

function nest(levels: number, wrap: (inner: unknown) => unknown, core: unknown = 1): unknown {
  let value = core;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

function createHoles(): unknown {
  const holes: unknown[] = [1];
  holes[3] = "x";
  return holes;
}

const SCALARS: readonly unknown[] = [
  ...[null, undefined, true, false, 0, -0, 1, -1, 0.5, 1e308, 5e-324, 2 ** 53, 2 ** 31, 1e-7],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 10n, 10n ** 30n],
  ..." |x|a|red|0|-1|null|true|end|asc|random|now|{|[]||\0|\n|\u2028|é|😀|2022-01-31T10:20:30Z".split(
    "|",
  ),
  ...["\ud83d", "a\udc00", "x".repeat(3000)],
  ..."__proto__ constructor toString hasOwnProperty $is $ $any * . ..".split(" "),
  ..."n name team.name team.* home.* doc->a doc-> -> team..n service id".split(" "),
  ...[Symbol("junk"), Symbol.iterator, () => 1, class {}, Instance],
];

const OBJECTS: readonly (() => unknown)[] = [
  () => ({}),
  () => [],
  () => [[]],
  () => [{}],
  () => [null],
  () => ({ "": 1 }),
  () => ({ $is: { $is: 1 } }),
  () => ({ $not: { $not: null } }),
  () => ({ $any: [1, { $gt: 2 }, null, "x"] }),
  () => ({ $exists: ["n", null] }),
  () => ({ n: { $increment: 1 } }),
  () => ({ "*": "random" }),
  () => ({ name: "<-players.team", as: "x" }),
  () => ({ type: "object", columns: [{ name: "x", type: "int" }] }),
  () => JSON.parse('{"__proto__": {"n": 1}}'),
  () => JSON.parse('{"constructor": {"prototype": 1}, "n": 1}'),
  () => Object.create(null),
  () => Object.create({ n: 1 }),
  () => Object.freeze({ n: 1 }),
  () => new Instance(),
  () => new Date(0),
  () => new Date(Number.NaN),
  () => new Map([["n", 1]]),
  () => new Set([1]),
  () => /x/,
  () => new Error("junk"),
  () => Promise.resolve(1),
  () => new Uint8Array(3),
  () => new Array(3),
  () => Object("text"),
  () => Object(1),
  () => Object(1n),
  () => ({ toJSON: () => 1, toString: () => "x", valueOf: () => 1 }),
  () => ({ length: 2, 0: "a", 1: "b" }),
  () => new Proxy({ n: 1 }, {}),
  () => createShifting(1, "x", null),
  () => createShifting("x", undefined, {}),
  () => createHoles(),
  () => createCycle(),
  () => nest(40, (inner) => ({ $not: inner }), { n: 1 }),
  () => nest(40, (inner) => [inner]),
  () => nest(2000, (inner) => ({ $all: [inner] }), { n: 1 }),
  () => nest(2000, (inner) => ({ team: inner })),
  () => nest(2000, (inner) => [inner]),
  () => Array.from({ length: 2000 }, (_, i) => i),
  () => Array.from({ length: 1100 }, () => ({ n: 1 })),
  () => Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`k${i}`, i])),
];

const junk: fc.Arbitrary<() => unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SCALARS).map((value) => () => value) },
  { weight: 5, arbitrary: fc.constantFrom(...OBJECTS) },
  {
    weight: 1,
    arbitrary: fc.jsonValue({ maxDepth: 4 }).map((value) => () => structuredClone(value)),
  },
);

/** One change of a request; `where` selects the place, modulo their number. */
export interface Change {
  readonly where: number;
  readonly how: "replace" | "remove" | "add" | "wrap" | "rename" | "repeat";
  readonly key: string;
  readonly junk: () => unknown;
}

const KEYS = [
  ..."n name id service team home doc tags filter sort columns page size offset".split(" "),
  ..."after before start end table record fields type link unique notNull defaultValue".split(" "),
  ..."$any $all $not $none $exists $notExists $is $isNot $gt $contains $pattern".split(" "),
  ..."$includes $foo $ 0 __proto__ constructor toString a/b~c".split(" "),
  ...["", "\ud83d", "home.geo.lat", "team.name", "team.boss.team.name"],
];

export const change: fc.Arbitrary<Change> = fc.record({
  where: fc.nat(),
  how: fc.constantFrom("replace", "remove", "add", "wrap", "rename", "repeat"),
  key: fc.constantFrom(...KEYS),
  junk,
});

/** A copy of a request's arguments with changes applied. */
export function mutate(args: readonly unknown[], changes: readonly Change[]): unknown[] {
  const root = { args: structuredClone(args) as unknown[] };
  for (const step of changes) {
    const places = listPlaces(root.args, root, "args", 0);
    const place = places[step.where % places.length];
    if (place !== undefined) apply(place, step);
  }
  return root.args;
}

interface Place {
  readonly container: Record<string, unknown>;
  readonly key: string;
}

/** Maximum depth of a change; some junk is cyclic. */
const MAX_DEPTH = 8;

/** Every place below the array of arguments. */
function listPlaces(value: unknown, container: object, key: string, depth: number): Place[] {
  const own: Place[] = depth === 0 ? [] : [{ container: container as Place["container"], key }];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return own;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return own;
  const below = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([name]) => name !== "length")
    .slice(0, 20)
    .flatMap(([name, descriptor]) => listPlaces(descriptor.value, value, name, depth + 1));
  return [...own, ...below];
}

function apply({ container, key }: Place, { how, key: name, junk }: Change): void {
  const value = container[key];
  if (Object.isFrozen(container)) return;
  if (how === "remove") {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
  } else if (how === "rename" && !Array.isArray(container)) {
    delete container[key];
    put(container, name, value);
  } else put(container, key, changed(value, how, name, junk));
}

function changed(value: unknown, how: Change["how"], name: string, junk: () => unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  switch (how) {
    case "wrap":
      return name === "" ? [value] : put({}, name, value);
    case "repeat":
      return [value, value, value];
    case "add":
      return isObject ? put({ ...value }, name, junk()) : [junk(), value];
    default:
      return junk();
  }
}

/** Sets an own property, including `__proto__`. */
function put<T extends object>(target: T, key: string, value: unknown): T {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return target;
}

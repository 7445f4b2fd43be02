import fc from "fast-check";
import { JSON_JUNK, listPlaces, nest, spoil } from "../../scripts/programs/spoil.mjs";
import { createRandom } from "../../scripts/random.mjs";

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

function createHoles(): unknown {
  const holes: unknown[] = [1];
  holes[3] = "x";
  return holes;
}

/** JSON, and values that JSON cannot say. */
const STATELESS: readonly unknown[] = [
  ...JSON_JUNK,
  ...[undefined, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[10n, 10n ** 30n, "\ud83d", "a\udc00", Symbol("junk"), Symbol.iterator],
  ...[() => 1, class {}, Instance, new Instance(), Object.create(null), Object.create({ n: 1 })],
  ...[Object.freeze({ n: 1 }), new Date(0), new Date(Number.NaN), new Map([["n", 1]])],
  ...[new Set([1]), /x/, new Error("junk"), Promise.resolve(1), new Uint8Array(3), new Array(3)],
  ...[
    Object("text"),
    Object(1),
    Object(1n),
    new Proxy({ n: 1 }, {}),
    { length: 2, 0: "a", 1: "b" },
  ],
  { toJSON: () => 1, toString: () => "x", valueOf: () => 1 },
  nest(2000, (inner) => ({ $all: [inner] }), { n: 1 }),
  nest(2000, (inner) => ({ team: inner })),
  nest(2000, (inner) => [inner]),
  Array.from({ length: 1100 }, () => ({ n: 1 })),
];

function createJunk(): readonly unknown[] {
  const shifting = [createShifting(1, "x", null), createShifting("x", undefined, {})];
  return [...STATELESS, ...shifting, createHoles(), createCycle()];
}

/** The seed of one change of a request. */
export const change: fc.Arbitrary<number> = fc.noShrink(fc.nat());

/** A copy of a call's arguments with changes applied. */
export function mutate(args: readonly unknown[], changes: readonly number[]): readonly unknown[] {
  let changed = structuredClone(args);
  for (const seed of changes) {
    const random = createRandom(seed);
    const [, ...places] = listPlaces(changed);
    if (places.length === 0) break;
    changed = spoil(changed, random, createJunk(), random.pick(places)) as readonly unknown[];
  }
  return changed;
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SharedMap } from "../../src/value/shared-map.js";

const key = fc.integer({ min: 0, max: 99 }).map((number) => `k${number}`);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant("with" as const), key, fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("without" as const), key, fc.constant(0)) },
);

describe("SharedMap", () => {
  it("is after any changes what a Map is, and before them what it was", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const versions = [[SharedMap.of<number>([]), new Map<string, number>()] as const];
        for (const [kind, name, value] of steps) {
          const [map, model] = versions.at(-1)!;
          const next = new Map(model);
          if (kind === "with") next.set(name, value);
          else next.delete(name);
          versions.push([kind === "with" ? map.with(name, value) : map.without(name), next]);
        }
        for (const [map, model] of versions) {
          expect([...map]).toEqual([...model]);
          expect([...map.keys()]).toEqual([...model.keys()]);
          expect([...map.values()]).toEqual([...model.values()]);
          expect(map.size).toBe(model.size);
          for (const name of ["k0", "k1", "k50", "none"]) {
            expect([map.has(name), map.get(name)]).toEqual([model.has(name), model.get(name)]);
          }
          const told: unknown[] = [];
          map.forEach((value, name, self) => void told.push([name, value], self === map));
          expect(told).toEqual([...model].flatMap((entry) => [entry, true]));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("keeps the order of very many keys, and of those it is made of", () => {
    const names = Array.from({ length: 5000 }, (_, i) => `k${(i * 7919) % 5000}`);
    let map = SharedMap.of<number>(names.slice(0, 1000).map((name, i) => [name, i]));
    for (const [i, name] of names.entries()) map = map.with(name, i);
    map = map.without(names[3]!).with(names[3]!, -1).with(names[4]!, -2);
    const expected = [...names.slice(0, 3), ...names.slice(4), names[3]];
    expect([...map.keys()]).toEqual(expected);
    expect([map.get(names[3]!), map.get(names[4]!), map.size]).toEqual([-1, -2, 5000]);
  });

  it.each([undefined, null, 5, {}, Symbol("key")])("has no key that is %o", (given) => {
    const map = SharedMap.of([["5", 1]]);
    expect([map.has(given as string), map.get(given as string)]).toEqual([false, undefined]);
    expect(map.without("none")).toBe(map);
  });
});

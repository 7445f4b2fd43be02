import { describe, expect, it } from "vitest";
import { openPeople } from "./filter-table.js";
import { expectFilterRefused, refusalOf } from "./fixture.js";

describe("the shape of filters", () => {
  it("F-1: rejects filters that are not objects", () => {
    const { people } = openPeople();
    for (const filter of [null, "name", 1, true, [], [{ n: 1 }], new Date(0), () => ({})]) {
      expectFilterRefused(people, filter, 'invalid_filter F-1 ""');
    }
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      for (const member of [null, 1, "x", [], [{ n: 1 }], undefined]) {
        const filter = { [operator]: [{ n: 1 }, member] };
        expectFilterRefused(people, filter, `invalid_filter F-1 /${operator}/1`);
      }
    }
  });

  it("F-1: refuses unknown $ keys at any level", () => {
    const { people } = openPeople();
    const refused = (filter: object, path: string): void =>
      expectFilterRefused(people, filter, `invalid_filter F-1 ${path}`);
    refused({ $: 1 }, "/$");
    refused({ n: 1, $gt: 1 }, "/$gt");
    refused({ $any: [{ $all: { $foo: 1 } }] }, "/$any/0/$all/$foo");
    refused({ n: { $not: [{ $ltt: 1 }] } }, "/n/$not/0/$ltt");
    refused({ tags: { $includes: { $contain: "x" } } }, "/tags/$includes/$contain");
    refused({ n: { $exists: "n" } }, "/n/$exists");
    const { message } = refusalOf(() => people.count({ [`$${"x".repeat(1e6)}`]: 1 }));
    expect(message.length).toBeLessThan(500);
  });

  it("F-2: $all, $any, $not, $none take filter objects and arrays of them only", () => {
    const { people } = openPeople();
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      for (const operand of [null, 1, "n", true, new Date(0)]) {
        const filter = { [operator]: operand };
        expectFilterRefused(people, filter, `invalid_filter F-2 /${operator}`);
      }
    }
  });

  it("F-2: refuses an empty object everywhere but as the whole filter", () => {
    const { people } = openPeople();
    const all = people.count();
    for (const whole of [{}, { n: undefined }]) expect(people.count(whole)).toBe(all);
    const refused = (filter: object, path: string): void =>
      expectFilterRefused(people, filter, `invalid_filter F-2 ${path}`);
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      refused({ [operator]: {} }, `/${operator}`);
      refused({ [operator]: { n: undefined } }, `/${operator}`);
      refused({ [operator]: [{ n: 1 }, {}] }, `/${operator}/1`);
      refused({ n: { [operator]: {} } }, `/n/${operator}`);
      refused({ home: { [operator]: [{}] } }, `/home/${operator}/0`);
    }
    refused({ home: {} }, "/home");
  });

  it("F-2: refuses holes in arrays", () => {
    const { people } = openPeople();
    const holed: unknown[] = [{ n: 1 }];
    holed[2] = { n: 1 };
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      const filter = { [operator]: holed };
      expectFilterRefused(people, filter, `invalid_filter F-1 /${operator}/1`);
    }
  });

  it("F-4: $exists and $notExists take column paths only", () => {
    const { people } = openPeople();
    for (const operator of ["$exists", "$notExists"]) {
      for (const path of [null, 1, true, {}, { name: true }]) {
        const filter = { [operator]: path };
        expectFilterRefused(people, filter, `invalid_filter F-4 /${operator}`);
        const list = { [operator]: ["name", path] };
        expectFilterRefused(people, list, `invalid_filter F-4 /${operator}/1`);
      }
      const holed = ["name"];
      holed[2] = "n";
      expectFilterRefused(people, { [operator]: holed }, `invalid_filter F-4 /${operator}/1`);
      for (const path of ["", "nope", "*", "home.*", "name.x", "$exists"]) {
        const filter = { [operator]: path };
        expectFilterRefused(people, filter, `unknown_column P-9 /${operator}`);
      }
    }
  });
});

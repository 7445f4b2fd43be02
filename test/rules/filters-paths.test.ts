import { describe, it } from "vitest";
import { checkPeople, openPeople } from "./filter-table.js";
import { expectFilterRefused } from "./fixture.js";

describe("paths in filters", () => {
  it("F-6: the metadata column has the profile's name", () => {
    const { people } = openPeople({ base: "xata", links: "free" });
    checkPeople([[{ "xata.version": 0, team: { xata: { version: 0 } } }, "abd"]], people);
    expectFilterRefused(people, { "service.version": 0 }, "unknown_column P-9 /service.version");
  });

  it("F-7: operators and names cannot be mixed in one object", () => {
    const { people } = openPeople();
    const refused = (filter: object, path: string): void =>
      expectFilterRefused(people, filter, `invalid_filter F-7 ${path}`);
    refused({ home: { $is: {}, city: "X" } }, "/home");
    refused({ team: { label: "Red", $exists: "won" } }, "/team");
    refused({ n: { $gt: 1, x: 2 } }, "/n");
    refused({ doc: { a: 1, $is: 2 } }, "/doc");
    refused({ doc: { $not: { a: 1, $is: 2 } } }, "/doc/$not");
    refused({ n: { $any: [{ $gt: 1, x: 2 }] } }, "/n/$any/0");
    refused({ $any: [{ home: { geo: { lat: 1, $gt: 1 } } }] }, "/$any/0/home/geo");
  });

  it("F-7: refuses names under a scalar", () => {
    const { people } = openPeople();
    for (const [path, column] of [
      ["/name", { name: { x: "A" } }],
      ["/n", { n: { value: 1 } }],
    ] as const) {
      expectFilterRefused(people, column, `invalid_filter F-16 ${path}`);
    }
    // An object without operators is no predicate.
    expectFilterRefused(people, { n: {} }, "invalid_filter F-16 /n");
    expectFilterRefused(people, { n: { $any: [{}] } }, "invalid_filter F-2 /n/$any/0");
    expectFilterRefused(people, { n: { $all: [{}] } }, "invalid_filter F-2 /n/$all/0");
    expectFilterRefused(people, { tags: { $includes: {} } }, "invalid_filter F-16 /tags/$includes");
    expectFilterRefused(people, { tags: { x: 1 } }, "invalid_filter F-16 /tags");
    expectFilterRefused(people, { id: { x: 1 } }, "invalid_filter F-16 /id");
  });

  it("F-7: $exists and $notExists under a path are relative to it", () => {
    checkPeople([
      [{ home: { $exists: "city" } }, "abc"],
      [{ home: { $notExists: "geo.lat" } }, "be"],
      [{ home: { $exists: ["city", "geo"] } }, "ac"],
      [{ team: { $exists: "label" } }, "abd"],
      [{ team: { $notExists: ["label", "owner.name"] } }, "ce"],
      [{ team: { $exists: "id" } }, "abcd"],
      [{ home: { $any: [{ $exists: "geo" }, { city: "X" }] } }, "abcd"],
      [{ team: { $not: { $exists: "won" } } }, "bce"],
    ]);
    const { people } = openPeople();
    expectFilterRefused(people, { home: { $exists: "n" } }, "unknown_column P-9 /home/$exists");
    expectFilterRefused(
      people,
      { team: { $any: [{ n: 1 }] } },
      "unknown_column P-9 /team/$any/0/n",
    );
  });
});

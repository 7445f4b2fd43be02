import fc from "fast-check";
import { assert } from "../../errors.js";
import { fixtureArbitrary, oneOf, personArbitrary } from "../arbitraries/people.js";
import type { WireRequest } from "../target/connection.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath } from "./scene.js";

export const DETERMINISM_LAWS: readonly Law[] = [
  defineLaw({
    id: "equal-seeds-give-equal-bytes",
    title: "copies of an engine give equal answers, byte for byte",
    rules: ["S-4", "R-3", "G-4"],
    tier: "strict",
    needs: ["fork"],
    cases: () => {
      const query = fc.record({
        method: fc.constant("POST"),
        path: fc.constant(branchPath("/tables/people/query")),
        body: oneOf([
          { sort: { "*": "random" } },
          { sort: { name: "asc" } },
          { page: { size: 1 } },
        ]),
      });
      const insert = fc.record({
        method: fc.constant("POST"),
        path: fc.constant(branchPath("/tables/people/data")),
        body: personArbitrary(),
      });
      const requests: fc.Arbitrary<WireRequest[]> = fc.array(fc.oneof(query, insert), {
        maxLength: 5,
      });
      return fc.record({ fixture: fixtureArbitrary(3), requests });
    },
    async check(scene, { requests }) {
      assert(scene.fork !== undefined, "the law needs copies");
      const copies = [scene.fork(), scene.fork()];
      for (const request of requests) {
        const [one, other] = await Promise.all(copies.map((send) => send(request)));
        if (one?.text === other?.text && one?.status === other?.status) continue;
        scene.fail("copies give equal answers", one?.text ?? "", other?.text ?? "");
      }
    },
  }),
];

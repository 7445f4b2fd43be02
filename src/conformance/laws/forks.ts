import fc from "fast-check";
import { assert, readPointer } from "../../errors.js";
import { fixtureArbitrary, oneOf, personArbitrary } from "../arbitraries/people.js";
import type { WireRequest } from "../target/connection.js";
import type { TargetTraits } from "../target/target.js";
import type { Expectation } from "../vectors/vector.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, type Scene } from "./scene.js";

const DATABASE = `\${db}-x`;

/** For engines, of which copies are made; those have no default workspace. */
export const FORK_LAWS: readonly Law[] = [
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
  defineLaw({
    id: "unnamed-workspaces-are-found",
    title: "a request without a workspace means the only one, or the only one with its database",
    rules: ["D-6", "D-5"],
    tier: "strict",
    needs: ["fork", "accounts", "databases"],
    share: 0.6,
    requests: 8,
    cases: () =>
      fc.record({
        fixture: fc.constant({ tables: [] }),
        // Whether each workspace has the database.
        holders: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
        path: oneOf([`/dbs/${DATABASE}`, `/db/${DATABASE}:main`]),
      }),
    async check(scene, { holders, path }) {
      assert(scene.fork !== undefined, "the law needs copies");
      const ask = scene.fork();
      for (const [i, holds] of holders.entries()) {
        const at = i === 0 ? `/workspaces/\${workspace}` : await makeWorkspace(ask);
        if (!holds) continue;
        const database = { method: "PUT", path: `${at}/dbs/${DATABASE}`, body: {} };
        await ask({ address: "control", ...database }, { status: 201 });
      }
      await ask({ method: "GET", path });
      const count = holders.filter((holds) => holds).length;
      const workspaces = holders.length === 1 ? "one workspace" : `${holders.length} workspaces`;
      const wanted = answerOf(count, holders.length, scene.traits);
      scene.expect(wanted, `the database is in ${count} of ${workspaces}`);
    },
  }),
];

/** The expected answer by the number of workspaces that have the database. */
function answerOf(holders: number, workspaces: number, { profile }: TargetTraits): Expectation {
  if (holders === 1) return { status: 200 };
  if (workspaces === 1) return { status: 404, error: { code: "database_not_found" } };
  const status = profile.base === "xata" ? 401 : 404;
  return { status, error: { code: "workspace_not_found" } };
}

async function makeWorkspace(ask: Scene["send"]): Promise<string> {
  const body = { name: "another" };
  const request = { address: "control", method: "POST", path: "/workspaces", body } as const;
  const { body: made } = await ask(request, { status: 201 });
  return `/workspaces/${String(readPointer(made, "/id"))}`;
}

import fc from "fast-check";
import type { Json } from "../../types.js";
import { fixtureArbitrary, idsOf, oneOf, personArbitrary } from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, databasePath, named } from "./scene.js";

const MAPPING = databasePath("/gitBranches");
const EMPTY = { tables: [] };

/** Laws of branches, tables and the git mapping. */
export const BRANCH_LAWS: readonly Law[] = [
  defineLaw({
    id: "branches-are-apart",
    title: "what is written to a branch is seen in no other",
    rules: ["B-1"],
    tier: "strict",
    needs: ["branches", "records"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(2),
        writes: fc.array(
          fc.tuple(
            oneOf(["main", "copy"]),
            oneOf(["PUT", "DELETE"]),
            oneOf(["p1", "n1"]),
            personArbitrary(),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    async check(scene, given) {
      const made = { method: "PUT", path: branchPath("", "copy"), body: { from: "main" } };
      await scene.send(made, { status: [200, 201] });
      const copied = scene.traits.profile.branchCopies === "records" ? idsOf(given) : [];
      const held = new Map([
        ["main", new Set(idsOf(given))],
        ["copy", new Set(copied)],
      ]);
      for (const [branch, method, id, record] of given.writes) {
        const ids = held.get(branch);
        const path = branchPath(`/tables/people/data/${id}`, branch);
        const gone = method === "DELETE" && !ids?.has(id);
        const body = method === "PUT" ? { body: record } : {};
        await scene.send({ method, path, ...body }, { status: gone ? 404 : [200, 201, 204] });
        if (method === "PUT") ids?.add(id);
        else ids?.delete(id);
        for (const [name, wanted] of held) {
          const query = branchPath(`/tables/people/query`, name);
          await scene.send({ method: "POST", path: query, body: {} });
          scene.expect({ status: 200, ids: { unordered: [...wanted] } }, "branches are apart");
        }
      }
    },
  }),
  defineLaw({
    id: "tables-come-and-go",
    title: "tables are made, renamed and deleted as asked, each name once",
    rules: ["M-1", "M-2", "M-3", "M-4"],
    tier: "complete",
    needs: ["tables"],
    cases: () => {
      const name = oneOf(["a", "b", "A"]);
      const act = fc.tuple(oneOf(["PUT", "DELETE", "PATCH"]), name, name);
      return fc.record({ fixture: fc.constant(EMPTY), acts: fc.array(act, { maxLength: 5 }) });
    },
    async check(scene, given) {
      const names = new Set<string>();
      for (const [method, name, target] of given.acts) {
        const known = names.has(name);
        const path = branchPath(`/tables/${name}`);
        const body = method === "PATCH" ? { body: { name: target } } : {};
        // What becomes of a table renamed to its own name no rule says.
        if (method === "PATCH" && name === target) continue;
        const taken = method === "PUT" ? known : method === "PATCH" && names.has(target);
        const missing = method !== "PUT" && !known;
        const status = taken && !missing ? { status: 422 } : { fails: true as const };
        const done = { status: [200, 201, 202, 204] };
        await scene.send({ method, path, ...body }, taken || missing ? status : done);
        if (taken || missing) continue;
        if (method === "PUT") names.add(name);
        else names.delete(name);
        if (method === "PATCH") names.add(target);
      }
      for (const name of ["a", "b", "A"]) {
        const path = branchPath(`/tables/${name}/query`);
        const there = { status: 200, ids: { exact: [] } };
        await scene.send(
          { method: "POST", path, body: {} },
          names.has(name) ? there : { fails: true },
        );
      }
    },
  }),
  defineLaw({
    id: "mapping-is-a-map",
    title: "the git mapping holds what was added and not removed, in the order first added",
    rules: ["B-2", "B-3", "B-4"],
    tier: "complete",
    needs: ["mappings"],
    cases: () => {
      const act = fc.tuple(oneOf(["POST", "DELETE"]), oneOf(["x", "y", "X/ä &"]));
      return fc.record({ fixture: fc.constant(EMPTY), acts: fc.array(act, { maxLength: 5 }) });
    },
    async check(scene, given) {
      const mapped = new Set<string>();
      for (const [method, gitBranch] of given.acts) {
        const known = mapped.has(gitBranch);
        if (method === "POST") {
          const body = { gitBranch, [named("target")]: "main" };
          await scene.send({ method, path: MAPPING, body }, { status: known ? 201 : 204 });
          mapped.add(gitBranch);
        } else {
          const status = known ? [200, 204] : 404;
          await scene.send({ method, path: MAPPING, query: { gitBranch } }, { status });
          mapped.delete(gitBranch);
        }
      }
      const entries = [...mapped].map((gitBranch) => ({ gitBranch, [named("target")]: "main" }));
      const json = { [named("mappings")]: entries };
      await scene.send({ method: "GET", path: MAPPING }, { status: 200, json });
    },
  }),
  defineLaw({
    id: "resolving-has-an-order",
    title:
      "a git branch resolves to mapping, branch of that name, fallback, default, in this order",
    rules: ["B-5", "B-6"],
    tier: "strict",
    needs: ["resolve", "mappings", "branches"],
    cases: () =>
      fc.record({
        fixture: fc.constant(EMPTY),
        branches: fc.uniqueArray(oneOf(["x", "y", "z"]), { maxLength: 3 }),
        mapped: fc.uniqueArray(fc.tuple(oneOf(["x", "y"]), oneOf(["x", "z", "main"])), {
          maxLength: 2,
          selector: ([gitBranch]) => gitBranch,
        }),
        deleted: fc.option(oneOf(["x", "z"]), { nil: undefined }),
        gitBranch: oneOf(["x", "y"]),
        fallbackBranch: fc.option(oneOf(["z", "none"]), { nil: undefined }),
      }),
    async check(scene, given) {
      const branches = new Set(["main", ...given.branches]);
      for (const name of given.branches) {
        await scene.send(
          { method: "PUT", path: branchPath("", name), body: {} },
          { status: [200, 201] },
        );
      }
      const mapping = new Map<string, string>();
      for (const [gitBranch, target] of given.mapped) {
        const known = branches.has(target);
        const body = { gitBranch, [named("target")]: target };
        const status = known ? [201, 204] : 400;
        await scene.send({ method: "POST", path: MAPPING, body }, { status });
        if (known) mapping.set(gitBranch, target);
      }
      if (given.deleted !== undefined && branches.delete(given.deleted)) {
        const path = branchPath("", given.deleted);
        await scene.send({ method: "DELETE", path }, { status: 200 });
        for (const [gitBranch, target] of mapping) {
          if (target === given.deleted) mapping.delete(gitBranch);
        }
      }
      const { gitBranch, fallbackBranch } = given;
      const at = resolve(branches, mapping, gitBranch, fallbackBranch);
      const query = { gitBranch, ...(fallbackBranch === undefined ? {} : { fallbackBranch }) };
      await scene.send(
        { method: "GET", path: databasePath("/resolveBranch"), query },
        { status: 200, at },
      );
    },
  }),
];

function resolve(
  branches: ReadonlySet<string>,
  mapping: ReadonlyMap<string, string>,
  gitBranch: string,
  fallback: string | undefined,
): { readonly [pointer: string]: Json } {
  const answer = (branch: string, code: string) => ({ "/branch": branch, "/reason/code": code });
  const mapped = mapping.get(gitBranch);
  if (mapped !== undefined) return answer(mapped, "FOUND_IN_MAPPING");
  if (branches.has(gitBranch)) return answer(gitBranch, "BRANCH_EXISTS");
  if (fallback !== undefined && branches.has(fallback)) return answer(fallback, "FALLBACK_BRANCH");
  return answer("main", "DEFAULT_BRANCH");
}

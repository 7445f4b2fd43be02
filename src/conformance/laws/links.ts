import fc from "fast-check";
import { claim, claimSame } from "./asking.js";
import { fixtureArbitrary, leafArbitrary, oneOf, recordsOf, subtract } from "./cases.js";
import { defineLaw, type Law } from "./law.js";

/** A condition on a team. */
function teamLeaf() {
  return leafArbitrary()
    .filter(({ path }) => path === "name" || path === "age")
    .map(({ path, predicate }) => ({ path: path === "age" ? "size" : path, predicate }));
}

/** Laws of links. */
export const LINK_LAWS: readonly Law[] = [
  defineLaw({
    id: "through-a-link-is-by-ids",
    title: "a filter through a link is the same by the ids it matches there",
    rules: ["F-6", "N-4", "T-9"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(), leaf: teamLeaf() }),
    async check(scene, { leaf: { path, predicate } }) {
      const { ids } = await scene.query("teams", { filter: { [path]: predicate } });
      const why = "a filter through a link is one by ids";
      await claimSame(
        scene,
        why,
        { team: { $any: ids } },
        { [`team.${path}`]: predicate },
        { team: { [path]: predicate } },
        { team: { $any: [{ [path]: predicate }] } },
      );
    },
  }),
  defineLaw({
    id: "broken-links-hold-their-id",
    title: "a dangling link has its id and no other column",
    rules: ["T-9", "F-4"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(), id: oneOf(["t1", "t2", "gone"]) }),
    async check(scene, given) {
      const teams = recordsOf(given, "teams");
      const people = recordsOf(given);
      const ids = (records: typeof people): string[] => records.map(({ id }) => String(id));
      const linked = people.filter(({ team }) => team === given.id);
      await claim(scene, { team: given.id }, ids(linked), "a link is compared by its id");
      await claim(scene, { "team.id": given.id }, ids(linked), "a link has its id");
      const named = people.filter(({ team }) =>
        teams.some(({ id, name }) => id === team && name !== undefined),
      );
      const why = "nothing but the id is known of a broken link";
      await claim(scene, { $exists: "team.name" }, ids(named), why);
      const unnamed = subtract(ids(people), ids(named));
      await claim(scene, { $notExists: "team.name" }, unnamed, why);
    },
  }),
];

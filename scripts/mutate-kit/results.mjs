// What was found of a sample, as test/mutation/kit-results.json holds it.
import { ROOMS } from "./sample.mjs";

/** What no rule speaks of: the double's own addresses, its description, its faults and journal, plans. */
export const OUTSIDE =
  /^src\/(http\/(control|openapi)\/|http\/(faults|journal|base-path|cors)\.ts|query\/(bound|plan)\/describe\.ts)/;

/** Figures by room, and every mutant that the kit has not told but another test has, or none. */
export function describeResults({ size, seed, all, mutants, kept }) {
  const judged = mutants.filter(({ key }) => kept[key] !== undefined);
  const rooms = Object.fromEntries(
    [...ROOMS, "all"].map((room) => {
      const of = judged.filter(({ file }) => room === "all" || file.startsWith(`src/${room}/`));
      return [room, countVerdicts(of.map(({ key }) => kept[key]))];
    }),
  );
  const untold = judged
    .map(({ key }) => ({ key, ...kept[key] }))
    .filter(({ verdict }) => verdict !== "told")
    .map(({ key, file, line, mutator, from, to, verdict, units, unit }) => {
      return { key, place: `${file}:${line}`, mutator, from, to, verdict, units, unit };
    });
  return { sample: size, seed, mutants: all, rooms, untold };
}

function countVerdicts(results) {
  const count = (test) => results.filter(test).length;
  const kit = count(({ verdict }) => verdict === "told");
  const isUnit = ({ verdict, units }) => verdict !== "told" && units === "told";
  const outside = count((result) => isUnit(result) && result.verdict === "outside");
  const units = count(isUnit) - outside;
  const open = count((result) => result.verdict !== "told" && result.units === undefined);
  const neither = results.length - kit - units - outside - open;
  // Of what the unit tests have not judged yet nobody knows whether it counts.
  const share =
    open > 0 || kit + units === 0 ? null : Math.round((1000 * kit) / (kit + units)) / 10;
  return {
    judged: results.length,
    "told by the kit": kit,
    "by unit tests only": units,
    "by unit tests only, outside of the rules": outside,
    "by neither": neither,
    "not told by the kit, not asked of the unit tests yet": open,
    "% told by the kit, of those told within the rules": share,
  };
}

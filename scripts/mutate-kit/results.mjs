// What was found of a sample, as test/mutation/kit-results.json holds it.
import { ROOMS } from "./sample.mjs";

/** What no rule speaks of: the double's own addresses, its description, its faults and journal, plans. */
export const OUTSIDE =
  /^src\/(http\/(control|openapi)\/|http\/(faults|journal|base-path|cors)\.ts|query\/(bound|plan)\/describe\.ts)/;

/** Figures by room, the check that tells each mutant, and every mutant that the kit has not told. */
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
    .filter((result) => !isTold(result))
    .map(({ key, file, line, mutator, from, to, verdict, units, unit }) => {
      return { key, place: `${file}:${line}`, mutator, from, to, verdict, units, unit };
    });
  const told = judged.flatMap(({ key }) => (isTold(kept[key]) ? [[key, kept[key].by]] : []));
  return { sample: size, seed, mutants: all, rooms, untold, told: Object.fromEntries(told) };
}

/** What `describeResults` has written, as it was kept. */
export function readResults({ untold, told }) {
  const open = untold.map(({ key, place, ...rest }) => {
    const [file, line] = place.split(":");
    return [key, { file, line: Number(line), ...rest }];
  });
  const known = Object.entries(told).map(([key, by]) => [key, { verdict: "told", by }]);
  return Object.fromEntries([...known, ...open]);
}

const isTold = ({ verdict }) => verdict === "told";
const isOutside = ({ verdict }) => verdict === "outside";

function countVerdicts(results) {
  const count = (test) => results.filter(test).length;
  const kit = count(isTold);
  const outside = count(isOutside);
  const within = results.filter((result) => !isTold(result) && !isOutside(result));
  const units = within.filter((result) => result.units === "told").length;
  const open = within.filter((result) => result.units === undefined).length;
  // Of what the unit tests have not judged yet nobody knows whether it counts.
  const share =
    open > 0 || kit + units === 0 ? null : Math.round((1000 * kit) / (kit + units)) / 10;
  return {
    judged: results.length,
    "outside of the rules": outside,
    "told by the kit": kit,
    "by unit tests only": units,
    "by neither": within.length - units - open,
    "not asked of the unit tests yet": open,
    "% told by the kit, of those told": share,
  };
}

// What was found of a sample, as test/mutation/kit-results.json holds it.
import { HANGS } from "./judge.mjs";
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
    .map(({ key, file, line, mutator, from, to, verdict, units, unit, unitSays, shows }) => {
      const says = { units, unit, unitSays: noteHang(unitSays), shows };
      return { key, place: `${file}:${line}`, mutator, from, to, verdict, ...says };
    });
  const told = judged.flatMap(({ key }) => {
    const { by, why, units, unit, unitSays } = kept[key];
    const result = { by, why: noteHang(why), units, unit, unitSays: noteHang(unitSays) };
    return isTold(kept[key]) ? [[key, result]] : [];
  });
  return { sample: size, seed, mutants: all, rooms, untold, told: Object.fromEntries(told) };
}

/**
 * What `describeResults` has written, as it was kept. `shows` is written by hand: where a mutant can be
 * seen that unit tests tell and the kit does not.
 */
export function readResults({ untold, told }) {
  const open = untold.map(({ key, place, ...rest }) => {
    const [file, line] = place.split(":");
    return [key, { file, line: Number(line), ...rest }];
  });
  const known = Object.entries(told).map(([key, rest]) => [key, { verdict: "told", ...rest }]);
  return Object.fromEntries([...known, ...open]);
}

/** Of the reasons only that a check does not end is written: it counts as told all the same. */
const noteHang = (reason) => (reason === HANGS ? reason : undefined);
const isTold = ({ verdict }) => verdict === "told";
const isToldByUnits = ({ units }) => units === "told";
const isOutside = ({ verdict }) => verdict === "outside";

function countVerdicts(results) {
  const within = results.filter((result) => !isOutside(result));
  const count = (test) => within.filter(test).length;
  const units = count(isToldByUnits);
  const both = count((result) => isTold(result) && isToldByUnits(result));
  const open = count((result) => result.units === undefined);
  // Of what the unit tests have not judged yet nobody knows whether it counts.
  const share = open > 0 || units === 0 ? null : Math.round((1000 * both) / units) / 10;
  return {
    judged: results.length,
    "outside of the rules": results.length - within.length,
    "told by the kit": count(isTold),
    "by unit tests": units,
    "by both": both,
    "by neither": count(
      (result) => !isTold(result) && ["survived", "unreached"].includes(result.units),
    ),
    "not asked of the unit tests yet": open,
    "% told by the kit, of those that unit tests tell": share,
  };
}

import { FOLDERS } from "./sample.mjs";

export const OUTSIDE =
  /^src\/(http\/control\/|http\/(document|faults|journal|base-path|cors)\.ts|query\/(bound|plan)\/describe\.ts)/;

/** Counts verdicts by folder. */
export function countByFolder(mutants, results) {
  const judged = mutants.filter(({ key }) => results[key] !== undefined);
  return Object.fromEntries(
    [...FOLDERS, "all"].map((folder) => {
      const of = judged.filter(({ file }) => folder === "all" || file.startsWith(`src/${folder}/`));
      return [folder, countVerdicts(of.map(({ key }) => results[key]))];
    }),
  );
}

const isKilled = ({ verdict }) => verdict === "killed";
const isKilledByUnits = ({ units }) => units === "killed";

function countVerdicts(results) {
  const within = results.filter(({ verdict }) => verdict !== "outside");
  const count = (test) => within.filter(test).length;
  const units = count(isKilledByUnits);
  const both = count((result) => isKilled(result) && isKilledByUnits(result));
  const open = count((result) => result.units === undefined);
  const share = open > 0 || units === 0 ? null : Math.round((1000 * both) / units) / 10;
  return {
    judged: results.length,
    "outside of the rules": results.length - within.length,
    "killed by the kit": count(isKilled),
    "by unit tests": units,
    "by both": both,
    "by neither": count(
      (result) => !isKilled(result) && ["survived", "unreached"].includes(result.units),
    ),
    "not judged by unit tests yet": open,
    "% killed by the kit, of those that unit tests kill": share,
  };
}

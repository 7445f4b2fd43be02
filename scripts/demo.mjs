// Loads the countries and cities of the world into an engine and shows what can be asked of them.
// Runs on the built package: npm start.
import { performance } from "node:perf_hooks";
import { createEngine } from "../dist/index.js";
import {
  formatCell,
  printAnswer,
  printHeading,
  printJson,
  printNote,
  printTable,
  trackProgress,
} from "./demo/print.mjs";
import { CITY_COLUMNS, COUNTRY_COLUMNS, cityRecords, countryRecords } from "./demo/world.mjs";

const engine = createEngine();
const database = engine.createWorkspace("demo").createDatabase("world");
const main = database.branch("main");
const cities = loadWorld();

askThroughLinks();
matchPattern();
walkPages();
changeBranch();
refuseQuery();
explainQuery();

function loadWorld() {
  const countryTable = main.createTable("countries", COUNTRY_COLUMNS);
  const cityTable = main.createTable("cities", CITY_COLUMNS);
  const started = performance.now();
  countryTable.load(trackProgress("countries", countryRecords()));
  cityTable.load(trackProgress("cities", cityRecords()));
  const seconds = (performance.now() - started) / 1000;
  printHeading(
    `The world in memory: ${formatCell(countryTable.count())} countries and ` +
      `${formatCell(cityTable.count())} cities, loaded in ${seconds.toFixed(2)} s`,
  );
  return cityTable;
}

function askThroughLinks() {
  printHeading("1  Cities of over five million where French is spoken");
  const request = {
    columns: ["name", "population", "country.name.common"],
    filter: { population: { $gt: 5_000_000 }, "country.languages": { $includes: "French" } },
    sort: { population: "desc" },
  };
  const answer = ask(cities, request);
  printTable(answer.records, request.columns);
  printNote("The first of these records, as the engine gives it:");
  printJson(answer.records[0]);
}

function matchPattern() {
  printHeading("2  Names by a pattern: ? is one character, * any number of them");
  const request = {
    columns: ["name", "country.name.common", "coordinates"],
    filter: { name: { $pattern: "?a?a?a*" }, population: { $ge: 500_000 } },
    sort: { name: "asc" },
  };
  const answer = ask(cities, request);
  printTable(answer.records, ["name", "country.name.common", "coordinates.lat", "coordinates.lon"]);
}

function walkPages() {
  printHeading("3  A walk by cursor: a page, the page after it, and back again");
  const columns = ["name", "population"];
  const first = ask(cities, {
    columns,
    filter: { "country.name.common": "Iceland" },
    sort: [{ population: "desc" }, "name"],
    page: { size: 3 },
  });
  printTable(first.records, columns);
  const second = turnPage({ after: first.meta.page.cursor });
  printTable(second.records, columns);
  const back = turnPage({ before: second.meta.page.cursor });
  printTable(back.records, columns);
}

/** Asks with a cursor alone, as it holds filter, sort, columns and size; shows it cut short. */
function turnPage(page) {
  const [[way, cursor]] = Object.entries(page);
  return ask(cities, { page }, { shown: { page: { [way]: `${cursor.slice(0, 12)}…` } } });
}

function changeBranch() {
  printHeading("4  A branch changes records, main keeps them");
  const started = performance.now();
  const branch = database.createBranch("what-if", { from: "main" });
  const branchMs = performance.now() - started;
  const branchCities = branch.table("cities");
  const filter = { "country.name.common": "Iceland", population: { $ge: 10_000 } };
  for (const { id, population } of branchCities.scan({ columns: ["population"], filter })) {
    branchCities.update(id, { population: population * 10 });
  }
  printNote(
    `Branched ${formatCell(cities.count())} cities in ${branchMs.toFixed(2)} ms; on the branch the towns of ` +
      "Iceland grow tenfold.",
  );
  const request = { columns: ["name", "population"], filter, sort: { population: "desc" } };
  printTable(ask(branchCities, request, { where: "on what-if: " }).records, request.columns);
  printTable(ask(cities, request, { where: "on main: " }).records, request.columns);
}

function refuseQuery() {
  printHeading("5  A query that is refused, before any record is read");
  const request = { filter: { $any: [{ name: "Oslo" }, { "country.name.comon": "Norway" }] } };
  printJson(request);
  try {
    cities.query(request);
  } catch (error) {
    const { code, status, path, rule, message } = error;
    printAnswer(`refused under rule ${rule}`);
    printJson({ code, status, path, rule, message });
  }
}

function explainQuery() {
  printHeading("6  How a query is answered");
  const request = {
    filter: { country: "FR", population: { $ge: 100_000 }, name: { $startsWith: "M" } },
    sort: { population: "desc" },
    page: { size: 5 },
  };
  const answer = ask(cities, request);
  printTable(answer.records, ["name", "population", "feature_code"]);
  printNote("explain:");
  printJson(cities.explain(request));
}

/** Runs a query, and prints it (or `shown` for it) with its time and how much it found. */
function ask(table, request, { shown = request, where = "" } = {}) {
  printJson(shown);
  const started = performance.now();
  const answer = table.query(request);
  const ms = performance.now() - started;
  const { more } = answer.meta.page;
  printAnswer(
    `${where}${answer.records.length} records${more ? ", more beyond" : ""} ` +
      `in ${ms.toFixed(2)} ms`,
  );
  return answer;
}

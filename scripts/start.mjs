// Serves the countries and cities of the world: npm start [-- --port 4000 --profile xata].
// Runs on the built package.
import { parseArgs } from "node:util";
import { createControl } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import { serve } from "../dist/node.js";
import { trackProgress } from "./demo/print.mjs";
import { CITY_COLUMNS, COUNTRY_COLUMNS, cityRecords, countryRecords } from "./demo/world.mjs";

try {
  await start();
} catch (error) {
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exitCode = 1;
}

async function start() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4000" },
      host: { type: "string", default: "127.0.0.1" },
      profile: { type: "string", default: "documented" },
    },
  });
  const engine = createEngine({ profile: values.profile });
  const main = engine.createWorkspace("demo").createDatabase("world").branch("main");
  main.createTable("countries", COUNTRY_COLUMNS).load(trackProgress("countries", countryRecords()));
  main.createTable("cities", CITY_COLUMNS).load(trackProgress("cities", cityRecords()));
  engine.setBaseline();
  const server = await serve(engine, {
    port: Number(values.port),
    host: values.host,
    control: createControl(),
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void server.close());
  process.stdout.write(describe(server.url, engine.profile.base, main));
}

function describe(url, profile, main) {
  const tables = `${url}/db/world:main/tables`;
  const large = {
    columns: ["name", "population", "country.name.common"],
    filter: { "country.languages": { $includes: "French" }, population: { $gt: 2_000_000 } },
    sort: { population: "desc" },
  };
  const regions = {
    columns: ["region"],
    summaries: { countries: { count: "*" }, area: { sum: "area" } },
    sort: { area: "desc" },
  };
  return `
${url} serves ${main.table("countries").count()} countries and ${main.table("cities").count()} cities
(workspace demo, database world:main, profile ${profile})

  curl -s ${tables}/cities/query -d '${JSON.stringify(large)}'
  curl -s ${tables}/countries/summarize -d '${JSON.stringify(regions)}'
  curl -s ${tables}/countries/data/IS

${url}/_twinbase/ shows them in a browser.
${url}/openapi.json describes the interface. Press Ctrl-C to stop.
`;
}

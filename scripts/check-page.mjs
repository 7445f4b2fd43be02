// Checks the explorer in a browser, by clicks and keys: on the demo's data, a table of a million records,
// hostile values, and a service that needs a key. Fails on a console error, a request to another server, or a
// finding of axe. Does nothing without a browser.
// Runs on the built package: node scripts/check-page.mjs [--pictures <folder>] [name of a check …]
// --pictures takes pictures of each view: wide and narrow, light and dark.
import { parseArgs } from "node:util";
import * as bulk from "./page/bulk.mjs";
import * as conflicts from "./page/conflicts.mjs";
import * as edits from "./page/edits.mjs";
import * as engine from "./page/engine.mjs";
import * as guard from "./page/guard.mjs";
import * as keys from "./page/keys.mjs";
import * as links from "./page/links.mjs";
import * as live from "./page/live.mjs";
import * as million from "./page/million.mjs";
import { launchBrowser, openPage, serveEngine, serveWorld } from "./page/open.mjs";
import * as playground from "./page/playground.mjs";
import * as records from "./page/records.mjs";
import * as schema from "./page/schema.mjs";
import * as search from "./page/search.mjs";
import * as states from "./page/states.mjs";

const CHECKS = {
  ...{ ...states, ...records, ...keys, ...links, ...edits, ...conflicts, ...bulk, ...schema },
  ...{ ...search, ...engine, ...live, ...million, ...guard, ...playground },
};

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: "string" } },
});
const browser = await launchBrowser();
if (browser === undefined) {
  console.log("check-page: no browser found; the explorer was not checked");
} else {
  const world = await serveWorld();
  for (const [name, check] of Object.entries(CHECKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const started = performance.now();
    try {
      await runCheck(check, world);
      console.log(`check-page: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`check-page: ${name} FAILED\n${error.stack}`);
    }
  }
  await browser.close();
  await world.server.close();
}

/** Runs a check; closes the pages and servers that it opened, and reports errors of the pages. */
async function runCheck(check, world) {
  const closing = [];
  const open = async (...given) => {
    const page = await openPage({ browser, ...values }, ...given);
    closing.unshift(page.finish);
    return page;
  };
  const serve = async (...given) => {
    const served = await serveEngine(...given);
    closing.push(() => served.server.close());
    return served;
  };
  const log = (line) => console.log(`  ${line}`);
  const failures = [];
  const note = (error) => failures.push(error);
  await check({ open, serve, world, log }).catch(note);
  for (const close of closing) await close().catch(note);
  if (failures.length > 0) throw failures[0];
}

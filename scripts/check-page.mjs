// Uses the explorer as a reader does, in a browser: by clicks and keys, on the demo's data, a table
// of a million records, hostile values, and a service that asks for a key. No console error, no
// request elsewhere, no fault that axe finds. Without a browser it says so and checks nothing.
// Runs on the built package: node scripts/check-page.mjs [name of a check …]

import * as bulk from "./page/bulk.mjs";
import * as conflicts from "./page/conflicts.mjs";
import * as edits from "./page/edits.mjs";
import * as engine from "./page/engine.mjs";
import * as guard from "./page/guard.mjs";
import * as links from "./page/links.mjs";
import * as live from "./page/live.mjs";
import { launchBrowser, serveWorld } from "./page/open.mjs";
import * as records from "./page/records.mjs";
import * as schema from "./page/schema.mjs";
import * as search from "./page/search.mjs";
import * as states from "./page/states.mjs";

const CHECKS = {
  ...{ ...states, ...records, ...links, ...edits, ...conflicts, ...bulk, ...schema },
  ...{ ...search, ...engine, ...live, ...guard },
};

const browser = await launchBrowser();
if (browser === undefined) {
  process.stdout.write("check-page: there is no browser; the explorer was not checked\n");
} else {
  try {
    await checkAll(browser, process.argv.slice(2));
  } finally {
    await browser.close();
  }
  process.exit(); // a check that failed has left its server open
}

async function checkAll(found, wanted) {
  const world = await serveWorld();
  try {
    for (const [name, check] of Object.entries(CHECKS)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const started = performance.now();
      const tell = (line) => process.stdout.write(`  ${line}\n`);
      try {
        await check({ browser: found, world, tell });
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        process.stdout.write(`check-page: ${name} (${seconds} s)\n`);
      } catch (error) {
        process.exitCode = 1;
        process.stdout.write(`check-page: ${name} FAILED\n${error.stack}\n`);
      }
    }
  } finally {
    await world.server.close();
  }
}

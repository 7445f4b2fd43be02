import { inject, it } from "vitest";
import { freshDatabase } from "./cluster.js";
import { requireBranchCopies } from "./copies-branches.js";
import { requireRefusals, requireRoundTrip } from "./copies-exports.js";

it("K-4: a server copies records into a branch of equal schema", async () =>
  requireBranchCopies(await freshDatabase(inject("postgresUrl"), "copies_branches")));

it("an export goes into a server and back, with all that it holds, or nothing", async () =>
  requireRoundTrip(
    await freshDatabase(inject("postgresUrl"), "copies_exports"),
    await freshDatabase(inject("postgresUrl"), "copies_databases"),
  ));

it("refuses an export that is damaged or breaks a rule, and keeps nothing of it", async () =>
  requireRefusals(await freshDatabase(inject("postgresUrl"), "copies_refused")));

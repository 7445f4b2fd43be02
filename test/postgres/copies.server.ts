import { inject, it } from "vitest";
import { freshDatabase, isCluster } from "./cluster.js";
import { requireBranchCopies } from "./copies-branches.js";
import { makeFolder, requireRefusals, requireRoundTrip } from "./copies-exports.js";

const fresh = (name: string): Promise<string> => freshDatabase(inject("postgresUrl"), name);

it("K-4: a server copies records into a branch of equal schema", async () =>
  requireBranchCopies(await fresh("copies_branches")));

it("copies an export into a server and back without loss, or not at all", async () => {
  // A cluster has one database for all tests.
  const other = isCluster ? `pglite:${await makeFolder()}/data` : await fresh("copies_databases");
  await requireRoundTrip(await fresh("copies_exports"), other);
});

it("refuses an export that is damaged or breaks a rule, and writes nothing of it", async () =>
  requireRefusals(await fresh("copies_refused")));

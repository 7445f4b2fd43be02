import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { requireBranchCopies } from "./copies-branches.js";
import { requireRoundTrip } from "./copies-exports.js";

it("K-4: copies records into a branch of equal schema, in one transaction", () =>
  requireBranchCopies({ pglite: true }));

it("copies an export into a database and back, with all that it holds, or nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "twinbase-"));
  try {
    await requireRoundTrip(`pglite:${folder}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

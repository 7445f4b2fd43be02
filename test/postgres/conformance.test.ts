/** @module-tag slow */
import { it } from "vitest";
import { runs } from "../generated.js";
import { LARGE, requireConformance } from "./conforms.js";
import "./copied-database.js";

// The tests of a server run all laws under each profile.
it.each([
  ["documented", []],
  ["xata", LARGE],
  ["xata-next", LARGE],
] as const)(
  "embedded PostgreSQL conforms under the profile %s",
  { tags: ["slow"], timeout: 480_000 },
  async (profile, skip) =>
    void (await requireConformance({ pglite: true }, profile, { runs: Math.ceil(runs), skip })),
);

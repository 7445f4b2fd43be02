/** @module-tag slow */
import { it } from "vitest";
import { runs } from "../generated.js";
import { requireConformance } from "./conforms.js";

it.each(["documented", "xata", "xata-next"] as const)(
  "embedded PostgreSQL conforms under the profile %s",
  { tags: ["slow"], timeout: 480_000 },
  async (profile) => void (await requireConformance({ pglite: true }, profile, Math.ceil(runs))),
);

import { it } from "vitest";
import { requireConformance } from "./conforms.js";

const runs = Number(process.env.TWINBASE_CONFORMANCE_RUNS ?? 4);

it.each(["documented", "xata"] as const)(
  "PostgreSQL inside of the process conforms under the profile %s",
  { tags: ["slow"], timeout: 480_000 },
  async (profile) => void (await requireConformance({ pglite: true }, profile, runs)),
);

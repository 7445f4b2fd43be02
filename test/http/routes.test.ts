import { describe, expect, it } from "vitest";
import { walkDiff } from "../../src/engine/changes.js";
import { catalogOf } from "../../src/engine.js";
import { ROUTE_TABLE } from "../../src/http/routes.js";
import { createControl, createFaults, createFetch, createJournal } from "../../src/http.js";
import type { JsonSchema } from "../../src/shape/schema.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";

const { routes: ROUTES, match } = ROUTE_TABLE;

describe("routes", () => {
  it("declare as reading exactly those that change nothing", async () => {
    const engine = createFixture();
    await prepareForBodies(engine);
    const fetch = createFetch(engine);
    const bodies = await goodBodies(engine.profile.mappingTarget, fetch);
    const saved = engine.snapshot();
    const [reading, writing, changing] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { method, path, body } of bodies) {
      const { operation, reads } = match(path.slice(1).split("/"))!.routes.get(method)!;
      (reads ? reading : writing).add(operation);
      const before = catalogOf(engine);
      const init = { method, body: JSON.stringify(body) };
      const { status } = await fetch(`http://acme.us-east-1.localhost${path}`, init);
      expect(status, path).toBeLessThan(300);
      const isSame = catalogOf(engine) === before && walkDiff(saved, engine.snapshot()).next().done;
      if (!isSame) changing.add(operation);
      engine.restore(saved);
    }
    expect([...reading].filter((operation) => changing.has(operation))).toEqual([]);
    // The member has that role already.
    const unchanged = ["updateWorkspaceMemberRole"];
    expect([...writing].filter((operation) => !changing.has(operation))).toEqual(unchanged);
  });

  it("have no body schema with a keyword that its reader ignores", () => {
    const all = [
      ...ROUTES,
      ...createControl().routes(createFixture(), {
        faults: createFaults(),
        journal: createJournal(),
      }),
    ];
    for (const { body, takesContent, operation } of all) {
      if (body !== undefined && !takesContent) expect(listUnchecked(body, operation)).toEqual([]);
    }
  });

  it("are each matched by their own template", () => {
    for (const route of ROUTES) {
      const found = match(route.path.slice(1).split("/"));
      expect(found?.routes.get(route.method), route.path).toBe(route);
    }
  });
});

/** Keywords that `readBySchema` checks, by type. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  array: ["items", "minItems", "maxItems"],
  boolean: [],
  string: ["minLength", "maxLength", "enum"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  const: ["const"],
};
const DESCRIBING: readonly string[] = ["type", "title", "description", "reading"];

/** Lists constraints that `readBySchema` ignores. */
function listUnchecked(schema: JsonSchema, at: string): string[] {
  if (schema.reading?.byEngine) return [];
  const { type, properties = {}, additionalProperties: more, items } = schema;
  const kind = schema.const === undefined ? type : "const";
  const checked = typeof kind === "string" ? CHECKED[kind] : undefined;
  const isOpen = more !== undefined && more !== false;
  if (isOpen && (typeof more === "object" || Object.keys(properties).length > 0)) return [at];
  return [
    ...(checked === undefined ? [at] : []),
    ...Object.keys(schema)
      .filter((key) => !DESCRIBING.includes(key) && !checked?.includes(key))
      .map((key) => `${at}: ${key}`),
    ...Object.entries(properties).flatMap(([key, each]) => listUnchecked(each, `${at}/${key}`)),
    ...(items === undefined ? [] : listUnchecked(items, `${at}/0`)),
  ];
}

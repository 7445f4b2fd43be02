import { describe, expect, it } from "vitest";
import { walkDiff } from "../../src/engine/changes.js";
import { catalogOf } from "../../src/engine.js";
import type { Route } from "../../src/http/route.js";
import { ROUTE_TABLE } from "../../src/http/routes.js";
import {
  createControl,
  createFaults,
  createFetch,
  createJournal,
  createMemory,
} from "../../src/http.js";
import type { JsonSchema } from "../../src/shape/schema.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";

const { routes: ROUTES, match } = ROUTE_TABLE;

function routeOf(method: string, path: string): Route {
  return match(path.slice(1).replace(/\?.*/, "").split("/"))!.routes.get(method)!;
}

it.each(["/workspaces/acme/dbs/mall", "/db/shop:twig", "/db/shop:main/tables/fans"])(
  "B-1: 201 has the address of what was made: %s",
  async (address) => {
    const fetch = createFetch(createFixture("xata"));
    const answer = await fetch(`https://acme.us-east-1.xata.sh${address}`, { method: "PUT" });
    expect([answer.status, answer.headers.get("location")]).toEqual([201, address]);
  },
);

describe("routes", () => {
  it("declare as reading exactly those that change nothing", async () => {
    const engine = createFixture();
    await prepareForBodies(engine);
    const fetch = createFetch(engine);
    const bodies = await goodBodies(engine.profile.mappingTarget, fetch);
    const saved = engine.snapshot();
    const [reading, writing, changing] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { method, path, body } of bodies) {
      const { operation, reads } = routeOf(method, path);
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
    expect([...writing].filter((operation) => !changing.has(operation))).toEqual([]);
  });

  it("have no body schema with a keyword that its reader ignores", () => {
    const all = [
      ...ROUTES,
      ...createControl().routes(createFixture(), {
        faults: createFaults(),
        journal: createJournal(),
        memory: createMemory(),
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
  if (schema.reading?.describes || Object.keys(schema).length === 0) return [];
  const { type, properties = {}, additionalProperties: more, items } = schema;
  const kind = schema.const === undefined ? type : "const";
  const checked = typeof kind === "string" ? CHECKED[kind] : undefined;
  return [
    ...(checked === undefined ? [at] : []),
    ...Object.keys(schema)
      .filter((key) => !DESCRIBING.includes(key) && !checked?.includes(key))
      .map((key) => `${at}: ${key}`),
    ...Object.entries(properties).flatMap(([key, each]) => listUnchecked(each, `${at}/${key}`)),
    ...(items === undefined ? [] : listUnchecked(items, `${at}/0`)),
    ...(typeof more === "object" ? listUnchecked(more, `${at}/*`) : []),
  ];
}

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createControl, createFetch } from "../../src/http.js";
import { createEngine, type ProfileName } from "../../src/index.js";

interface Sample {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

type Ask = (url: string, init?: RequestInit) => Promise<Response>;

const attack = resolve(import.meta.dirname, "../../scripts/attack");
const load = (file: string): Promise<unknown> => import(pathToFileURL(resolve(attack, file)).href);
const { listOperations, samplesOf } = {
  ...((await load("bad-requests.mjs")) as { listOperations: (ask: Ask) => Promise<unknown[]> }),
  ...((await load("samples.mjs")) as {
    samplesOf: (operation: unknown, names: object) => Sample[];
  }),
};

const MARK = '"deep:mark"';
const nest = (open: string, levels: number, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

async function openAsk(profile: ProfileName): Promise<Ask> {
  const engine = createEngine({ profile, seed: 1, now: 0 });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  for (const name of ["users", "teams"]) main.createTable(name, [{ name: "j", type: "json" }]);
  return createFetch(engine, { control: createControl(), workspace: "acme" });
}

describe.each<ProfileName>(["documented", "xata"])(
  "L-3: bodies that are deep, under %s",
  (profile) => {
    it("are refused by every operation before anything goes down them", async () => {
      const ask = await openAsk(profile);
      const depths = [600, 1000, 600, 3000, 600, 100_000];
      let asked = 0;
      let refused = 0;
      for (const operation of await listOperations(ask)) {
        for (const { method, url, body = {} } of samplesOf(operation, {})) {
          if (!["POST", "PUT", "PATCH"].includes(method) || url.includes("/file")) continue;
          for (const key of ["j", ...Object.keys(body)]) {
            const levels = depths[asked++ % depths.length]!;
            const deep = asked % 2 === 0 ? nest("[", levels, "]") : nest('{"a":', levels, "}");
            const text = JSON.stringify({ ...body, [key]: JSON.parse(MARK) }).replace(MARK, deep);
            const response = await ask(`http://localhost${url}`, { method, body: text });
            const where = `${method} ${url} ${key} ${levels}`;
            const said = await response.text();
            // Some operations leave a body unread.
            expect([200, 201, 204, 400, 404, 422, 501], `${where}: ${said}`).toContain(
              response.status,
            );
            if (response.status === 400) refused++;
            if (response.status === 400) {
              expect(JSON.parse(said), where).toMatchObject({
                code: "invalid_request",
                rule: "L-3",
                path: `/${key}`,
              });
            }
          }
        }
      }
      expect(asked).toBeGreaterThan(150);
      expect(refused).toBeGreaterThan(120);
      const journal = await ask("http://localhost/_twinbase/journal");
      expect(journal.status).toBe(200);
    }, 60_000);

    it("leave room for the deepest value of a json column", async () => {
      const ask = await openAsk(profile);
      const insert = async (levels: number) => {
        const record = `{"insert":{"table":"users","record":{"j":${nest("[", levels, "]")}}}}`;
        const body = `{"operations":[${record}]}`;
        const response = await ask("http://localhost/db/shop:main/transaction", {
          method: "POST",
          body,
        });
        return [response.status, await response.text()] as const;
      };
      expect((await insert(500))[0]).toBe(200);
      const [status, text] = await insert(501);
      expect(status).toBe(400);
      expect(text).toContain("expected json");
    });
  },
);

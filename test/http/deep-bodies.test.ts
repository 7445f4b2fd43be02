import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";
import { toRequest } from "./ways.js";

const MARK = "deep:mark";
const DEPTHS = [600, 1000, 600, 3000, 600, 100_000];

const nest = (open: string, levels: number, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe.each<ProfileName>(["documented", "xata"])("L-3: deep bodies under %s", (profile) => {
  it("are refused by every operation, before it recurses into them", async () => {
    const engine = createFixture(profile);
    await prepareForBodies(engine);
    const fetch = createFetch(engine);
    let sent = 0;
    for (const { method, path, body } of await goodBodies(engine.profile.mappingTarget, fetch)) {
      for (const key of ["none", ...Object.keys(body as object)]) {
        const levels = DEPTHS[sent++ % DEPTHS.length]!;
        const deep = sent % 2 === 0 ? nest("[", levels, "]") : nest('{"a":', levels, "}");
        const raw = JSON.stringify({ ...(body as object), [key]: MARK });
        const request = toRequest({ method, path, raw: raw.replace(`"${MARK}"`, deep) });
        const answer = await fetch(request);
        expect(answer.status, `${method} ${path} ${key} ${levels}`).toBe(400);
        const refusal = { code: "invalid_request", rule: "L-3", path: `/${key}` };
        expect(await answer.json(), `${method} ${path}`).toMatchObject(refusal);
      }
    }
    expect(sent).toBeGreaterThan(150);
  });

  it("are accepted up to the deepest value of a json column", async () => {
    const engine = createFixture(profile);
    const users = engine.workspace("acme").database("shop").branch("main").table("users");
    users.addColumn({ name: "j", type: "json" });
    const insert = (levels: number) => {
      const record = `{"insert":{"table":"users","record":{"j":${nest("[", levels, "]")}}}}`;
      const raw = `{"operations":[${record}]}`;
      const path = "/db/shop:main/transaction";
      return createFetch(engine)(toRequest({ method: "POST", path, raw }));
    };
    expect((await insert(500)).status).toBe(200);
    const refused = await insert(501);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("expected json");
  });
});

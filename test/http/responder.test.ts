import { describe, expect, it } from "vitest";
import { createFetch, type RemoteBackend } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { createFixture, NOW } from "./fixture.js";

const USERS = "http://acme.us-east-1.localhost/db/shop:main/tables/users";

describe("answers", () => {
  it("E-4: reveal nothing of an internal error", async () => {
    let isBroken = false;
    const engine = createEngine({
      now: () => {
        if (isBroken) throw new Error("a secret of the clock");
        return 0;
      },
    });
    engine.createWorkspace("w").createDatabase("d").branch("main").createTable("t");
    isBroken = true;
    const answer = await createFetch(engine)("http://localhost/db/d:main/tables/t/data", {
      method: "POST",
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      id: answer.headers.get("x-request-id"),
      message: "internal error",
      code: "internal",
    });
    isBroken = false;
    expect(engine.workspace("w").database("d").branch("main").table("t").count()).toBe(0);
  });

  it("of a database follow once it can be opened", async () => {
    let isDown = true;
    const served: RemoteBackend = {
      warnOf: () => undefined,
      openResponder: async () => {
        if (isDown) throw new Error("the database does not answer");
        return async () => ({ status: 204, headers: {}, body: undefined });
      },
    };
    const fetch = createFetch(served);
    await expect(fetch("http://localhost/user")).rejects.toThrow("does not answer");
    isDown = false;
    expect((await fetch("http://localhost/user")).status).toBe(204);
  });

  it("E-2: have different request ids, repeatable by seed", async () => {
    const idsOf = async (seed: number): Promise<(string | null)[]> => {
      const fetch = createFetch(createEngine({ seed }));
      const answers = [await fetch("http://localhost/user"), await fetch("http://localhost/none")];
      return answers.map(({ headers }) => headers.get("x-request-id"));
    };
    const ids = await idsOf(1);
    expect(ids).toEqual(await idsOf(1));
    expect(new Set([...ids, ...(await idsOf(2))]).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-v]{20}$/);
  });

  it("E-5: to simultaneous requests equal those to sequential ones", async () => {
    const fetch = createFetch(createFixture());
    const count = 50;
    const increments = Array.from({ length: count }, () =>
      fetch(`${USERS}/data/u1`, { method: "PATCH", body: '{"age":{"$increment":1}}' }),
    );
    expect((await Promise.all(increments)).every(({ status }) => status === 200)).toBe(true);
    const read = await (await fetch(`${USERS}/data/u1`)).json();
    expect(read).toMatchObject({ age: 30 + count, service: { version: count } });
  });

  it("L-2: to a streamed body depend on its whole length", async () => {
    const fetch = createFetch(createFixture(), { bodyBytes: 20 });
    const send = (parts: string[]): Promise<Response> => {
      const body = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      });
      // Node requires `duplex` for streams.
      return fetch(`${USERS}/query`, { method: "POST", body, duplex: "half" } as RequestInit);
    };
    expect((await send(['{"page":', '{"size":1}}'])).status).toBe(200);
    expect((await send(['{"page":', '{"size":1}', "  ", "}"])).status).toBe(413);
    expect((await send([])).status).toBe(200);
    expect((await send(["{", '"é":', "1}"])).status).toBe(400);
  });

  it("E-3: refuse a body that is not UTF-8", async () => {
    const body = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
    const answer = await createFetch(createFixture())(`${USERS}/query`, { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("X-5: list the databases of a workspace", async () => {
    const answer = await createFetch(createFixture())("http://localhost/workspaces/acme/dbs");
    const databases = [{ name: "shop", region: "us-east-1", createdAt: NOW }];
    expect(await answer.json()).toEqual({ databases });
  });

  it("E-5: refuse an incomplete body", async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error("gone"));
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit; // as above
    const answer = await createFetch(createFixture())(`${USERS}/data`, init);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_request" });
  });
});

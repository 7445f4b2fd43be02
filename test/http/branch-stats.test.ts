import { beforeEach, describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import { createFixture, NOW } from "./fixture.js";

const ORIGIN = "https://acme.us-east-1.example.com";

describe("K-4: statistics of a branch", () => {
  let engine: AnyEngine;
  let fetch: ReturnType<typeof createFetch>;

  beforeEach(() => {
    engine = createFixture();
    fetch = createFetch(engine);
  });

  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(ORIGIN + path, init);
    expect(answer.status, `${method} ${path}: ${await answer.text()}`).toBeLessThan(300);
  };
  const countsOf = async (branch: string, asked = fetch): Promise<[number, number, number]> => {
    const stats = (await (await asked(`${ORIGIN}/db/${branch}/stats`)).json()) as Record<
      "numberOfRecords" | "readsOverTime" | "writesOverTime",
      { timestamp: string; value: number }[]
    >;
    const latest = (series: keyof typeof stats): number => stats[series].at(-1)?.value ?? 0;
    return [latest("numberOfRecords"), latest("readsOverTime"), latest("writesOverTime")];
  };
  const read = () => send("POST", "/db/shop:main/tables/users/query", {});
  const write = () => send("POST", "/db/shop:main/tables/users/data", {});

  it("are shared by all handlers of an engine, but not by its forks", async () => {
    const other = createFetch(engine, { workspace: "acme" });
    await write();
    await other(`${ORIGIN}/db/shop:main/tables/users/query`, { method: "POST", body: "{}" });
    for (const asked of [fetch, other]) {
      expect(await countsOf("shop:main", asked)).toEqual([6, 1, 1]);
    }
    expect(await countsOf("shop:main", createFetch(engine.fork()))).toEqual([6, 0, 0]);
  });

  it("count a copy as a read of its source and a write of its target", async () => {
    await send("PUT", "/db/shop:twig", { from: "main" });
    await send("POST", "/db/shop:main/copy", { destinationBranch: "twig" });
    expect(await countsOf("shop:main")).toEqual([5, 1, 0]);
    expect(await countsOf("shop:twig")).toEqual([5, 0, 1]);
  });

  it("end with the workspace", async () => {
    await read();
    await send("DELETE", "/workspaces/acme");
    engine.createWorkspace("acme").createDatabase("shop");
    expect(await countsOf("shop:main")).toEqual([0, 0, 0]);
  });

  it("remain if a branch is deleted whose name is a prefix", async () => {
    await send("PUT", "/db/shop:twig", { from: "main" });
    await send("PUT", "/db/shop:twig2", { from: "main" });
    await send("POST", "/db/shop:twig2/tables/users/query", {});
    await send("DELETE", "/db/shop:twig");
    expect(await countsOf("shop:twig2")).toEqual([5, 1, 0]);
  });

  it("follow a renamed database", async () => {
    await read();
    await write();
    await send("POST", "/workspaces/acme/dbs/shop/rename", { newName: "mall" });
    expect(await countsOf("mall:main")).toEqual([6, 1, 1]);
    await send("PUT", "/workspaces/acme/dbs/shop", {});
    expect(await countsOf("shop:main")).toEqual([0, 0, 0]);
    expect(await countsOf("mall:main")).toEqual([6, 1, 1]);
  });

  it("count by hours of the engine's clock, for a day", async () => {
    const hour = 3_600_000;
    await read();
    engine.clock.advance(2 * hour);
    await read();
    await read();
    const answer = await fetch(`${ORIGIN}/db/shop:main/stats`);
    expect(await answer.json()).toMatchObject({
      timestamp: "2024-01-31T14:00:00Z",
      readsOverTime: [
        { timestamp: NOW, value: 1 },
        { timestamp: "2024-01-31T14:00:00Z", value: 2 },
      ],
    });
    engine.clock.advance(23 * hour);
    expect(await countsOf("shop:main")).toEqual([5, 2, 0]);
    engine.clock.advance(2 * hour);
    expect(await countsOf("shop:main")).toEqual([5, 0, 0]);
  });
});

import { expect } from "vitest";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";

/** Gives the fixture what requests of files, invites and histories are of. */
export async function prepare(engine: AnyEngine): Promise<void> {
  const shop = engine.workspace("acme").database("shop");
  shop.branch("main").table("users").addColumn({ name: "photo", type: "file" });
  shop.branch("main").table("users").addColumn({ name: "papers", type: "file[]" });
  shop.createBranch("dev", { from: "main" });
  const fetch = createFetch(engine, { workspace: "acme" });
  const made: [method: string, path: string, body: unknown][] = [
    ["PUT", "/db/shop:main/tables/users/data/u1/column/photo/file", {}],
    ["PUT", "/db/shop:main/tables/users/data/u1/column/papers/file/x", {}],
    ["POST", "/db/shop:dev/tables/users/columns", { name: "size", type: "int" }],
    ["POST", "/dbs/shop/migrations", { source: "dev", target: "main", title: "t" }],
    ["POST", "/workspaces/acme/invites", { email: "new@b.c", role: "owner" }],
  ];
  for (const [method, path, body] of made) {
    const answer = await fetch(`http://localhost${path}`, { method, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  }
}

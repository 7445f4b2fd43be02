import { expect } from "vitest";
import { listOperations, readNames } from "../../scripts/attack/bad-requests.mjs";
import { samplesOf, toXata, USER_COLUMNS } from "../../scripts/attack/samples.mjs";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import type { Fetch } from "./checked-fetch.js";
import type { Sent } from "./ways.js";

/** Adds the names in the requests of {@link goodBodies} to an engine of `createFixture`. */
export async function prepareForBodies(engine: AnyEngine): Promise<void> {
  const shop = engine.workspace("acme").database("shop");
  const main = shop.branch("main");
  const users = main.table("users");
  const known = users.schema().columns.map(({ name }) => name);
  for (const column of USER_COLUMNS) if (!known.includes(column.name)) users.addColumn(column);
  main.createTable("posts", [{ name: "author", type: "link", link: { table: "users" } }]);
  for (const name of ["dev", "same"]) shop.createBranch(name, { from: "main" });
  shop.branch("dev").table("users").addColumn({ name: "late", type: "int" });
  for (const fullname of ["Ann", "Bob"]) {
    engine.createUser({ email: `${fullname}@b.c`, fullname, workspaces: ["acme"] });
  }
  const fetch = createFetch(engine, { workspace: "acme" });
  const made: [method: string, path: string, body: unknown][] = [
    ["PUT", "/db/shop:main/tables/users/data/u1/column/photo/file", {}],
    ["PUT", "/db/shop:main/tables/users/data/u1/column/papers/file/one", {}],
    ["POST", "/dbs/shop/migrations", { source: "dev", target: "main", title: "t" }],
  ];
  for (const [method, path, body] of made) {
    const answer = await fetch(`http://localhost${path}`, { method, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  }
}

/** Valid requests to each route that takes JSON, with every member of its schema. */
export async function goodBodies(target: string, fetch: Fetch): Promise<readonly Sent[]> {
  const ask: Fetch = (url, init) => fetch(url.replace("//x", "//acme.us-east-1.localhost"), init);
  const names = await readNames(ask);
  const operations = (await listOperations(ask)).filter(({ takesJson }) => takesJson);
  return operations.flatMap((operation) =>
    samplesOf(operation, names).map(({ method, url: path, body }) => {
      const text = JSON.stringify(body);
      const isXata = target === "xataBranch";
      return { method, path, body: JSON.parse(isXata ? toXata(text) : text) as unknown };
    }),
  );
}

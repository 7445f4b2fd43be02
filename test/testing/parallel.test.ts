import { afterEach, describe, expect, it, vi } from "vitest";
import { createDouble, type DoubleOptions } from "../../src/testing.js";
import { CLIENTS, create, tables } from "./clients.js";

const original: typeof fetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
});

const open = (options: Omit<DoubleOptions<[], "xata">, "schema"> = {}) =>
  createDouble({ schema: tables, ...options });

describe.each(CLIENTS)("doubles used in parallel by %s", (_, build) => {
  it("receive the calls of their own clients", async () => {
    const doubles = [open(), open({ keys: ["secret"] }), open()];
    doubles.push(doubles[1]!.fork());
    const clients = doubles.map(({ client }) => build(client));
    await Promise.all(clients.map(({ db }, at) => db.users.create({ name: `${at}` })));
    const names = doubles.map(({ tables: { users } }) =>
      users.query().records.map(({ name }) => name),
    );
    expect(names).toEqual([["0"], ["1"], ["2"], ["3"]]);
  });

  describe.concurrent("in concurrent tests", () => {
    const seeded = open();
    it.for([1, 2, 3, 4, 5])("sees only its own records (%i)", async (many, { expect }) => {
      using double = seeded.fork();
      const { db } = build(double.client);
      for (let at = 0; at < many; at++) await db.users.create({ name: `${at}` });
      expect((await db.users.getAll()).length).toBe(many);
      expect(double.tables.users.count()).toBe(many);
    });
  });

  it("fail once they are closed", async () => {
    const closed = open();
    const { db } = build(closed.client);
    const other = build(open().client);
    closed[Symbol.dispose]();
    await expect(Promise.all([db.users.getAll(), other.db.users.getAll()])).rejects.toThrow(
      "the double is closed; use a client of an open one",
    );
    await expect(closed.fetch(closed.client.databaseURL)).rejects.toThrow("the double is closed");
    expect(() => closed.stub()).toThrow("the double is closed");
  });

  it("answer their own hosts and databases with stub()", async () => {
    const addresses = [
      "https://acme.us-east-1.xata.sh/db/shop",
      "https://beta.eu-west-1.xata.sh/db/shop",
      "https://acme.us-east-1.xata.sh/db/shop-2",
      "http://acme.us-east-1.localhost:4000/db/shop",
      "http://beta.us-east-1.localhost:4000/db/shop",
    ];
    for (const otherHosts of ["fail", "pass"] as const) {
      const doubles = addresses.map((databaseURL) => open({ databaseURL, otherHosts }));
      for (const each of doubles) each.stub();
      const clients = addresses.map((databaseURL) => create(build, { databaseURL }));
      await Promise.all(clients.map(({ db }, at) => db.users.create({ name: `${at}` })));
      const names = doubles.map(({ tables: { users } }) =>
        users.query().records.map(({ name }) => name),
      );
      expect(names).toEqual(addresses.map((_, at) => [`${at}`]));
      for (const each of doubles) each.unstub(); // in any order
    }
    expect(globalThis.fetch).toBe(original);
  });
});

describe("stubbed doubles", () => {
  const ada = (databaseURL: string) => `${databaseURL}:main/tables/users/data/ada`;
  const [shop, blog] = ["https://a.us-east-1.xata.sh/db/shop", "https://b.eu-west-1.xata.sh/db/b"];
  const records = { users: [{ id: "ada" }] };

  it("leave other hosts to the real fetch only if all of them pass", async () => {
    const real = vi.fn(async () => new Response("real"));
    globalThis.fetch = real;
    using _shop = open({ databaseURL: shop, otherHosts: "pass", records }).stub();
    const blogs = open({ databaseURL: blog, hosts: ["Example.NET"], records });
    blogs.stub();
    await expect(fetch("https://example.com")).rejects.toThrow("example.com is not a host");
    expect((await fetch(`https://example.net/db/b:main/tables/users/data/ada`)).status).toBe(200);
    blogs.unstub();
    expect(await (await fetch("https://example.com")).text()).toBe("real");
    expect((await fetch(ada(shop))).status).toBe(200);
    expect((await fetch("https://a.us-east-1.upload.xata.sh/db/shop:main")).status).toBe(200);
  });

  it("are reached by a client of an earlier stub", async () => {
    const first = open({ databaseURL: shop, records });
    first.stub();
    const kept = globalThis.fetch;
    first.unstub();
    await expect(kept(ada(shop))).rejects.toThrow("no double is stubbed; call stub() before");
    using _ = open({ databaseURL: shop, records }).stub();
    first.tables.users.delete("ada");
    expect((await kept(ada(shop))).status).toBe(200);
  });

  it("are kept apart from those under another replacement", async () => {
    open({ databaseURL: shop, records }).stub();
    const below = globalThis.fetch;
    globalThis.fetch = (input, init) => below(input, init);
    using _ = open({ databaseURL: blog, records, otherHosts: "pass" }).stub();
    await expect(fetch("https://example.com")).rejects.toThrow("example.com is not a host");
  });
});

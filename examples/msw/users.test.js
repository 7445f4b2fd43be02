import { buildClient } from "@xata.io/client";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { createDouble } from "twinbase/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const databaseURL = "https://acme.us-east-1.xata.sh/db/shop"; // as in the application
const tables = [{ name: "users", columns: [{ name: "email", type: "email" }] }];
const records = { users: [{ id: "ada", email: "ada@example.com" }] };
const double = createDouble({ schema: tables, records, databaseURL });

const server = setupServer(
  http.all("https://*.xata.sh/*", async ({ request }) => {
    // A dropped connection rejects.
    return double.fetch(request).catch(() => HttpResponse.error());
  }),
  http.get("https://api.example.com/rates", () => HttpResponse.json({ eur: 1 })),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => double.reset());
afterAll(() => server.close());

/** The client of the application, which calls the global `fetch`. */
const open = () => new (buildClient())({ databaseURL, branch: "main", apiKey: "any" }, tables);

test("the double answers the client, MSW other hosts", async () => {
  expect(await open().db.users.read("ada")).toMatchObject({ email: "ada@example.com" });
  expect(await (await fetch("https://api.example.com/rates")).json()).toEqual({ eur: 1 });
});

test("a write reaches the double", async () => {
  await open().db.users.create({ email: "bob@example.com" });
  expect(double.tables.users.count()).toBe(2);
});

test("a dropped connection is a failed fetch", async () => {
  double.faults.add({ drop: "request" });
  await expect(open().db.users.read("ada")).rejects.toThrow(/fetch/);
  expect(await open().db.users.read("ada")).toMatchObject({ id: "ada" });
});

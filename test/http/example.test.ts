import { buildClient, type SchemaInference, type XataRecord } from "@xata.io/client";
import { createDouble } from "twinbase/testing";
import { expect, test } from "vitest";

const columns = [{ name: "email", type: "email", unique: true }] as const;
const tables = [{ name: "users", columns }] as const;
type User = SchemaInference<typeof tables>["users"] & XataRecord;

const records = { users: [{ email: "ada@example.com" }] };
const seeded = createDouble({ schema: tables, records });
const XataClient = buildClient();

test("finds a user", async () => {
  using double = seeded.fork();
  const xata = new XataClient<{ users: User }>(double.client, tables);
  expect(await xata.db.users.getFirst()).toMatchObject({ email: "ada@example.com" });
});

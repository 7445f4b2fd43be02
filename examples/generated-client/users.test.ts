import { createDouble } from "twinbase/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getXataClient, tables } from "./xata.js";

// Environment variables that `getXataClient` reads.
process.env.XATA_API_KEY = "any";
process.env.XATA_BRANCH = "main";

const double = createDouble({
  schema: tables,
  databaseURL: "https://acme.us-east-1.xata.sh/db/shop", // as in xata.ts
  records: {
    teams: [{ id: "blue", name: "Blue" }],
    users: [{ id: "ada", email: "ada@example.com", team: "blue" }],
  },
});
beforeAll(() => void double.stub());
afterAll(() => double.unstub());

test("the generated client runs on the double", async () => {
  const user = await getXataClient().db.users.select(["email", "team.name"]).getFirst();
  expect(user?.team?.name).toBe("Blue");
});

import { describe, expect, it } from "vitest";
import { createFetch, createJournal } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { ask } from "./ask.js";
import { createFixture } from "./fixture.js";

function setUp(profile: ProfileName = "xata") {
  const engine = createFixture(profile);
  const journal = createJournal();
  const fetch = createFetch(engine, { journal });
  const post = async (path: string, body: object) => {
    const url = `https://acme.us-east-1.localhost/db/shop:main/${path}`;
    return (await ask({ fetch }, `POST ${url}`, body)).body;
  };
  return {
    users: engine.workspace("acme").database("shop").branch("main").table("users"),
    journal,
    post,
  };
}

describe("E-8: errors under xata", () => {
  it("have messages of at most 2,000 characters, even about longer names", async () => {
    const { post } = setUp();
    const name = "é".repeat(5000);
    const bodies = [
      await post("tables/users/query", { filter: { [name]: 1 } }),
      await post("tables/users/query", { [name]: 1 }),
      ...["errors", "details"].map(
        async (key) => (await post("tables/users/bulk", { records: [{ [name]: 1 }] }))[key][0],
      ),
    ];
    for (const { message } of await Promise.all(bodies)) {
      expect(message.length).toBeLessThanOrEqual(2000);
    }
  });

  it("are shown by the journal with our text", async () => {
    const { post, journal } = setUp();
    await post("tables/users/query", { filter: { aeg: 1 } });
    expect(() => journal.expect({ status: 200 })).toThrow(
      "→ 400: column [aeg] does not exist; did you mean age? (at /filter/aeg, rule P-9)",
    );
    journal.clear();
    await post("tables/users/bulk", { records: [{ aeg: 1 }] });
    expect(() => journal.expect({ status: 200 })).toThrow("did you mean age?");
  });

  it.each<ProfileName>(["documented", "xata"])("keep our text in calls of %s", (profile) => {
    const { users } = setUp(profile);
    const message =
      'table [users]: column [email] must be unique: another record holds "ann@example.com"';
    expect(() => users.insert({ email: "ann@example.com" })).toThrow(
      expect.objectContaining({ message, reason: { kind: "not_unique", column: "email" } }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { createFetch, createJournal } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { createFixture } from "./fixture.js";

function setUp(profile: ProfileName = "xata") {
  const engine = createFixture(profile);
  const journal = createJournal();
  const fetch = createFetch(engine, { journal });
  const post = async (path: string, body: object) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`https://acme.us-east-1.localhost/db/shop:main/${path}`, init);
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    users: engine.workspace("acme").database("shop").branch("main").table("users"),
    journal,
    post,
  };
}

const FILTER = { filter: { aeg: 1 } };
const RECORDS = [{ email: "new@example.com" }, { aeg: 1 }];

describe("E-8: errors under xata", () => {
  it("have the service's message, and ours with place and rule as detail", async () => {
    expect(await setUp().post("tables/users/query", FILTER)).toEqual({
      id: expect.any(String),
      message: "filter invalid: column [aeg]: column not found",
      code: "unknown_column",
      path: "/filter/aeg",
      rule: "P-9",
      detail: "column [aeg] does not exist; did you mean age? (at /filter/aeg, rule P-9)",
    });
  });

  it("of a whole body name no place", async () => {
    const refusal = await setUp().post("tables/users/query", []);
    expect(refusal).toMatchObject({ path: "", detail: refusal.message });
  });

  it("of a bulk have our messages as details, and exactly message and status as errors", async () => {
    expect(await setUp().post("tables/users/bulk", { records: RECORDS })).toEqual({
      id: expect.any(String),
      errors: [{ message: "invalid record: column [aeg]: column not found", status: 400 }],
      details: [
        {
          index: 1,
          message: 'table [users]: unknown column "aeg"; did you mean age?',
          code: "invalid_record",
          path: "/records/1/aeg",
          rule: "R-8",
        },
      ],
    });
  });

  it("of a transaction have our messages as details, and exactly index and message as errors", async () => {
    const operations = [
      ...RECORDS.map((record) => ({ insert: { table: "users", record } })),
      { delete: { table: "users", id: "gone", failIfMissing: true } },
    ];
    expect(await setUp().post("transaction", { operations })).toEqual({
      id: expect.any(String),
      errors: [
        { index: 1, message: "table [users]: invalid record: column [aeg]: column not found" },
        { index: 2, message: "table [users]: no rows deleted" },
      ],
      details: [
        {
          index: 1,
          message: 'table [users]: unknown column "aeg"; did you mean age?',
          code: "invalid_record",
          path: "/operations/1/insert/record/aeg",
          rule: "R-8",
        },
        {
          index: 2,
          message: 'table [users]: record "gone" not found',
          code: "record_not_found",
          path: "/operations/2/delete/id",
          rule: "X-3",
        },
      ],
    });
  });

  it("have messages of at most 2,000 characters, even about longer names", async () => {
    const { post } = setUp();
    const name = "é".repeat(5000);
    const bodies = [
      await post("tables/users/query", { filter: { [name]: 1 } }),
      await post("tables/users/query", { [name]: 1 }),
      ...(["errors", "details"] as const).map(async (key) => {
        const { [key]: list } = await post("tables/users/bulk", { records: [{ [name]: 1 }] });
        return (list as object[])[0];
      }),
    ];
    for (const body of await Promise.all(bodies)) {
      const { message } = body as { message: string };
      expect(message.length).toBeLessThanOrEqual(2000);
    }
  });

  it("are shown by the journal with our text", async () => {
    const { post, journal } = setUp();
    await post("tables/users/query", FILTER);
    expect(() => journal.expect({ status: 200 })).toThrow(
      "→ 400: column [aeg] does not exist; did you mean age? (at /filter/aeg, rule P-9)",
    );
    journal.clear();
    await post("tables/users/bulk", { records: RECORDS });
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

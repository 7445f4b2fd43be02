import { describe, it } from "vitest";
import { type Case, checkCase, control, get } from "./cases.js";
import { createFixture, NOW } from "./fixture.js";

const CASES: readonly Case[] = [
  {
    title: "E-3: a body that is no UTF-8 is refused",
    send: {
      method: "POST",
      path: "/db/shop:main/tables/users/query",
      raw: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
    },
    status: 400,
    code: "invalid_request",
    message: "UTF-8",
  },
  {
    title: "X-5: databases are listed",
    send: control(get("/workspaces/acme/dbs")),
    status: 200,
    body: { databases: [{ name: "shop", region: "us-east-1", createdAt: NOW }] },
  },
];

describe("what vectors cannot ask", () => {
  it.each(CASES)("$title", (given) => checkCase(createFixture(), given));
});

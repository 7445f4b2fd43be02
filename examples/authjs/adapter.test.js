import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { XataAdapter } from "@auth/xata-adapter";
import { buildClient } from "@xata.io/client";
import { createDouble } from "twinbase/testing";

const texts = (...names) => names.map((name) => ({ name, type: "string" }));
const link = (name, table) => ({ name, type: "link", link: { table } });
const user = link("user", "nextauth_users");

/** The tables that the adapter uses. */
const tables = [
  {
    name: "nextauth_users",
    columns: [
      { name: "email", type: "email" },
      { name: "emailVerified", type: "datetime" },
      ...texts("name", "image"),
    ],
  },
  {
    name: "nextauth_accounts",
    columns: [
      user,
      ...texts("type", "provider", "providerAccountId", "token_type", "scope", "session_state"),
      ...["refresh_token", "access_token", "id_token"].map((name) => ({ name, type: "text" })),
      { name: "expires_at", type: "int" },
    ],
  },
  {
    name: "nextauth_sessions",
    columns: [user, ...texts("sessionToken"), { name: "expires", type: "datetime" }],
  },
  {
    name: "nextauth_verificationTokens",
    columns: [...texts("identifier", "token"), { name: "expires", type: "datetime" }],
  },
  { name: "nextauth_users_accounts", columns: [user, link("account", "nextauth_accounts")] },
  { name: "nextauth_users_sessions", columns: [user, link("session", "nextauth_sessions")] },
];
const double = createDouble({ schema: tables });
const adapter = XataAdapter(new (buildClient())(double.client, tables));
afterEach(() => double.reset());

const ADA = { email: "ada@example.com", name: "Ada", emailVerified: null };
const EXPIRES = new Date("2030-01-01T00:00:00Z");

test("finds a user by id, e-mail and account", async () => {
  const { id } = await adapter.createUser(ADA);
  const account = { type: "oauth", provider: "github", providerAccountId: "42" };
  await adapter.linkAccount({ ...account, userId: id });
  assert.equal((await adapter.getUser(id)).name, "Ada");
  assert.equal((await adapter.getUserByEmail(ADA.email)).id, id);
  assert.equal((await adapter.getUserByAccount(account)).id, id);
  await adapter.updateUser({ id, name: "Ada King" });
  assert.equal((await adapter.getUserByAccount(account)).name, "Ada King");
  await adapter.unlinkAccount(account);
  assert.equal(await adapter.getUserByAccount(account), null);
  await adapter.deleteUser(id);
  assert.equal(await adapter.getUser(id), null);
});

test("keeps a session with its user", async () => {
  const { id: userId } = await adapter.createUser(ADA);
  await adapter.createSession({ sessionToken: "s1", userId, expires: EXPIRES });
  const found = await adapter.getSessionAndUser("s1");
  assert.deepEqual([found.user.id, found.session.sessionToken], [userId, "s1"]);
  assert.deepEqual(found.session.expires, EXPIRES);
  const later = new Date("2031-01-01T00:00:00Z");
  await adapter.updateSession({ sessionToken: "s1", expires: later });
  assert.deepEqual((await adapter.getSessionAndUser("s1")).session.expires, later);
  await adapter.deleteSession("s1");
  assert.equal(await adapter.getSessionAndUser("s1"), null);
});

test("a verification token can be used once", async () => {
  const token = { identifier: ADA.email, token: "t1", expires: EXPIRES };
  await adapter.createVerificationToken(token);
  assert.equal((await adapter.useVerificationToken(token)).identifier, ADA.email);
  assert.equal(await adapter.useVerificationToken(token), null);
});

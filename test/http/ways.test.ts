import { expect, it } from "vitest";
import { createFetch, createHandler } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { createCheck } from "./description.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";
import { describe, receive, type Sent, sendOverSocket, toRequest } from "./ways.js";

const BRANCH = "/db/shop:main";
const USER = `${BRANCH}/tables/users/data/u1`;

/** Valid requests without a JSON body. */
const WITHOUT_JSON: readonly Sent[] = [
  ["GET", `${USER}?columns=team.name`],
  ["DELETE", `${USER}?columns=*`],
  ["PUT", `${USER}/column/photo/file`],
  ["GET", `${USER}/column/photo/file`],
  ["DELETE", `${USER}/column/photo/file`],
  ["PUT", `${USER}/column/papers/file/x`],
  ["GET", `${USER}/column/papers/file/x`],
  ["GET", "/file/nothing"],
  ["PUT", "/file/nothing"],
  ["DELETE", `${BRANCH}/tables/teams`],
  ["GET", `${BRANCH}/tables/users/columns`],
  ["DELETE", `${BRANCH}/tables/users/columns/age`],
  ["GET", BRANCH],
  ["GET", `${BRANCH}/migrations`],
  ["GET", `${BRANCH}/stats`],
  ["DELETE", "/dbs/shop/gitBranches?gitBranch=g"],
  ["GET", "/dbs/shop/resolveBranch?gitBranch=g&fallbackBranch=main"],
  ["DELETE", "/user/keys/ci"],
  ["GET", "/workspaces/acme/members"],
].map(([method = "", path = ""]) => ({ method, path }));

const RECORD = "/db/shop:main/tables/teams/data/";

const IDS = ["a b", "ü", "100%", "a/b", "a%2Fb", "?#&=+", "日本", "a:b", "'\"<>"];

/** Requests whose paths are decoded, and bodies that are not text. */
const ODD: readonly Sent[] = [
  ...IDS.flatMap((id) => {
    const path = RECORD + encodeURIComponent(id);
    return [
      { method: "PUT", path, body: {} },
      { method: "GET", path },
    ];
  }),
  { method: "PUT", path: "/db/shop:main/tables/a%2Fb" },
  { method: "POST", path: "/db/shop%3Amain/tables/users/query" },
  { method: "POST", path: `${RECORD}t1`, raw: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d) },
  { method: "GET", path: "/dbs/shop", headers: { authorization: "" } },
  { method: "GET", path: "/dbs/shop", host: "other.us-east-1.localhost" },
  { method: "PATCH", path: "/dbs/shop/none" },
];

it.each<ProfileName>(["documented", "xata"])(
  "E-2: handlers, fetches and servers give the same answers, and those described, under %s",
  async (profile) => {
    const engine = createFixture(profile);
    await prepareForBodies(engine);
    const good = await goodBodies(engine.profile.mappingTarget, createFetch(engine));
    const options = { publicUrl: "http://files.localhost" };
    const handle = createHandler(engine.fork(), options);
    const fetch = createFetch(engine.fork(), options);
    await using server = await serve(engine.fork(), options);
    const check = createCheck(await describe(engine));
    for (const sent of [...ODD, ...good, ...WITHOUT_JSON]) {
      const shown = `${sent.method} ${sent.path}`;
      const answer = await receive(await handle(toRequest(sent)));
      expect(await receive(await fetch(toRequest(sent))), shown).toEqual(answer);
      expect(await sendOverSocket(server.port, sent), shown).toEqual(answer);
      expect(check(sent.method, sent.path, answer), shown).toBeNull();
    }
  },
);

it.each([
  ["N-1: a slash in a name", "PUT", "/db/shop:main/tables/a%2Fb", "invalid_name"],
  ["N-2: an encoded colon in an address", "GET", "/db/shop%3Anone", "branch_not_found"],
])("%s is decoded after the path is split", async (_, method, path, code) => {
  const answer = await createFetch(createFixture())(toRequest({ method, path }));
  expect(await answer.json()).toMatchObject({ code });
});

it.each(IDS)("X-1: a record has the id %j of its encoded path", async (id) => {
  const engine = createFixture();
  const request = toRequest({ method: "PUT", path: RECORD + encodeURIComponent(id), body: {} });
  expect(await (await createFetch(engine)(request)).json()).toMatchObject({ id });
});

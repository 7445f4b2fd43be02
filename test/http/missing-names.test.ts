import { expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import type { ProfileName } from "../../src/profile.js";
import { ask } from "./ask.js";

async function askOf(profile: ProfileName, method: string, path: string): Promise<object> {
  const engine = createEngine({ profile });
  const main = engine.createWorkspace("w").createDatabase("shop").branch("main");
  main.createTable("users", [{ name: "n", type: "int" }]);
  const fetch = createFetch(engine, { workspace: "w" });
  const sent = method === "GET" ? undefined : {};
  const { status, body } = await ask({ fetch }, `${method} /db/${path}`, sent);
  return { ...body, status };
}

it.each([
  [
    "POST",
    "shop:main/tables/user/query",
    "table [shop:main/user] not found",
    "did you mean users?",
  ],
  ["POST", "nope:main/tables/users/query", "database [nope] not found", "there is shop"],
  ["GET", "shop:mian/tables/users/data/a", "branch [shop:mian] not found", "did you mean main?"],
])(
  "M-4: %s %s returns a hint, which ends the message or is apart under xata",
  async (method, path, message, hint) => {
    expect(await askOf("xata", method, path)).toMatchObject({ status: 404, message, hint });
    const documented = await askOf("documented", method, path);
    expect(documented).toMatchObject({ status: 404, message: `${message}; ${hint}` });
    expect(documented).not.toHaveProperty("hint");
  },
);

it.each(["GET", "PUT", "POST", "PATCH", "DELETE"])(
  "X-1: %s of a record with an empty id returns 404",
  async (method) => {
    for (const profile of ["documented", "xata"] as const) {
      const answer = await askOf(profile, method, "shop:main/tables/users/data/");
      expect(answer).toMatchObject({ status: 404, code: "record_not_found" });
    }
  },
);

import { createRequire } from "node:module";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import type { ProfileName } from "../../src/index.js";
import { createCheckedFetch } from "./checked-fetch.js";
import { createCheck } from "./description.js";
import { createFixture } from "./fixture.js";
import { describe as describeService } from "./ways.js";

describe.each<ProfileName>(["documented", "xata"])("the description under %s", (profile) => {
  it("E-3: is OpenAPI 3.1", async () => {
    const description = await describeService(createFixture(profile));
    const validator = new Validator();
    const result = await validator.validate({ ...description });
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("E-3: has the version of the package", async () => {
    const description = await describeService(createFixture(profile));
    const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
    expect(description).toMatchObject({ info: { version } });
  });

  it("E-3: names each operation once, and no schema that it does not have", async () => {
    const description = await describeService(createFixture(profile));
    const operations = Object.values(description.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(operations).size).toBe(operations.length);
    const text = JSON.stringify(description);
    const { schemas } = (description as unknown as { components: { schemas: object } }).components;
    const used = new Set(Array.from(text.matchAll(/schemas\/(\w+)/g), ([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(schemas).sort());
  });

  it("E-3: has the names of the profile", async () => {
    const text = await (await createFetch(createFixture(profile))("http://x/openapi.json")).text();
    expect(text.includes('"xataBranch"')).toBe(profile === "xata");
    expect(text.includes('"serviceBranch"')).toBe(profile === "documented");
  });
});

describe("the check of answers against the description", () => {
  it("E-2: finds undescribed members", async () => {
    const check = createCheck(await describeService(createFixture()));
    const headers = { "x-request-id": "req_1", "content-type": "application/json" };
    const good = JSON.stringify({ status: "completed" });
    const path = "/workspaces/acme/dbs/shop";
    expect(check("DELETE", path, { status: 200, headers, text: good })).toBeNull();
    expect(check("DELETE", path, { status: 201, headers, text: good })).toContain("201");
    expect(check("DELETE", path, { status: 200, headers, text: '{"status":1}' })).not.toBeNull();
    expect(check("DELETE", path, { status: 404, headers, text: good })).not.toBeNull();
    expect(check("DELETE", path, { status: 200, headers: {}, text: good })).toContain("request-id");
    expect(check("DELETE", "/user", { status: 204, headers, text: good })).toContain("body");
  });

  it("E-2: finds it in answers to a client", async () => {
    const body = JSON.stringify({ status: "done" });
    const headers = { "x-request-id": "req_1", "content-type": "application/json" };
    const answers = [createFetch(createFixture()), async () => new Response(body, { headers })];
    const [good, bad] = await Promise.all(
      answers.map((fetch) => createCheckedFetch(createFixture(), fetch)),
    );
    const url = "http://localhost/workspaces/acme/dbs/shop?";
    for (const method of ["DELETE", "GET"]) await good!.fetch(url, { method });
    expect(good!.expectAsDescribed).not.toThrow();
    const answer = await bad!.fetch(url, { method: "DELETE" });
    expect(await answer.text()).toBe(body);
    expect(bad!.expectAsDescribed).toThrow("DELETE /workspaces/acme/dbs/shop");
  });
});

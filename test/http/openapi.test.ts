import { createRequire } from "node:module";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProfileName } from "../../src/index.js";
import { createFixture } from "./fixture.js";
import { describe as describeService } from "./ways.js";

describe.each<ProfileName>(["documented", "xata"])("the description under %s", (profile) => {
  let description: Awaited<ReturnType<typeof describeService>>;
  beforeAll(async () => {
    description = await describeService(createFixture(profile));
  });

  it("E-3: is OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...description });
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("E-3: has the version of the package", () => {
    const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
    expect(description).toMatchObject({ info: { version } });
  });

  it("E-3: names each operation once, and defines exactly the schemas that it uses", () => {
    const operations = Object.values(description.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(operations).size).toBe(operations.length);
    const text = JSON.stringify(description);
    const { schemas } = (description as unknown as { components: { schemas: object } }).components;
    const used = new Set(Array.from(text.matchAll(/schemas\/(\w+)/g), ([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(schemas).sort());
  });

  it("E-3: has the names of the profile", () => {
    const text = JSON.stringify(description);
    expect(text.includes('"xataBranch"')).toBe(profile === "xata");
    expect(text.includes('"serviceBranch"')).toBe(profile === "documented");
  });
});

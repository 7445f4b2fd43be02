import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/index.js";

const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
const users = main.createTable("users", [{ name: "name", type: "string" }]);

describe("a name of another library", () => {
  it.each([
    ["where", "did you mean filter?"],
    ["orderBy", "did you mean sort?"],
    ["sortedBy", "did you mean sort?"],
    ["include", 'did you mean columns: ["link.*"]?'],
    ["limit", "did you mean page: { size }?"],
    ["take", "did you mean page: { size }?"],
    ["skip", "did you mean page: { offset }?"],
  ])("%s in a query has a hint", (word, hint) => {
    expect(() => users.query(JSON.parse(`{ "${word}": 5 }`))).toThrow(hint);
  });

  it.each([
    ["number", "did you mean int or float?"],
    ["boolean", "did you mean bool?"],
    ["text[]", "did you mean multiple?"],
    ["timestamp", "did you mean datetime?"],
  ])("%s as a column type has a hint", (type, hint) => {
    const column = JSON.parse(`{ "name": "a", "type": "${type}" }`);
    expect(() => main.createTable("other", [column])).toThrow(hint);
  });

  it("has no hint where it has no counterpart", () => {
    expect(() => users.insert(JSON.parse('{ "limit": 5 }'))).not.toThrow("page");
  });
});

import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/index.js";

const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
const users = main.createTable("users", [{ name: "name", type: "string" }]);

describe("a word of another library", () => {
  it.each([
    ["where", "did you mean filter?"],
    ["orderBy", "did you mean sort?"],
    ["sortedBy", "did you mean sort?"],
    ["include", 'did you mean columns: ["link.*"]?'],
    ["limit", "did you mean page: { size }?"],
    ["take", "did you mean page: { size }?"],
    ["skip", "did you mean page: { offset }?"],
  ])("%s in a query is answered with what to write", (word, hint) => {
    expect(() => users.query(JSON.parse(`{ "${word}": 5 }`))).toThrow(hint);
  });

  it.each([
    ["number", "did you mean int or float?"],
    ["boolean", "did you mean bool?"],
    ["text[]", "did you mean multiple?"],
    ["timestamp", "did you mean datetime?"],
  ])("%s as a type is answered with the one to write", (type, hint) => {
    const column = JSON.parse(`{ "name": "a", "type": "${type}" }`);
    expect(() => main.createTable("other", [column])).toThrow(hint);
  });

  it("is taken for a mistyped one where nothing of that meaning is known", () => {
    expect(() => users.insert(JSON.parse('{ "limit": 5 }'))).not.toThrow("page");
  });
});

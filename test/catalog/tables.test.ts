import { describe, expect, it } from "vitest";
import { findBranch, findTable } from "../../src/catalog/find.js";
import type { CatalogState } from "../../src/catalog/state.js";
import {
  addTables,
  checkNewTable,
  listTables,
  removeTable as removeTableIn,
  renameTable as renameTableIn,
} from "../../src/catalog/tables.js";
import { PROFILES } from "../../src/profile.js";
import { compileSchema, describeSchema } from "../../src/schema/declare.js";
import { createTableVersion } from "../../src/storage/table.js";
import { AT, applied, createMaking, createShop, MAIN } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const making = createMaking();
const renameTable = applied(renameTableIn);
const removeTable = applied(removeTableIn);

function table(name: string) {
  return { ...MAIN, table: name };
}

/** Adds a table with one link column, `link`, where a target is given. */
function add(state: CatalogState, name: string, target?: string): CatalogState {
  const columns =
    target === undefined ? [] : [{ name: "link", type: "link", link: { table: target } }];
  const version = createTableVersion(`id-${name}`, compileSchema(columns, PROFILES.documented));
  return applied(addTables)(state, MAIN, new Map([[name, making.addTable(version)]]), {
    createdAt: AT,
    operations: [],
  });
}

function targetOf(state: CatalogState, name: string): string | undefined {
  const [column] = describeSchema(making.tableAt(findTable(state, table(name))).schema);
  return column?.link?.table;
}

describe("checkNewTable", () => {
  const state = add(createShop(), "teams");

  it("M-1: refuses a taken name", () => {
    expectRefusal(() => checkNewTable(state, table("teams")), {
      code: "table_exists",
      status: 422,
      rule: "M-1",
    });
  });

  it("N-1: refuses a bad name; N-6: takes another case", () => {
    expectRefusal(() => checkNewTable(state, table("a.b")), { code: "invalid_name" });
    expect(() => checkNewTable(state, table("Teams"))).not.toThrow();
  });
});

describe("listTables", () => {
  it("gives the order they were made in, whatever they are called", () => {
    const names = ["b", "10", "2", "__proto__", "constructor", "a"];
    const state = names.reduce((before, name) => add(before, name), createShop());
    expect(listTables(state, MAIN)).toEqual(names.map((name) => ({ name })));
  });
});

describe("renameTable", () => {
  const state = ["teams", "users", "notes"].reduce(
    (before, name) => add(before, name, name === "notes" ? "elsewhere" : "teams"),
    createShop(),
  );
  const renamed = renameTable(state, table("teams"), "squads", making);

  it("M-3: keeps identity and place", () => {
    expect(listTables(renamed, MAIN).map(({ name }) => name)).toEqual(["squads", "users", "notes"]);
    expect(making.tableAt(findTable(renamed, table("squads"))).identity).toBe("id-teams");
    expectRefusal(() => findTable(renamed, table("teams")), { code: "table_not_found" });
  });

  it("T-17: links to it follow, its own too", () => {
    expect(targetOf(renamed, "users")).toBe("squads");
    expect(targetOf(renamed, "squads")).toBe("squads");
    expect(targetOf(renamed, "notes")).toBe("elsewhere");
  });

  it("M-3: every table keeps its key", () => {
    for (const [after, before] of [
      ["squads", "teams"],
      ["notes", "notes"],
    ] as const) {
      expect(findTable(renamed, table(after))).toBe(findTable(state, table(before)));
    }
  });

  it("M-3: refuses a taken, a bad and a missing name", () => {
    expectRefusal(() => renameTable(state, table("teams"), "users", making), {
      code: "table_exists",
      status: 422,
      path: "/name",
      rule: "M-3",
    });
    expectRefusal(() => renameTable(state, table("teams"), "teams", making), {
      code: "table_exists",
    });
    expectRefusal(() => renameTable(state, table("teams"), undefined, making), {
      code: "invalid_name",
      status: 400,
      path: "/name",
    });
    expectRefusal(() => renameTable(state, table("nope"), "users", making), {
      code: "table_not_found",
      status: 404,
    });
  });
});

describe("removeTable", () => {
  it("M-2: takes it away; T-17: links to it stay", () => {
    const state = add(add(createShop(), "teams"), "users", "teams");
    const removed = removeTable(state, table("teams"), making);
    expect([...findBranch(removed, MAIN).tables.keys()]).toEqual(["users"]);
    expect(targetOf(removed, "users")).toBe("teams");
    expectRefusal(() => removeTable(removed, table("teams"), making), { code: "table_not_found" });
  });
});

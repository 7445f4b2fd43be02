import { describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { exportEngine, importEngine, importInto } from "../../src/export.js";
import { copyRecords } from "../../src/history.js";
import { type AnyBranch, type AnyEngine, createEngine } from "../../src/index.js";
import { createDouble } from "../../src/testing.js";
import { refused } from "./fixture.js";

const CHECKED = { links: "checked" } as const;

function open(profile: { readonly links?: "free" | "checked" } = CHECKED): {
  engine: AnyEngine;
  branch: AnyBranch;
} {
  const engine = createEngine({ profile, seed: 1, now: 0 });
  const branch: AnyBranch = engine.createWorkspace("w").createDatabase("d").branch("main");
  branch.createTables({
    teams: [{ name: "name", type: "string" }],
    people: [
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "boss", type: "link", link: { table: "people" } },
      {
        name: "at",
        type: "object",
        columns: [{ name: "club", type: "link", link: { table: "teams" } }],
      },
    ],
  });
  branch.table("teams").insert([{ id: "red" }, { id: "blue" }]);
  branch.table("people").insert([
    { id: "ada", team: "red" },
    { id: "bob", team: "blue", boss: "ada", at: { club: "red" } },
  ]);
  return { engine, branch };
}

describe("checked links", () => {
  it("T-18: unlinked records are reported in storage order, whatever indexes exist", () => {
    const report = (indexes: "always" | "never"): string[] => {
      const engine = createEngine({ profile: CHECKED, indexes, seed: 1, now: 0 });
      const people = engine
        .createWorkspace("w")
        .createDatabase("d")
        .branch("main")
        .createTable("people", [{ name: "boss", type: "link", link: { table: "people" } }]);
      people.insert([{ id: "ada" }, { id: "bob" }, { id: "cyd", boss: "ada" }]);
      people.query({ filter: { boss: "ada" } });
      people.update("bob", { boss: "ada" });
      const ids: string[] = [];
      subscribe(engine, (changes) => {
        for (const each of changes) if (each.kind === "record_updated") ids.push(each.after.id);
      });
      people.delete("ada");
      return ids;
    };
    expect([report("always"), report("never")]).toEqual([
      ["bob", "cyd"],
      ["bob", "cyd"],
    ]);
  });

  it("T-18: the profile's field decides, and can be set alone", () => {
    expect(createEngine().profile.links).toBe("free");
    expect(createEngine({ profile: "xata" }).profile.links).toBe("checked");
    expect(createEngine({ profile: CHECKED }).profile).toMatchObject({
      base: "documented",
      ...CHECKED,
    });
    expect(() => createEngine({ profile: { links: "some" as never } })).toThrow("links");
    open({ links: "free" }).branch.table("people").insert({ team: "nobody" });
  });

  it("T-17, T-18: a column that gets another target writes its links", () => {
    const { branch } = open();
    branch.createTable("clubs", []);
    const columns = branch
      .table("people")
      .schema()
      .columns.map((column) =>
        column.name === "team" ? { ...column, link: { table: "clubs" } } : column,
      );
    const change = (): void => branch.table("people").setSchema({ columns });
    expect(refused(change)).toMatchObject({ code: "invalid_record", rule: "T-18" });
    branch.table("clubs").insert([{ id: "red" }, { id: "blue" }]);
    change();
    expect(branch.table("people").query({ filter: { "team.id": "red" } }).records).toHaveLength(1);
  });

  it("K-4: a copy with a limit drops links to records that are not copied", () => {
    const { engine, branch } = open();
    const copy = engine
      .workspace("w")
      .database("d")
      .createBranch("copy", { from: "main", data: false });
    copyRecords(branch, copy, 1);
    const read = (): unknown[] => copy.table("people").query().records;
    expect(read()).toEqual([
      {
        id: "ada",
        service: { version: 0, createdAt: expect.anything(), updatedAt: expect.anything() },
      },
    ]); // team red comes after blue
    copyRecords(branch, copy);
    expect(read()).toMatchObject([
      { id: "ada", team: { id: "red" } },
      { id: "bob", at: { club: { id: "red" } } },
    ]);
  });

  it("T-18: an export or snapshot of free links that do not hold is refused", () => {
    const { engine, branch } = open({ links: "free" });
    const own = createEngine({ profile: CHECKED, seed: 1, now: 0 });
    importInto(own, [...exportEngine(engine)]);
    own.restore(engine.snapshot());
    branch.table("people").update("bob", { at: { club: "nobody" } });
    const text = [...exportEngine(engine)].join("");
    const line = text.split("\n").findIndex((each) => each.includes('"nobody"')) + 1;
    const { message } = refused(() => importInto(own, text));
    expect(message).toContain(`line ${line}`);
    expect(message).toContain('record [bob]: column [at.club] links to "nobody"');
    expect(refused(() => own.restore(engine.snapshot()))).toMatchObject({ rule: "T-18" });
    importInto(createEngine(), text);
  });

  it("T-17, T-18: links that dangle since their table was made again survive an export", () => {
    const { engine, branch } = open();
    branch.deleteTable("teams");
    branch.createTable("teams", []);
    const copy = importEngine([...exportEngine(engine)]);
    const people = copy.workspace("w").database("d").branch("main").table("people");
    expect(people.get("ada")).toMatchObject({ team: { id: "red" } });
    expect(refused(() => people.update("ada", { team: "red" })).rule).toBe("T-18");
    importInto(copy, [...exportEngine(engine)]);
  });

  it("T-18: records of a double link to each other in any order", () => {
    const schema = {
      people: [{ name: "team", type: "link", link: { table: "teams" } }],
      teams: [{ name: "lead", type: "link", link: { table: "people" } }],
    } as const;
    const records = { people: [{ id: "ada", team: "red" }], teams: [{ id: "red", lead: "ada" }] };
    for (const order of [records, { teams: records.teams, people: records.people }]) {
      const double = createDouble({ schema, records: order });
      expect(
        double.tables.people.query({ filter: { "team.lead.id": "ada" } }).records,
      ).toHaveLength(1);
    }
    const wrong = { people: [{ id: "ada", team: "nobody" }] };
    expect(refused(() => createDouble({ schema, records: wrong })).rule).toBe("T-18");
  });
});

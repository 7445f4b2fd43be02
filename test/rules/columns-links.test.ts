import { describe, expect, it } from "vitest";
import { ALL_OF_ANN, META, openPlayers as open, select } from "./players.js";

describe("columns of links", () => {
  it("P-5: paths go on through further links and objects", () => {
    const { players } = open();
    expect(select(players, ["team.owner.name", "home.club.label", "team.owner.home.city"])).toEqual(
      {
        id: "ann",
        team: {
          id: "red",
          owner: { id: "ann", name: "Ann", home: { city: "X" }, service: META },
          service: META,
        },
        home: { club: { id: "blue", label: "Blue", service: META } },
        service: META,
      },
    );
    expect(select(players, ["team.owner.*"])).toStrictEqual({
      id: "ann",
      team: { id: "red", owner: ALL_OF_ANN, service: META },
      service: META,
    });
    const deep = select(players, [`${"team.owner.".repeat(8)}name`]);
    expect(JSON.stringify(deep).match(/"name":"Ann"/g)).toHaveLength(1);
  });

  it("P-6: under xata a bare link reached through a link gives all of that record", () => {
    const { players } = open("xata");
    const { service, ...ann } = ALL_OF_ANN;
    expect(service).toBe(META);
    expect(select(players, ["team.owner"])).toStrictEqual({
      id: "ann",
      team: { id: "red", owner: { ...ann, xata: META }, xata: META },
      xata: META,
    });
    expect(select(players, ["team", "home.club"])).toStrictEqual({
      id: "ann",
      team: { id: "red" },
      home: { club: { id: "blue" } },
      xata: META,
    });
    expect(select(players, ["team.*"])).toHaveProperty("team.owner", { id: "ann" });
  });

  it("T-17, P-6: under xata such a link gives its id while its table does not exist", () => {
    const { branch, players } = open("xata");
    branch.table("teams").addColumn({ name: "cup", type: "link", link: { table: "cups" } });
    branch.table("teams").update("red", { cup: "c" });
    const service = { ...META, version: 1 };
    expect(select(players, ["team.cup"])).toStrictEqual({
      id: "ann",
      team: { id: "red", cup: { id: "c" }, xata: service },
      xata: META,
    });
  });

  it("P-7: a null link is left out, a dangling one gives its id", () => {
    const { players } = open();
    for (const column of ["team", "team.label", "team.*", "team.owner.name"]) {
      expect(select(players, [column], "cat")).toStrictEqual({ id: "cat", service: META });
      expect(select(players, [column], "bob")).toStrictEqual({
        id: "bob",
        team: { id: "lost" },
        service: META,
      });
    }
    expect(select(players, ["home.club.owner.name"])).toHaveProperty("home.club.owner", {
      id: "gone",
    });
  });
});

import { describe, expect, it } from "vitest";
import { TwinbaseError } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { openBranch, openTable, refused } from "./fixture.js";

const COLUMNS = defineColumns({ n: "int", s: "string" });

describe("errors", () => {
  it("E-1: have one class with code, status, message, path and rule", () => {
    const table = openTable(COLUMNS);
    const error = refused(() => table.query({ filter: { $any: [{ n: 1 }, { n: { $gt: "x" } }] } }));
    expect(error).toBeInstanceOf(TwinbaseError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("TwinbaseError");
    expect(error).toMatchObject({
      code: "invalid_filter",
      status: 400,
      message: expect.stringContaining("[n]"),
      path: "/filter/$any/1/n/$gt",
      rule: "F-16",
    });
  });

  it("E-6: the table's existence before the shape of the request", () => {
    const main = openBranch();
    const gone = main.createTable("gone");
    main.deleteTable("gone");
    expect(refused(() => gone.query({ nope: 1 })).code).toBe("table_not_found");
  });
});

import { describe, expect, it } from "vitest";
import { DisconnectedError, failureOf, refuseByServer } from "../../src/postgres/failure.js";
import { refuseStatement } from "../../src/postgres/statements/failure.js";

/** An error of the package `pg`. */
function said(code: string, message = "", more: object = {}): Error {
  return Object.assign(new Error(message), { code, severity: "ERROR", ...more });
}

describe("errors of statements", () => {
  it.each([
    [
      "a prepared statement with outdated columns",
      said("0A000", "", { routine: "RevalidateCachedQuery" }),
      "stale",
    ],
    ["an unsupported feature", said("0A000", "cannot do that"), undefined],
    [
      "a lost worker",
      said("XX000", "failure on connection marked as essential: a:1"),
      "unavailable",
    ],
    ["another internal error", said("XX000", "tuple concurrently updated"), undefined],
    ["a missing table", said("42P01"), "stale"],
    ["a duplicate value", said("23505"), "conflict"],
    ["a cancelled statement", said("57014"), "unavailable"],
  ])("are classified: %s", (_, error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });

  it("name a feature that the server lacks, without the path of its table", () => {
    expect(() => refuseByServer(said("0A000", "cannot lock tb_1.t2 so"))).toThrow(
      expect.objectContaining({
        code: "not_implemented",
        status: 501,
        message: "PostgreSQL: cannot lock a table so",
      }),
    );
  });

  it("L-10: are query_timeout if a statement cannot be interrupted", async () => {
    const late = new DisconnectedError(new Error("Query read timeout"));
    await expect(refuseStatement("/statement", () => Promise.reject(late))).rejects.toMatchObject({
      code: "query_timeout",
      status: 408,
    });
    const gone = new DisconnectedError(new Error("read ECONNRESET"));
    await expect(refuseStatement("/statement", () => Promise.reject(gone))).rejects.toBe(gone);
  });
});

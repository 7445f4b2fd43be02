import { describe, expect, it } from "vitest";
import { DisconnectedError, failureOf, refuseByServer } from "../../src/postgres/failure.js";
import { refuseStatement } from "../../src/postgres/statements/failure.js";

/** An error as the package gives what a server says. */
function said(code: string, message = "", more: object = {}): Error {
  return Object.assign(new Error(message), { code, severity: "ERROR", ...more });
}

describe("errors of statements", () => {
  it.each([
    [
      "a prepared statement of other columns",
      said("0A000", "", { routine: "RevalidateCachedQuery" }),
      "stale",
    ],
    ["what the server does not support", said("0A000", "cannot do that"), undefined],
    [
      "a worker that is lost",
      said("XX000", "failure on connection marked as essential: a:1"),
      "unavailable",
    ],
    [
      "another failure inside of the server",
      said("XX000", "tuple concurrently updated"),
      undefined,
    ],
    ["a table that is gone", said("42P01"), "stale"],
    ["a value that is taken", said("23505"), "conflict"],
    ["a statement that took too long", said("57014"), "unavailable"],
  ])("%s", (_, error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });

  it("reports features the server lacks with the reason and without a path", () => {
    expect(() => refuseByServer(said("0A000", "cannot lock tb_1.t2 so"))).toThrow(
      expect.objectContaining({
        code: "not_implemented",
        status: 501,
        message: "PostgreSQL: cannot lock a table so",
      }),
    );
  });

  it("L-10: a statement of SQL that nothing interrupts took too long", async () => {
    const late = new DisconnectedError(new Error("Query read timeout"));
    await expect(refuseStatement("/statement", () => Promise.reject(late))).rejects.toMatchObject({
      code: "query_timeout",
      status: 408,
    });
    const gone = new DisconnectedError(new Error("read ECONNRESET"));
    await expect(refuseStatement("/statement", () => Promise.reject(gone))).rejects.toBe(gone);
  });
});

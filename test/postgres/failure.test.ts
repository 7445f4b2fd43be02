import { describe, expect, it } from "vitest";
import { withLog } from "../../src/cli/request-log.js";
import { TwinbaseError } from "../../src/errors.js";
import { answerError } from "../../src/http/answer.js";
import { createJournal } from "../../src/http.js";
import {
  DisconnectedError,
  failureOf,
  refuseByServer,
  refuseOpening,
} from "../../src/postgres/failure.js";
import { retry } from "../../src/postgres/retry.js";
import { refuseFailure } from "../../src/postgres/statements/failure.js";
import { openPostgres, type PostgresOptions, type PostgresTarget } from "../../src/postgres.js";
import { PROFILES } from "../../src/profile.js";

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
    ["a worker lost by a coordinator", said("XX000", "SSL SYSCALL error: EOF"), "unavailable"],
    ["a server that shuts down", said("57P01"), "unavailable"],
    ["an unreadable file", said("58030"), "unavailable"],
    ["a missing table", said("42P01"), "stale"],
    ["a duplicate value", said("23505"), "conflict"],
    ["a cancelled statement", said("57014"), "unavailable"],
    ["a refused login", said("28P01"), "unavailable"],
    ["a dropped database", said("3D000"), "unavailable"],
    ["a transaction that was idle for too long", said("25P03"), "unavailable"],
    ["a commit of unknown outcome", said("40003"), "unavailable"],
    ["a node that is replaced", said("55000"), "conflict"],
    ["a role that another process created", said("42710"), "conflict"],
    ["a value that a type cannot have", said("22P02"), undefined],
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

  it("are logged with the worker and the server's message, which the client does not get", async () => {
    const lost = said("08006", "connection to the remote node failed", {
      where: "while executing command on worker:5432",
    });
    const refused: unknown = await retry(() => Promise.reject(lost)).catch((error) => error);
    const logged = (format: "text" | "json", error: unknown): string[] => {
      const lines: string[] = [];
      const journal = withLog(createJournal(), format, (line) => void lines.push(line));
      const answer = answerError("1", error, PROFILES.documented);
      expect(answer.body).not.toMatch(/remote|worker|stack/);
      const call = { method: "GET", path: "/" } as Parameters<typeof journal.add>[0];
      journal.add(call, undefined, answer, 1);
      return lines;
    };
    expect(JSON.parse(logged("json", refused)[0] ?? "")).toMatchObject({
      status: 503,
      reason: "the database does not answer",
      cause: "connection to the remote node failed",
      sqlState: "08006",
      worker: "worker:5432",
    });
    expect(logged("text", refused)).toEqual([
      "GET / → 503 in 1 ms: the database does not answer; database: connection to the remote node failed (08006, worker:5432)",
    ]);
    const bug = new TypeError("x is undefined");
    expect(JSON.parse(logged("json", bug)[0] ?? "")).toMatchObject({
      status: 500,
      stack: bug.stack,
    });
    expect(logged("text", bug).slice(1)).toEqual(bug.stack?.split("\n"));
  });

  it("L-10: are query_timeout if a statement cannot be interrupted", async () => {
    const late = new DisconnectedError(new Error("Query read timeout"));
    await expect(refuseFailure("/statement", () => Promise.reject(late))).rejects.toMatchObject({
      code: "query_timeout",
      status: 408,
    });
    const gone = new DisconnectedError(new Error("read ECONNRESET"));
    await expect(refuseFailure("/statement", () => Promise.reject(gone))).rejects.toBe(gone);
  });
});

describe("a database that cannot be opened", () => {
  const refused = said("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1");
  const silent = new TwinbaseError("unavailable", "silent", {
    cause: new DisconnectedError(new AggregateError([refused])),
  });
  it.each([
    ["the network", silent, "connect ECONNREFUSED 127.0.0.1:1"],
    ["the server", said("3D000", "no database"), "no database"],
  ])("is unavailable, with the reason of %s", (_, error, reason) => {
    expect(() => refuseOpening(error)).toThrow(
      expect.objectContaining({
        code: "unavailable",
        message: `cannot open the database: ${reason}`,
        cause: error,
      }),
    );
  });

  it.each([
    ["a refusal", new TwinbaseError("invalid_request", "another profile")],
    ["a bug", new TypeError("x is undefined")],
  ])("keeps the error of %s", (_, error) => {
    expect(() => refuseOpening(error)).toThrow(error);
  });

  it.each([
    ["pglite:x", "target: expected an address that begins with postgres://"],
    ["", "target: expected an address that begins with postgres://"],
    [3, "target: expected an object, found 3"],
    [undefined, "target: expected an object, found null"],
    [{ pglit: "x" }, 'target: unknown key "pglit"; did you mean pglite?'],
    [{ pglite: "" }, 'pglite: expected a folder, or true, found ""'],
    [{}, "pglite: expected a folder, or true, found nothing"],
  ])("E-3: has an address or a folder, not %j", async (target, message) => {
    const opened = openPostgres(target as PostgresTarget);
    await expect(opened).rejects.toMatchObject({ code: "invalid_request", message });
  });

  it.each([
    [{ connections: 0 }, "/connections"],
    [{ connections: "5" }, "/connections"],
    [{ statementTimeout: 2 ** 31 }, "/statementTimeout"],
    [{ indexes: "always" }, "/indexes"],
  ])("E-3: has options that are valid, not %j", async (options, path) => {
    const opened = openPostgres({ pglite: true }, options as PostgresOptions);
    await expect(opened).rejects.toMatchObject({ code: "invalid_request", path, rule: "E-3" });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isLinearizable,
  minimizeHistory,
  type Operation,
} from "../../src/conformance/concurrent/linearize.js";
import {
  type Act,
  describeRecord,
  RECORD_MODEL,
  type RecordInput,
  TRANSACTION_MODEL,
  UNIQUE_MODEL,
} from "../../src/conformance/concurrent/models.js";
import { runs, seed } from "../generated.js";

type Op = Operation<RecordInput>;

/** An operation: input, answer, and the times when it was sent and answered. */
function op(input: RecordInput, output: string | undefined, sent: number, answered: number): Op {
  return { client: 1, input, output, sent, answered };
}

const put = (value: number): RecordInput => ({ kind: "put", value, createOnly: false });
const patch = (value: number, ifVersion?: number): RecordInput => ({
  kind: "patch",
  value,
  ifVersion,
});
const GET: RecordInput = { kind: "get" };
const seen = (version: number, value: number): string => describeRecord({ version, value });

describe("X-1: isLinearizable, for a history of a record", () => {
  it.each<[string, boolean, readonly Op[]]>([
    ["no operations", true, []],
    ["a read of a missing record", true, [op(GET, "no record", 1, 2)]],
    [
      "a read of a value written later",
      false,
      [op(GET, seen(0, 7), 1, 2), op(put(7), seen(0, 7), 3, 4)],
    ],
    [
      "a read of a value being written",
      true,
      [op(GET, seen(0, 7), 1, 4), op(put(7), seen(0, 7), 2, 3)],
    ],
    ["a stale read", false, [op(put(7), seen(0, 7), 1, 2), op(GET, "no record", 3, 4)]],
    [
      "an old read beside a write",
      true,
      [op(put(7), seen(0, 7), 1, 4), op(GET, "no record", 2, 3)],
    ],
    [
      "a read of an older version after a newer one",
      false,
      [op(put(7), seen(0, 7), 1, 6), op(GET, seen(0, 7), 2, 3), op(GET, "no record", 4, 5)],
    ],
    [
      "two updates of one version",
      false,
      [
        op(put(7), seen(0, 7), 1, 2),
        op(patch(8, 0), seen(1, 8), 3, 5),
        op(patch(9, 0), seen(2, 9), 4, 6),
      ],
    ],
    [
      "two updates of one version, one refused",
      true,
      [
        op(put(7), seen(0, 7), 1, 2),
        op(patch(8, 0), "refused", 3, 5),
        op(patch(9, 0), seen(1, 9), 4, 6),
      ],
    ],
    [
      "an unanswered write with an effect",
      true,
      [op(put(7), undefined, 1, Number.POSITIVE_INFINITY), op(GET, seen(0, 7), 5, 6)],
    ],
    [
      "an unanswered write without an effect",
      true,
      [op(put(7), undefined, 1, Number.POSITIVE_INFINITY), op(GET, "no record", 5, 6)],
    ],
    [
      "an unanswered write whose effect disappears",
      false,
      [
        op(put(7), undefined, 1, Number.POSITIVE_INFINITY),
        op(GET, seen(0, 7), 5, 6),
        op(GET, "no record", 7, 8),
      ],
    ],
  ])("with %s, is %j", (_, expected, history) => {
    expect(isLinearizable(RECORD_MODEL, history)).toBe(expected);
  });

  it("is undefined after the time limit", () => {
    const writes = Array.from({ length: 12 }, (_, i) => op(patch(i), "no record", i, 100 + i));
    const history = [...writes, op(GET, seen(3, 3), 50, 99)];
    expect(isLinearizable(RECORD_MODEL, history, 100)).toBeUndefined();
    expect(isLinearizable(RECORD_MODEL, history)).toBe(false);
  });

  /** Short histories, most of them nearly linearizable: answers of one order, times of another. */
  const historyArbitrary: fc.Arbitrary<Op[]> = fc
    .array(
      fc.record({
        input: fc.oneof<fc.Arbitrary<RecordInput>[]>(
          fc.constant(GET),
          fc.constant<RecordInput>({ kind: "delete" }),
          fc.constant<RecordInput>({ kind: "increment" }),
          fc.integer({ min: 1, max: 3 }).map(put),
          fc.tuple(fc.integer({ min: 4, max: 6 }), fc.nat({ max: 2 })).map(([a, b]) => patch(a, b)),
        ),
        shift: fc.integer({ min: 0, max: 9 }),
        length: fc.integer({ min: 1, max: 4 }),
        isLost: fc.nat({ max: 9 }).map((n) => n === 0),
      }),
      { maxLength: 6 },
    )
    .map((given) => {
      let state = RECORD_MODEL.initial;
      return given.map(({ input, shift, length, isLost }, i) => {
        const next = RECORD_MODEL.apply(state, input);
        state = next.state;
        const sent = 2 * i - shift + i / 100;
        return isLost
          ? op(input, undefined, sent, Number.POSITIVE_INFINITY)
          : op(input, next.output, sent, sent + length);
      });
    });

  it("equals a search through all orders", () => {
    let wrong = 0;
    const property = fc.property(historyArbitrary, (history) => {
      const expected = tryOrders(history, RECORD_MODEL.initial);
      expect(isLinearizable(RECORD_MODEL, history)).toBe(expected);
      wrong += Number(!expected);
    });
    fc.assert(property, { numRuns: Math.ceil(2000 * runs), seed });
    expect(wrong).toBeGreaterThan(0);
  });

  it("is false for the minimized history", () => {
    const property = fc.property(historyArbitrary, (history) => {
      fc.pre(isLinearizable(RECORD_MODEL, history) === false);
      const least = minimizeHistory(RECORD_MODEL, history);
      expect(isLinearizable(RECORD_MODEL, least)).toBe(false);
      expect(least.length).toBeLessThanOrEqual(history.length);
      const others = history.filter((each) => !least.includes(each)).map(forget);
      expect(isLinearizable(RECORD_MODEL, [...least, ...others])).toBe(false);
      for (const each of least) {
        const rest = least.filter((other) => other !== each);
        expect(isLinearizable(RECORD_MODEL, [...rest, ...others, forget(each)])).not.toBe(false);
      }
    });
    fc.assert(property, { numRuns: Math.ceil(300 * runs), seed });
  });
});

function forget(operation: Op): Op {
  return { ...operation, output: undefined, answered: Number.POSITIVE_INFINITY };
}

/** Tries every order that the times allow, with and without each unanswered operation. */
function tryOrders(left: readonly Op[], state: typeof RECORD_MODEL.initial): boolean {
  if (left.every(({ output }) => output === undefined)) return true;
  return left.some((operation) => {
    const rest = left.filter((other) => other !== operation);
    if (rest.some(({ answered }) => answered < operation.sent)) return false;
    const next = RECORD_MODEL.apply(state, operation.input);
    if (operation.output !== undefined && operation.output !== next.output) return false;
    return tryOrders(rest, next.state);
  });
}

describe("T-16: a unique value in a history", () => {
  const insert = (id: string, output: string, sent: number, answered: number) =>
    ({ client: 1, input: { kind: "insert", id }, output, sent, answered }) as const;
  const remove = (id: string, sent: number, answered: number) =>
    ({ client: 1, input: { kind: "delete", id }, output: "deleted", sent, answered }) as const;

  it.each([
    ["is taken once", true, [insert("a", "inserted", 1, 3), insert("b", "refused", 2, 4)]],
    ["is not taken twice", false, [insert("a", "inserted", 1, 3), insert("b", "inserted", 2, 4)]],
    [
      "is not refused before it is taken",
      false,
      [insert("a", "refused", 1, 2), insert("b", "inserted", 3, 4)],
    ],
    [
      "is free after a deletion",
      true,
      [insert("a", "inserted", 1, 2), remove("a", 3, 5), insert("b", "inserted", 4, 6)],
    ],
  ])("%s", (_, expected, history) => {
    expect(isLinearizable(UNIQUE_MODEL, history)).toBe(expected);
  });
});

/** Parses a transaction: `r x0=1` reads version 0 of x, `w x1=2` writes version 1. */
function transaction(text: string, sent = 1, answered = 100): Operation<Act[]> {
  const accesses = [...text.matchAll(/([rw]) (\w)(\d+)=(\d+)/g)];
  const input = accesses.map(
    ([, letter, key = "", , value]): Act =>
      letter === "r" ? { kind: "get", key } : { kind: "update", key, value: Number(value) },
  );
  const outputs = accesses.map(
    ([, , key, version, value]) => `${key}: ${seen(+version!, +value!)}`,
  );
  if (text.startsWith("lost")) return { client: 1, input, output: undefined, sent, answered: 1e9 };
  const isRefused = text.startsWith("refused");
  if (isRefused) input.push({ kind: "fail" });
  return { client: 1, input, output: isRefused ? "refused" : outputs.join("; "), sent, answered };
}

describe("X-3: concurrent transactions", () => {
  it.each<[string, boolean, readonly string[]]>([
    ["nothing wrong", true, ["r x0=0 r y0=0", "w x1=1 w y1=2"]],
    ["nothing wrong", true, ["r x1=1 r y1=2", "w x1=1 w y1=2"]],
    ["nothing wrong", true, ["refused w x1=1", "r x0=0"]],
    ["a dirty read", false, ["refused w x1=1", "r x1=1"]],
    ["a torn transaction", false, ["w x1=1 w x2=2", "r x1=1"]],
    ["a lost update", false, ["w x1=1", "w x1=2"]],
    ["two values of a version", false, ["w x1=1", "r x1=3"]],
    ["two values of the first version", false, ["r x0=0", "r x0=3"]],
    ["mixed writes", false, ["w x1=1 w y2=2", "w x2=3 w y1=4"]],
    ["a circular read", false, ["w x1=1 r y1=2", "w y1=2 r x1=1"]],
    ["a torn transaction", false, ["w x1=1 w y1=2", "r x1=1 r y0=0"]],
    ["write skew", false, ["r x0=0 w y1=1", "r y0=0 w x1=2"]],
    ["a torn lost transaction", false, ["lost w x0=1 w y0=2", "r x1=1 r y0=0", "r y1=2"]],
    ["an applied lost transaction", true, ["lost w x0=1 w y0=2", "r x0=0 r y0=0", "r x1=1 r y1=2"]],
  ])("show %s, %j, in %j", (_, expected, texts) => {
    const history = texts.map((text) => transaction(text));
    expect(isLinearizable(TRANSACTION_MODEL, history)).toBe(expected);
  });

  it("show a stale read by their times", () => {
    const [write, stale] = [transaction("w x1=1", 1, 2), transaction("r x0=0", 3, 4)];
    expect(isLinearizable(TRANSACTION_MODEL, [write, stale])).toBe(false);
    expect(isLinearizable(TRANSACTION_MODEL, [{ ...write, answered: 4 }, stale])).toBe(true);
  });

  it("show nothing wrong in a serial order", () => {
    const keys = ["x", "y", "z"];
    const step = fc.record({
      reads: fc.subarray(keys),
      writes: fc.subarray(keys),
      end: fc.constantFrom("committed", "committed", "unknown", "refused"),
      before: fc.nat({ max: 5 }),
      after: fc.nat({ max: 5 }),
    });
    const property = fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let state = TRANSACTION_MODEL.initial;
      const history = steps.map(({ reads, writes, end, before, after }, i): Operation<Act[]> => {
        const input: Act[] = [
          ...reads.map((key) => ({ kind: "get", key }) as const),
          ...writes.map((key) => ({ kind: "update", key, value: 10 * i + 1 }) as const),
          ...(end === "refused" ? [{ kind: "fail" } as const] : []),
        ];
        const next = TRANSACTION_MODEL.apply(state, input);
        state = next.state;
        const sent = 10 * i - 10 * before;
        if (end === "unknown") return { client: i, input, output: undefined, sent, answered: 1e9 };
        return { client: i, input, output: next.output, sent, answered: 10 * i + 10 * after + 1 };
      });
      expect(isLinearizable(TRANSACTION_MODEL, history)).toBe(true);
    });
    fc.assert(property, { numRuns: Math.ceil(500 * runs), seed });
  });
});

import { readPointer } from "../../errors.js";
import { choose, chooseWeighted } from "../arbitraries/choice.js";
import type { WireRequest } from "../target/connection.js";
import {
  type Client,
  type Exchange,
  LAST_STEP,
  type Round,
  renderHistory,
  runClients,
} from "./clients.js";
import type { RoundOutcome } from "./rounds.js";
import { type Access, findAnomaly, type Transaction } from "./transactions.js";

type Act =
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "update"; readonly key: string; readonly value: number }
  | { readonly kind: "fail" };

interface PlayedTransaction extends Transaction {
  readonly exchange: Exchange;
}

export async function runTransactionRound(round: Round): Promise<RoundOutcome> {
  const { connection, database, name } = round;
  const keys = ["a", "b", "c"].map((key) => `${name}${key}`);
  const address = `/db/${database}:main/`;
  const records = keys.map((id) => ({ id, value: 0 }));
  await connection.send({
    method: "POST",
    path: `${address}tables/records/bulk`,
    body: { records },
  });
  const history: PlayedTransaction[] = [];
  await runClients(round, async (client, seed) => {
    const acts = seed === LAST_STEP ? keys.map(get) : chooseActs(client, seed, keys);
    const meta = connection.profile.metadataColumn;
    const exchange = await client.send(transactionRequest(address, acts, meta));
    history.push(readTransaction(exchange, acts, meta));
  });
  const anomaly = findAnomaly(history);
  if (anomaly !== undefined) {
    const shown = anomaly.transactions.map((each) => {
      const { exchange } = each as PlayedTransaction; // those of the history, or copies of them
      return { ...exchange, answer: describeTransaction(each) };
    });
    return { message: anomaly.message, history: renderHistory(shown) };
  }
  const unknown = history.filter(({ end }) => end === "unknown").length;
  return unknown * 2 > history.length ? "unclear" : "held";
}

function get(key: string): Act {
  return { kind: "get", key };
}

/** Chooses a form of transaction; a comment names the anomaly that it can show. */
function chooseActs(client: Client, seed: number, keys: readonly string[]): Act[] {
  const one = choose(seed, "one", keys);
  const other = choose(
    seed,
    "other",
    keys.filter((key) => key !== one),
  );
  const set = (key: string): Act => ({ kind: "update", key, value: client.nextValue() });
  const forms: { readonly [form in keyof typeof FORMS]: () => Act[] } = {
    readOne: () => [get(one)],
    readTwo: () => [get(one), get(other)],
    writeTwo: () => [set(one), set(other)],
    writeTwice: () => [set(one), set(one)],
    readThenWrite: () => [get(one), set(other)],
    refused: () => [set(one), set(other), { kind: "fail" }],
  };
  return forms[chooseWeighted(seed, "form", FORMS)]();
}

const FORMS = {
  readOne: 2,
  readTwo: 4,
  writeTwo: 3,
  writeTwice: 1,
  readThenWrite: 2,
  refused: 2,
} as const;

function transactionRequest(address: string, acts: readonly Act[], meta: string): WireRequest {
  const table = "records";
  const columns = ["value", meta];
  const operations = acts.map((act) => {
    if (act.kind === "fail") return { delete: { table, id: "missing", failIfMissing: true } };
    const { key: id } = act;
    return act.kind === "get"
      ? { get: { table, id, columns } }
      : { update: { table, id, fields: { value: act.value }, columns } };
  });
  return { method: "POST", path: `${address}transaction`, body: { operations } };
}

function readTransaction(
  exchange: Exchange,
  acts: readonly Act[],
  meta: string,
): PlayedTransaction {
  const { response } = exchange;
  const accesses = acts.map((act, i): Access | undefined => {
    if (act.kind === "fail") return undefined;
    const columns = `/results/${i}/columns`;
    const version = Number(readPointer(response?.body, `${columns}/${meta}/version`) ?? -1);
    const value =
      act.kind === "update" ? act.value : readPointer(response?.body, `${columns}/value`);
    return { key: act.key, version, value: Number(value) };
  });
  const writes = acts.flatMap((act, i) => (act.kind === "update" ? [accesses[i] as Access] : []));
  const end =
    response === undefined || (response.status < 300 && !accesses.every(isAnswered))
      ? "unknown"
      : response.status < 300
        ? "committed"
        : "refused";
  const last = writes.filter(
    ({ key }, i) => !writes.slice(i + 1).some((later) => later.key === key),
  );
  const overwritten = writes.filter((write) => !last.includes(write));
  const reads = acts.flatMap((act, i) => (act.kind === "get" ? [accesses[i] as Access] : []));
  return {
    ...exchange,
    exchange,
    end,
    reads: end === "committed" ? reads : [],
    writes: end === "refused" ? [] : last,
    hidden: (end === "refused" ? writes : overwritten).map(({ value }) => value),
  };
}

/** Whether the answer contains a version; otherwise it proves nothing. */
function isAnswered(access: Access | undefined): boolean {
  return access === undefined || access.version >= 0;
}

function describeTransaction({ end, reads, writes }: Transaction): string {
  const seen = [...reads, ...writes].map(
    ({ key, version, value }) => `${key}: version ${version}, value ${value}`,
  );
  return [end, ...seen].join("; ");
}

import { derive } from "../arbitraries/choice.js";
import type { Outcome } from "../report/report.js";
import type { RuleId } from "../rules.js";
import type { Sandbox } from "../target/sandbox.js";
import type { Capability } from "../target/target.js";
import type { Fault, Round } from "./clients.js";
import {
  FIXTURE,
  type RoundOutcome,
  runRecordRound,
  runTransactionRound,
  runUniqueRound,
  type Violation,
} from "./rounds.js";

interface ConcurrentCheck {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly needs: readonly Capability[];
  readonly play: (round: Round) => Promise<RoundOutcome>;
  /** Faults whose outcomes its model knows. */
  readonly faults: readonly Fault[];
}

export const CONCURRENT_CHECKS: readonly ConcurrentCheck[] = [
  {
    id: "records",
    title: "concurrent operations on a record are linearizable",
    rules: ["X-1", "X-2", "R-2"],
    needs: ["records"],
    play: runRecordRound,
    faults: ["cut", "delay", "repeat"],
  },
  {
    id: "unique",
    title: "one of several concurrent writes of a unique value succeeds",
    rules: ["T-16"],
    needs: ["records"],
    play: runUniqueRound,
    faults: ["cut", "delay"],
  },
  {
    id: "transactions",
    title: "concurrent transactions are strictly serializable",
    rules: ["X-3", "R-5"],
    needs: ["records", "transaction"],
    play: runTransactionRound,
    faults: ["cut", "delay"],
  },
];

interface ConcurrentSettings {
  readonly seed: number;
  /** Whether a proxy disturbs requests and answers. */
  readonly chaos: boolean;
  readonly runs: number;
  readonly timeLimit: number;
  /** Milliseconds until shrinking ends; at least `timeLimit`. */
  readonly shrinkLimit: number;
  readonly signal?: AbortSignal | undefined;
}

const CLIENTS = 5;

/** Rounds after a violation, to confirm it with a shorter history. */
const MORE_ROUNDS = 20;

export async function tryConcurrently(
  sandbox: Sandbox,
  { play, faults }: ConcurrentCheck,
  settings: ConcurrentSettings,
): Promise<Outcome<{ readonly breach: Violation; readonly confirmed: boolean }>> {
  const { connection } = sandbox;
  const began = Date.now();
  const isLate = (limit: number): boolean =>
    settings.signal?.aborted === true || Date.now() - began > limit;
  let database = await sandbox.open(FIXTURE);
  const playOne = (name: string, clients: number, seed: number): Promise<RoundOutcome> =>
    play({
      connection,
      database,
      name,
      clients,
      faults: settings.chaos ? faults : [],
      seed: derive(settings.seed, `round ${seed}`),
    });
  let unclear = 0;
  for (let round = 0; round < settings.runs; round++) {
    if (settings.signal?.aborted === true) {
      return { verdict: "undecided", reason: "the run was aborted" };
    }
    if (isLate(settings.timeLimit)) return { verdict: "passed", runs: round };
    const outcome = await playOne(`r${round}`, CLIENTS, round);
    if (outcome === "unclear") unclear++;
    if (typeof outcome === "string") continue;
    database = await sandbox.open(FIXTURE);
    let [breach, confirmed] = [outcome, false];
    for (let more = 0; more < MORE_ROUNDS && !isLate(settings.shrinkLimit); more++) {
      const [clients, seed] =
        more === 0 ? [CLIENTS, round] : [2 + (more % 3), settings.runs + more];
      const again = await playOne(`s${more}`, clients, seed);
      if (typeof again === "string") continue;
      confirmed = true;
      if (again.history.length < breach.history.length) breach = again;
    }
    return { verdict: "diverged", breach, confirmed };
  }
  return unclear * 2 > settings.runs
    ? { verdict: "undecided", reason: "too few answers, or too many possible orders" }
    : { verdict: "passed", runs: settings.runs };
}

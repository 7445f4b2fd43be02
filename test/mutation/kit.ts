// The checks of the conformance kit that scripts/mutate-kit.mjs runs against each mutant, one by one.
import { LAWS } from "../../src/conformance/laws/all.js";
import {
  type Check,
  concurrentChecks,
  lawChecks,
  vectorChecks,
} from "../../src/conformance/runner/checks.js";
import { reasonToSkip } from "../../src/conformance/runner/select.js";
import { openTarget } from "../../src/conformance/target/open.js";
import type { Sandbox } from "../../src/conformance/target/sandbox.js";
import type { Target } from "../../src/conformance/target/target.js";
import { loadVectors } from "../../src/conformance/vectors/load.js";
import { createVectorRunner, type FailedStep } from "../../src/conformance/vectors/run.js";
import { createFetch, createJournal } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";

/** The services to check. */
const SERVICES: { readonly [name: string]: () => Target } = {
  documented: () => openEngine("documented"),
  xata: () => openEngine("xata"),
  closed: openClosed,
  mounted: openMounted,
  postgres: openEmbedded,
};

/** The rules of services that are checked in part: those that their options may concern. */
const PARTS: { readonly [name: string]: RegExp } = {
  closed: /^(U-|A-|D-[56]$|B-2$|H-)/,
  mounted: /^(T-18|E-3|M-)/,
  postgres: /^(R-[579]|T-1[68]|X-[123])$/,
};

const CHECKS: readonly Check[] = [
  ...vectorChecks(loadVectors()),
  ...lawChecks(LAWS),
  ...concurrentChecks(),
];

/** A check on a service. */
export interface Trial {
  readonly name: string;
  readonly kind: Check["kind"];
}

/** Checks on fresh services. */
export interface Round {
  /** The reason why a check fails; undefined if it passes or does not apply. */
  take(trial: string, runs: number): Promise<string | undefined>;
}

/** Every check on its services. */
export function listTrials(): Trial[] {
  const services = Object.keys(SERVICES);
  return services.flatMap((service) =>
    CHECKS.filter(({ rules }) => rules.some((rule) => PARTS[service]?.test(rule) ?? true))
      .filter(({ kind }) => service === "documented" || kind !== "concurrent")
      // Laws would take half a minute for each mutant that survives.
      .filter(({ kind }) => service !== "postgres" || kind === "vector")
      .map(({ id, kind }) => ({ name: `${service} ${id}`, kind })),
  );
}

/** Started once for all rounds: this takes more than a second. */
let embedded: Promise<PostgresDatabase> | undefined;

/** Opens each service for its first check. */
export function openRound(): Round {
  const opened = new Map<string, { sandbox: Sandbox; vectors: VectorRunner }>();
  const open = (service: string): { sandbox: Sandbox; vectors: VectorRunner } => {
    const sandbox = openTarget(SERVICES[service]?.() ?? openClosed());
    const made = { sandbox, vectors: createVectorRunner(sandbox) };
    opened.set(service, made);
    return made;
  };
  return {
    async take(trial, runs) {
      const [service = "", id] = trial.split(/ (.*)/s);
      const check = CHECKS.find((each) => each.id === id);
      if (check === undefined) throw new Error(`there is no check ${id}`);
      try {
        const { sandbox, vectors } = opened.get(service) ?? open(service);
        if (reasonToSkip(check, sandbox) !== undefined) return undefined;
        const outcome = await check.run({
          sandbox,
          runVector: async (vector, fixture) => {
            const failed = await vectors.run(vector, fixture, true);
            if (failed !== undefined) throw new Error(describeFailure(failed));
            return undefined;
          },
          seed: 1,
          runs,
          path: undefined,
          causes: undefined,
          timeLimit: 60_000,
          shrinkLimit: 0,
          tier: "strict",
          signal: undefined,
        });
        if (outcome.verdict === "passed") return undefined;
        return outcome.verdict === "diverged" ? outcome.divergences[0]?.message : outcome.reason;
      } catch (error) {
        return String(error).slice(0, 200);
      }
    },
  };
}

function describeFailure({ step, mismatch: { message, expected, found } }: FailedStep): string {
  const values = [expected, found].map((value) => JSON.stringify(value).slice(0, 200));
  return `step ${step}: ${message}: ${values.join(" / ")}`;
}

type VectorRunner = ReturnType<typeof createVectorRunner>;

function openEngine(profile: "documented" | "xata"): Target {
  // Under `xata` with indexes from the first query on.
  const indexes = profile === "xata" ? "always" : "auto";
  return { engine: createEngine({ profile, indexes, seed: 1, now: 0 }) };
}

function openClosed(): Target {
  const engine = createEngine({ seed: 1, now: 0 });
  engine.createWorkspace("w");
  engine.createUser({ email: "k@example.org", fullname: "K", keys: ["key"], workspaces: ["w"] });
  engine.createUser({ email: "o@example.org", fullname: "O", keys: ["other key"] });
  const url = "https://w.us-east-1.test";
  // Closed by the given keys (U-1), not by an option.
  const fetch = createFetch(engine, { workspace: "w" });
  const base = { workspaceUrl: url, controlUrl: url, workspace: "w" };
  const capabilities = { hosts: true };
  return { ...base, capabilities, fetch, auth: "closed", apiKey: "key", otherApiKey: "other key" };
}

/** Checks links without indexes at first, records requests, and is under a path. */
function openMounted(): Target {
  const profile = { links: "checked" } as const;
  const engine = createEngine({ profile, seed: 1, now: 0 });
  engine.createWorkspace("w");
  const options = { workspace: "w", basePath: "/api", journal: createJournal() };
  const url = "https://w.us-east-1.test/api";
  const base = { workspaceUrl: url, controlUrl: url, workspace: "w" };
  return { ...base, profile, fetch: createFetch(engine, options), auth: "open" };
}

/** Its rows are in PostgreSQL: writes look up those that they concern. */
function openEmbedded(): Target {
  embedded ??= openPostgres({ pglite: true }, { seed: 1, workspaces: ["w"], indexes: "never" });
  const url = "https://w.us-east-1.test";
  const base = { workspaceUrl: url, controlUrl: url, workspace: "w" };
  const opened = embedded;
  const capabilities = { hosts: true, large: false };
  const fetch = async (...call: Parameters<PostgresDatabase["fetch"]>) =>
    (await opened).fetch(...call);
  return { ...base, capabilities, fetch, auth: "open" };
}

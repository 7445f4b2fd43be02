import type { Snapshot } from "../../engine/snapshot.js";
import type { AnyEngine } from "../../engine.js";
import { formatInstant, parseInstant } from "../../value/datetime.js";
import { readFields, refuseValue } from "../../value/fields.js";
import { findNothing } from "../address.js";
import { ANY_OBJECT, arrayOf, objectOf, refer, TEXT, TIME, WHOLE } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { type ControlState, clearFaults } from "./controlled.js";
import { createEvents } from "./events.js";
import { findSnapshot } from "./snapshots.js";

const SNAPSHOT = "/_twinbase/snapshots/{snapshot_name}";
const CLOCK = objectOf({ now: TIME });
const COUNTS = objectOf({
  tables: arrayOf(
    objectOf({ workspace: TEXT, database: TEXT, branch: TEXT, table: TEXT, records: WHOLE }),
  ),
});
const EVENT_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
const COMMON = { plane: "control", touches: "catalog", find: findNothing } as const;

/** What an engine holds, as a whole: health, counts, reset, snapshots by name, and the clock. */
export function createStateRoutes(
  engine: AnyEngine,
  state: ControlState,
  snapshots: Map<string, Snapshot>,
): readonly Route[] {
  const tellClock = () => {
    const { ms, micros } = engine.clock.instant();
    return { status: 200, body: { now: formatInstant(ms, micros) } };
  };
  const { journal } = state;
  const openEvents = createEvents(engine);
  return [
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/health",
      operation: "getHealth",
      summary: "That the service answers, and of which profile it is.",
      answers: { 200: objectOf({ status: TEXT, profile: TEXT }) },
      handle: () => ({ status: 200, body: { status: "ok", profile: engine.profile.base } }),
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/counts",
      operation: "getCounts",
      summary: "How many records each table of each branch has.",
      answers: { 200: COUNTS },
      handle: () => ({ status: 200, body: { tables: countRecords(engine) } }),
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/events",
      operation: "getEvents",
      summary: "Server-sent events: which tables and records change, from now on.",
      isUndescribed: true,
      answers: { 200: ANY_OBJECT },
      handle: () => ({
        status: 200,
        file: { stream: openEvents(), headers: EVENT_HEADERS },
      }),
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      path: "/_twinbase/reset",
      operation: "resetEngine",
      summary: "Goes back to the baseline, with clock and ids; ends faults, empties the journal.",
      answers: { 200: refer("Completed") },
      handle: () => {
        engine.reset();
        clearFaults(state);
        journal.clear();
        return { status: 200, body: { status: "completed" } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/snapshots",
      operation: "getSnapshots",
      summary: "The names of the snapshots that were taken.",
      answers: { 200: objectOf({ snapshots: arrayOf(TEXT) }) },
      handle: () => ({ status: 200, body: { snapshots: [...snapshots.keys()] } }),
    }),
    defineRoute({
      ...COMMON,
      method: "PUT",
      path: SNAPSHOT,
      operation: "takeSnapshot",
      summary: "Keeps what the engine holds now under a name, in place of what was under it.",
      answers: { 201: objectOf({ snapshot: TEXT }) },
      handle: (_, { names }) => {
        const name = names.snapshot_name!;
        snapshots.set(name, engine.snapshot());
        return { status: 201, body: { snapshot: name } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      path: `${SNAPSHOT}/restore`,
      operation: "restoreSnapshot",
      summary: "Goes back to what the engine held when the snapshot was taken.",
      answers: { 200: refer("Completed") },
      handle: (_, { names }) => {
        engine.restore(findSnapshot(snapshots, names.snapshot_name!));
        return { status: 200, body: { status: "completed" } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "DELETE",
      path: SNAPSHOT,
      operation: "deleteSnapshot",
      summary: "Forgets a snapshot.",
      answers: { 204: null },
      handle: (_, { names }) => {
        const name = names.snapshot_name!;
        findSnapshot(snapshots, name);
        snapshots.delete(name);
        return { status: 204 };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/clock",
      operation: "getClock",
      summary: "The engine's time.",
      answers: { 200: CLOCK },
      handle: tellClock,
    }),
    defineRoute({
      ...COMMON,
      method: "PUT",
      path: "/_twinbase/clock",
      operation: "setClock",
      summary: "Sets the engine's time, at which it stays.",
      body: CLOCK,
      answers: { 200: CLOCK },
      handle: (_, { body }) => {
        const { now } = readFields(body, ["now"], { what: "clock", rule: "E-3" });
        engine.clock.set(readTime(now));
        return tellClock();
      },
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      path: "/_twinbase/clock/advance",
      operation: "advanceClock",
      summary: "Moves the engine's time on by so many milliseconds.",
      body: objectOf({ ms: { type: "number", minimum: 0 } }),
      answers: { 200: CLOCK },
      handle: (_, { body }) => {
        const { ms } = readFields(body, ["ms"], { what: "advance", rule: "E-3" });
        if (typeof ms !== "number") refuseValue(ms, "milliseconds", part("ms"));
        engine.clock.advance(ms);
        return tellClock();
      },
    }),
  ];
}

function countRecords(engine: AnyEngine): object[] {
  return engine.workspaces().flatMap(({ id: workspace }) =>
    engine
      .workspace(workspace)
      .databases()
      .flatMap(({ name: database }) => {
        const found = engine.workspace(workspace).database(database);
        return found.branches().flatMap(({ name: branch }) =>
          found
            .branch(branch)
            .tables()
            .map(({ name: table }) => {
              const records = found.branch(branch).table(table).count();
              return { workspace, database, branch, table, records };
            }),
        );
      }),
  );
}

function readTime(now: unknown): number {
  const instant = typeof now === "string" ? parseInstant(now) : undefined;
  if (instant === undefined) refuseValue(now, "an RFC 3339 date-time with an offset", part("now"));
  return instant.ms + instant.micros / 1000;
}

function part(what: string) {
  return { what, path: `/${what}`, rule: "E-3" };
}

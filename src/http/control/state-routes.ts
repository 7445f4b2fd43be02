import type { AnyEngine } from "../../engine.js";
import * as s from "../../shape/schema.js";
import { formatInstant, parseInstant } from "../../value/datetime.js";
import { DONE, defineRoute, type Routes } from "../route.js";
import { type ControlState, clearFaults } from "./controlled.js";
import { createFeeds } from "./events.js";
import type { Snapshots } from "./snapshots.js";
import { createStreams } from "./streams.js";

const SNAPSHOTS = "/_twinbase/snapshots";
const SNAPSHOT_AT = `${SNAPSHOTS}/{snapshot_name}` as const;

const HEALTH = s.objectOf({
  status: s.TEXT,
  profile: s.TEXT,
  metadataColumn: s.TEXT,
  links: s.TEXT,
});
const NOW = s.parsed<number>(s.TIME, "an RFC 3339 date-time with an offset", (text) => {
  const instant = parseInstant(text);
  return instant && instant.ms + instant.micros / 1000;
});
const CLOCK = s.reading(s.objectOf({ now: NOW }), { what: "clock" });
const ADVANCE = s.reading(
  s.objectOf({ ms: s.reading({ ...s.NUMBER, minimum: 0 }, { expected: "milliseconds" }) }),
  { what: "advance" },
);
const TABLE = { workspace: s.TEXT, database: s.TEXT, branch: s.TEXT, table: s.TEXT };
const COUNTS = s.objectOf({ tables: s.arrayOf(s.objectOf({ ...TABLE, records: s.INTEGER })) });

export function createStateRoutes(
  engine: AnyEngine,
  state: ControlState,
  snapshots: Snapshots,
): Routes {
  const readClock = () => {
    const { ms, micros } = engine.clock.instant();
    return { now: formatInstant(ms, micros) };
  };
  const stream = createStreams(state.memory);
  const openFeed = createFeeds(engine);
  return {
    getHealth: defineRoute({
      at: "GET /_twinbase/health",
      summary: "Status and profile.",
      answers: { 200: HEALTH },
      act: () => {
        const { base, metadataColumn, links } = engine.profile;
        return { status: "ok", profile: base, metadataColumn, links };
      },
    }),
    getCounts: defineRoute({
      at: "GET /_twinbase/counts",
      summary: "The number of records of each table.",
      answers: { 200: COUNTS },
      act: () => ({ tables: countRecords(engine) }),
    }),
    getEvents: defineRoute({
      at: "GET /_twinbase/events",
      summary: "Server-sent events about changed tables.",
      isUndescribed: true,
      answers: { 200: s.ANY_OBJECT },
      reply: () => stream(openFeed),
    }),
    resetEngine: defineRoute({
      at: "POST /_twinbase/reset",
      summary: "Restores the baseline, with clock and ids; removes faults, empties the journal.",
      answers: { 200: DONE },
      act: () => {
        engine.reset();
        clearFaults(state);
        state.journal.clear();
      },
    }),
    getSnapshots: defineRoute({
      at: `GET ${SNAPSHOTS}`,
      summary: "The names of snapshots, and when they were taken by the machine's clock, in ms.",
      answers: {
        200: s.objectOf({ snapshots: s.arrayOf(s.TEXT), taken: s.arrayOf(s.INTEGER) }),
      },
      act: () => ({
        snapshots: [...snapshots.taken.keys()],
        taken: Array.from(snapshots.taken.values(), ({ at }) => at),
      }),
    }),
    takeSnapshot: defineRoute({
      at: `PUT ${SNAPSHOT_AT}`,
      summary: "Takes a snapshot; replaces one of the same name.",
      answers: { 201: s.objectOf({ snapshot: s.TEXT }) },
      act: (_, { names: { snapshot_name: name } }) => {
        snapshots.take(name, engine.snapshot());
        return { snapshot: name };
      },
    }),
    restoreSnapshot: defineRoute({
      at: `POST ${SNAPSHOT_AT}/restore`,
      summary: "Restores a snapshot.",
      answers: { 200: DONE },
      act: (_, { names: { snapshot_name: name } }) => engine.restore(snapshots.find(name)),
    }),
    deleteSnapshot: defineRoute({
      at: `DELETE ${SNAPSHOT_AT}`,
      summary: "Deletes a snapshot.",
      answers: { 204: null },
      act: (_, { names: { snapshot_name: name } }) => snapshots.delete(name),
    }),
    getClock: defineRoute({
      at: "GET /_twinbase/clock",
      summary: "The time of the engine's clock.",
      answers: { 200: CLOCK },
      act: readClock,
    }),
    setClock: defineRoute({
      at: "PUT /_twinbase/clock",
      summary: "Sets and freezes the engine's clock.",
      body: CLOCK,
      answers: { 200: CLOCK },
      act: (_, { body: { now } }) => {
        engine.clock.set(now);
        return readClock();
      },
    }),
    advanceClock: defineRoute({
      at: "POST /_twinbase/clock/advance",
      summary: "Advances the engine's clock by milliseconds.",
      body: ADVANCE,
      answers: { 200: CLOCK },
      act: (_, { body: { ms } }) => {
        engine.clock.advance(ms);
        return readClock();
      },
    }),
  };
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

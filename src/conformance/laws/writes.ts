import fc from "fast-check";
import type { Json } from "../../types.js";
import {
  arithmeticArbitrary,
  BAD,
  batchArbitrary,
  mapCommand,
  tableCommand,
  writeArbitrary,
} from "../arbitraries/commands.js";
import {
  fixtureArbitrary,
  type LawCase,
  oneOf,
  personArbitrary,
  recordsOf,
} from "../arbitraries/people.js";
import type { OracleCommand, OracleWorld } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import { compareRecord, compareRecords, play, worldOf } from "./commands.js";
import { defineLaw, type Law, type LawDefinition } from "./law.js";
import { databasePath, named, type Scene } from "./scene.js";

interface CommandCase extends LawCase {
  readonly commands: readonly OracleCommand[];
}

/** A law of commands: answers and effects equal the oracle's. */
export function commandLaw(row: Omit<LawDefinition<CommandCase>, "check">): Law {
  return defineLaw({
    ...row,
    async check(scene, { fixture, commands }) {
      let world = worldOf(scene.traits, fixture);
      for (const command of commands) {
        world = await play(scene, world, command);
        if (command.kind !== "write") continue;
        const { branch, write } = command;
        const { table } = write;
        const ids =
          write.kind === "insert" ? write.records.map(({ id }) => String(id)) : [write.id];
        for (const id of ids) await compareRecord(scene, world, { branch, table, id });
      }
      await compareRecords(scene, world, row.title);
      if (row.needs?.includes("mappings")) await compareMapping(scene, world);
    },
  });
}

/** Single writes, batches and transactions in `main`. */
export function writesIn(
  one: fc.Arbitrary<OracleWrite>,
  batch: fc.Arbitrary<OracleWrite>,
): fc.Arbitrary<OracleCommand[]> {
  const branch = "main";
  const part = one.filter(({ kind }) => ["insert", "update", "delete"].includes(kind));
  const command = fc.oneof<fc.WeightedArbitrary<OracleCommand>[]>(
    { weight: 3, arbitrary: one.map((write) => ({ kind: "write", branch, write })) },
    { weight: 1, arbitrary: batch.map((write) => ({ kind: "write", branch, write })) },
    {
      weight: 2,
      arbitrary: several(part, 4).map((writes) => ({ kind: "transaction", branch, writes })),
    },
  );
  return several(command, 4);
}

const EMPTY = fc.constant({ tables: [] });

function several<T>(what: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  return fc.array(what, { minLength: 1, maxLength: most });
}

export const WRITE_LAWS: readonly Law[] = [
  commandLaw({
    id: "what-is-written-is-read",
    title: "a read returns the last write, and calls that write are whole or nothing",
    rules: [
      ...(["X-1", "R-1", "R-2", "R-3", "R-4", "R-7", "R-9", "T-7", "T-8", "T-9", "T-10"] as const),
      ...(["X-2", "X-3", "R-5", "E-5"] as const),
    ],
    tier: "strict",
    needs: ["records", "transaction"],
    share: 2,
    cases: () => {
      const batch = batchArbitrary().map(
        (records): OracleWrite => ({ kind: "insert", table: "people", records }),
      );
      return fc.record({
        fixture: fixtureArbitrary(2),
        commands: writesIn(fc.oneof(writeArbitrary(), arithmeticArbitrary()), batch),
      });
    },
  }),
  commandLaw({
    id: "refused-writes-change-nothing",
    title: "a refused write changes nothing",
    rules: ["E-5", "T-15", "R-8", "R-5"],
    tier: "strict",
    needs: ["records"],
    cases: () => {
      const bad = fc
        .tuple(personArbitrary(), oneOf(BAD))
        .map(([own, wrong]) => ({ ...own, ...wrong }));
      const batch = fc
        .tuple(batchArbitrary(), bad, fc.nat({ max: 2 }))
        .map(([records, wrong, at]): OracleWrite => {
          const all = records.toSpliced(at, 0, { id: "bad", ...wrong });
          return { kind: "insert", table: "people", records: all };
        });
      const one = fc
        .tuple(oneOf(["update", "put", "upsert"] as const), bad)
        .map(([kind, record]): OracleWrite => ({ kind, table: "people", id: "p1", record }));
      const renamed = fc.constant<OracleWrite>({
        kind: "update",
        table: "people",
        id: "p1",
        record: { id: "other" },
      });
      const writes = fc.oneof(
        { weight: 8, arbitrary: one },
        { weight: 1, arbitrary: renamed },
        { weight: 4, arbitrary: batch },
      );
      return fc.record({
        fixture: fixtureArbitrary(1).filter((fixture) => recordsOf({ fixture }).length === 1),
        commands: several(writes, 3).map((some) =>
          some.map((write) => ({ kind: "bad write", branch: "main", write })),
        ),
      });
    },
  }),
  commandLaw({
    id: "tables-come-and-go",
    title: "tables are created, renamed and deleted, with unique names",
    rules: ["M-1", "M-2", "M-3", "M-4"],
    tier: "complete",
    needs: ["tables"],
    cases: () =>
      fc.record({ fixture: EMPTY, commands: several(tableCommand(oneOf(["a", "b", "A"])), 5) }),
  }),
  commandLaw({
    id: "mapping-is-a-map",
    title: "the git mapping has the added entries in insertion order",
    rules: ["B-2", "B-3", "B-4"],
    tier: "complete",
    needs: ["mappings"],
    cases: () =>
      fc.record({
        fixture: EMPTY,
        commands: several(mapCommand(oneOf(["x", "y", "X/ä &"]), fc.constant("main")), 5),
      }),
  }),
];

export async function compareMapping(scene: Scene, { mapping }: OracleWorld): Promise<void> {
  const entries = [...mapping].map(([gitBranch, branch]): Json => {
    return { gitBranch, [named("target")]: branch };
  });
  const request = { method: "GET", path: databasePath("/gitBranches") };
  await scene.send(request, { status: 200, json: { [named("mappings")]: entries } });
}

import type { GeneratedBranch } from "../../src/conformance/arbitraries/cases.js";
import { CLOCK_START, CLOCK_TICK } from "../../src/conformance/arbitraries/domains.js";
import type { JsonObject, OracleDatabase } from "../../src/conformance/oracle/model.js";
import { applyWrite } from "../../src/conformance/oracle/write.js";
import { Engine } from "../../src/engine.js";
import { enableFiles } from "../../src/files.js";
import { type AnyBranch, createEngine, type IndexOption } from "../../src/index.js";
import { resolveProfile } from "../../src/shape/profile.js";

/** The records of a generated branch with the times of their writes; two records share each time. */
function* writesOf({ fixture }: GeneratedBranch): Generator<[string, JsonObject, number]> {
  for (const { name, records } of fixture.tables) {
    for (const [i, record] of records.entries()) {
      yield [name, record, CLOCK_START + Math.floor(i / 2) * CLOCK_TICK];
    }
  }
}

/** A generated branch as a database of the oracle. */
export function databaseOf(generated: GeneratedBranch): OracleDatabase {
  let db: OracleDatabase = {
    profile: resolveProfile(generated.profile),
    tables: generated.fixture.tables.map((table) => ({ ...table, records: [] })),
  };
  for (const [table, record, time] of writesOf(generated)) {
    const outcome = applyWrite(db, { kind: "insert", table, records: [record] }, time);
    if (typeof outcome === "string") throw new Error(outcome);
    db = outcome;
  }
  return db;
}

/** The same branch in an engine. */
export function openGenerated(generated: GeneratedBranch, indexes: IndexOption): AnyBranch {
  const { profile, fixture } = generated;
  let now = CLOCK_START;
  const engine = enableFiles(createEngine({ profile, seed: 7, now: () => now, indexes }));
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  for (const { name, columns } of fixture.tables) branch.createTable(name, columns);
  Engine.contextOf(engine).call(() => {
    for (const [table, record, time] of writesOf(generated)) {
      now = time;
      branch.table(table).insert(record);
    }
  });
  return branch;
}

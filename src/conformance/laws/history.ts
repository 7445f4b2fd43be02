import fc from "fast-check";
import { readPointer } from "../../errors.js";
import { columnCommand, tableCommand } from "../arbitraries/commands.js";
import { oneOf } from "../arbitraries/people.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleCommand, OracleWorld } from "../oracle/world.js";
import { DONE, databaseAt, playPossible, runAll, worldOf } from "./commands.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, databasePath, type Scene } from "./scene.js";

const EMPTY = fc.constant({ tables: [] });
const TWIG: OracleCommand = { kind: "branch", branch: "twig", from: "main" };

async function compareSchema(
  scene: Scene,
  world: OracleWorld,
  [branch, like]: readonly [branch: string, like: string],
  why: string,
): Promise<void> {
  const { tables } = databaseAt(world, like);
  for (const name of ["a", "b", "c", "base", "mine", "theirs"]) {
    const table = tables.find((each) => each.name === name);
    const path = branchPath(`/tables/${name}/schema`, branch);
    const answer = await scene.send({ method: "GET", path });
    scene.expect({ status: table === undefined ? 404 : 200 }, why);
    if (table === undefined) continue;
    const found = namesOf(readPointer(answer.body, "/columns"));
    const wanted = namesOf(table.columns);
    if (JSON.stringify(found) !== JSON.stringify(wanted)) scene.fail(why, wanted, found);
  }
}

function namesOf(columns: unknown): string[] {
  return (columns as readonly JsonObject[]).map(({ name }) => String(name)).sort(); // a schema's
}

export const HISTORY_LAWS: readonly Law[] = [
  defineLaw({
    id: "a-history-replays-to-the-schema",
    title: "replaying a branch's history gives its schema",
    rules: ["K-1", "K-2"],
    tier: "strict",
    needs: ["history", "branches", "schema"],
    share: 0.6,
    cases: () => {
      const [name, branch] = [oneOf(["a", "b", "c"]), fc.constant("main")];
      const change = fc.oneof(tableCommand(name, branch), columnCommand(name, name, branch));
      const changes = fc.array(change, { minLength: 1, maxLength: 10, size: "max" });
      return fc.record({ fixture: EMPTY, changes });
    },
    async check(scene, { fixture, changes }) {
      const world = await playPossible(scene, worldOf(scene.traits, fixture), changes);
      const path = branchPath("/schema/history");
      const body = { page: { size: 50 } };
      const answer = await scene.send({ method: "POST", path, body }, { status: 200 });
      const logs = readPointer(answer.body, "/logs") as readonly JsonObject[]; // latest first
      const migrations = logs.toReversed().map((log) => ({
        id: log.id ?? null,
        checksum: log.checksum ?? null,
        operations: log.operations ?? null,
        ...(log.parentID === undefined || log.parentID === "" ? {} : { parentID: log.parentID }),
      }));
      await scene.send({ method: "PUT", path: branchPath("", "copy"), body: {} }, DONE);
      if (migrations.length > 0) {
        const push = branchPath("/schema/push", "copy");
        await scene.send({ method: "POST", path: push, body: { migrations } }, { status: 200 });
      }
      await compareSchema(scene, world, ["main", "main"], "changes lead where they say");
      await compareSchema(scene, world, ["copy", "main"], "a history replays to the schema");
    },
  }),
  defineLaw({
    id: "merges-join-what-branches-added",
    title: "a merge adds what the target lacks, removes nothing, and happens once",
    rules: ["K-3"],
    tier: "strict",
    needs: ["history", "branches", "schema"],
    share: 0.6,
    cases: () => {
      const names = fc.uniqueArray(oneOf(["s1", "s2", "s3"]), { maxLength: 3 });
      const added = fc.record({ names, table: fc.boolean() });
      return fc.record({ fixture: EMPTY, source: added, target: added, clash: fc.boolean() });
    },
    async check(scene, { fixture, source, target, clash }) {
      const grow = (
        branch: string,
        made: string,
        { names, table }: typeof source,
      ): OracleCommand[] => {
        const columns = names.map((name) => addColumn(branch, `${made}-${name}`));
        const type = branch === "main" ? "string" : "int";
        return [
          ...columns,
          ...(table ? [{ kind: "table" as const, branch, table: made }] : []),
          ...(clash ? [addColumn(branch, "same", type)] : []),
        ];
      };
      const base = { kind: "table", branch: "main", table: "base" } as const;
      const additions = grow("twig", "theirs", source);
      const world = await playPossible(scene, worldOf(scene.traits, fixture), [
        ...[base, addColumn("main", "first"), TWIG],
        ...additions,
        ...grow("main", "mine", target),
      ]);
      const requests = databasePath("/migrations");
      const body = { source: "twig", target: "main", title: "join" };
      const made = await scene.send({ method: "POST", path: requests, body }, { status: 201 });
      const number = String(readPointer(made.body, "/number"));
      const merge = { method: "POST", path: `${requests}/${number}/merge`, body: {} };
      const refused = { status: 422, error: { code: "schema_conflict" } };
      await scene.send(merge, clash ? refused : { status: 200 });
      await compareSchema(scene, world, ["twig", "twig"], "a merge leaves its source alone");
      if (!clash) await scene.send(merge, refused);
      const why = clash ? "a clash changes nothing" : "a merge joins what both have";
      const merged = clash ? [] : additions.map((command) => ({ ...command, branch: "main" }));
      await compareSchema(scene, runAll(world, merged), ["main", "main"], why);
    },
  }),
];

function addColumn(branch: string, name: string, type: "int" | "string" = "int"): OracleCommand {
  return { kind: "column", branch, table: "base", column: { name, type } };
}

import fc from "fast-check";
import type { Json } from "../../types.js";
import { readPointer } from "../vectors/pattern.js";
import { fixtureArbitrary, type JsonObject, oneOf, recordsOf } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import { branchPath, databasePath, type Scene } from "./scene.js";

const EMPTY = { tables: [] };
const DONE = { status: [200, 201, 202, 204] };

/** A change of a schema: of a table, or of a column of it. */
interface Change {
  readonly kind: "table" | "rename" | "drop" | "column" | "rename-column" | "drop-column";
  readonly table: string;
  readonly column: string;
  readonly name: string;
  readonly type: "int" | "string";
}

/** Columns by table, in the order they were made. */
type Schema = Map<string, Set<string>>;

function changesArbitrary(most: number): fc.Arbitrary<Change[]> {
  const names = oneOf(["a", "b", "c"]);
  const kinds = ["table", "table", "rename", "drop", "column", "column", "column"] as const;
  const change = fc.record({
    kind: oneOf([...kinds, "rename-column", "drop-column"] as const),
    table: names,
    column: names,
    name: names,
    type: oneOf(["int", "string"] as const),
  });
  return fc.array(change, { minLength: 1, maxLength: most, size: "max" });
}

/** Makes a change where it is possible, and in the model too. */
async function change(scene: Scene, schema: Schema, given: Change, branch: string): Promise<void> {
  const { kind, table, column, name, type } = given;
  const path = branchPath(`/tables/${table}`, branch);
  const columns = schema.get(table);
  if (kind === "table") {
    if (columns !== undefined) return;
    await scene.send({ method: "PUT", path }, DONE);
    schema.set(table, new Set());
    return;
  }
  if (columns === undefined) return;
  if (kind === "rename" && !schema.has(name)) {
    await scene.send({ method: "PATCH", path, body: { name } }, DONE);
    schema.delete(table);
    schema.set(name, columns);
  } else if (kind === "drop") {
    await scene.send({ method: "DELETE", path }, DONE);
    schema.delete(table);
  } else if (kind === "column" && !columns.has(column)) {
    await scene.send(
      { method: "POST", path: `${path}/columns`, body: { name: column, type } },
      DONE,
    );
    columns.add(column);
  } else if (kind === "drop-column" && columns.has(column)) {
    await scene.send({ method: "DELETE", path: `${path}/columns/${column}` }, DONE);
    columns.delete(column);
  } else if (kind === "rename-column" && columns.has(column) && !columns.has(name)) {
    const request = { method: "PATCH", path: `${path}/columns/${column}`, body: { name } };
    await scene.send(request, DONE);
    columns.delete(column);
    columns.add(name);
  }
}

/** Asks for the schema of each table that there can be. */
async function requireSchema(scene: Scene, schema: Schema, branch: string, why: string) {
  for (const table of ["a", "b", "c", "base", "mine", "theirs"]) {
    const columns = schema.get(table);
    const path = branchPath(`/tables/${table}/schema`, branch);
    const answer = await scene.send({ method: "GET", path });
    scene.expect({ status: columns === undefined ? 404 : 200 }, why);
    if (columns === undefined) continue;
    const found = readPointer(answer.body, "/columns");
    const names = Array.isArray(found)
      ? found.map((each) => String(readPointer(each, "/name")))
      : [];
    const wanted = [...columns].sort();
    if (JSON.stringify(names.sort()) !== JSON.stringify(wanted)) scene.fail(why, wanted, names);
  }
}

/** Laws of the history of a schema. */
export const HISTORY_LAWS: readonly Law[] = [
  defineLaw({
    id: "a-history-replays-to-the-schema",
    title: "the history of a branch, pushed into an empty one, gives the same schema",
    rules: ["K-1", "K-2"],
    tier: "strict",
    needs: ["history", "branches", "schema"],
    share: 0.6,
    cases: () => fc.record({ fixture: fc.constant(EMPTY), changes: changesArbitrary(10) }),
    async check(scene, { changes }) {
      const schema: Schema = new Map();
      for (const each of changes) await change(scene, schema, each, "main");
      const path = branchPath("/schema/history");
      const body = { page: { size: 50 } };
      const answer = await scene.send({ method: "POST", path, body }, { status: 200 });
      const logs = readPointer(answer.body, "/logs") as readonly JsonObject[]; // of the latest first
      const migrations = [...logs].reverse().map((log) => ({
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
      await requireSchema(scene, schema, "main", "changes lead where they say");
      await requireSchema(scene, schema, "copy", "a history replays to the schema");
    },
  }),
  defineLaw({
    id: "merges-join-what-branches-added",
    title:
      "a merge brings all that the source has and the target lacks, takes nothing, and is done once",
    rules: ["K-3"],
    tier: "strict",
    needs: ["history", "branches", "schema"],
    share: 0.6,
    cases: () => {
      const names = fc.uniqueArray(oneOf(["s1", "s2", "s3"]), { maxLength: 3 });
      const tables = fc.boolean();
      return fc.record({
        fixture: fc.constant(EMPTY),
        source: fc.record({ names, table: tables }),
        target: fc.record({ names, table: tables }),
        clash: fc.boolean(),
      });
    },
    async check(scene, { source, target, clash }) {
      const base = new Set<string>(["first"]);
      await change(scene, new Map(), asChange("table", "base"), "main");
      await change(
        scene,
        new Map([["base", new Set()]]),
        asChange("column", "base", "first"),
        "main",
      );
      const twig = { method: "PUT", path: branchPath("", "twig"), body: { from: "main" } };
      await scene.send(twig, DONE);
      const grow = async (
        { names, table }: { names: readonly string[]; table: boolean },
        branch: string,
        made: string,
      ): Promise<Schema> => {
        const schema: Schema = new Map([["base", new Set(base)]]);
        const columns = names.map((name) => asChange("column", "base", `${made}-${name}`));
        for (const each of columns) await change(scene, schema, each, branch);
        if (table) await change(scene, schema, asChange("table", made), branch);
        return schema;
      };
      const twigs = await grow(source, "twig", "theirs");
      const mains = await grow(target, "main", "mine");
      if (clash) {
        await change(scene, twigs, { ...asChange("column", "base", "same"), type: "int" }, "twig");
        await change(
          scene,
          mains,
          { ...asChange("column", "base", "same"), type: "string" },
          "main",
        );
      }
      const requests = databasePath("/migrations");
      const asked = { source: "twig", target: "main", title: "join" };
      const made = await scene.send(
        { method: "POST", path: requests, body: asked },
        { status: 201 },
      );
      const merge = {
        method: "POST",
        path: `${requests}/${String(readPointer(made.body, "/number"))}/merge`,
        body: {},
      };
      const refused = { status: 422, error: { code: "schema_conflict" } };
      await scene.send(merge, clash ? refused : { status: 200 });
      await requireSchema(scene, twigs, "twig", "a merge leaves its source alone");
      if (!clash) {
        for (const [name, columns] of twigs) {
          mains.set(name, new Set([...(mains.get(name) ?? []), ...columns]));
        }
        await scene.send(merge, refused);
      }
      const why = clash ? "a clash changes nothing" : "a merge joins what both have";
      await requireSchema(scene, mains, "main", why);
    },
  }),
  defineLaw({
    id: "copies-hold-the-same-records",
    title: "records copied into a branch of equal schema are the same there",
    rules: ["K-4"],
    tier: "strict",
    needs: ["history", "branches", "records", "copy"],
    share: 0.6,
    cases: () => fc.record({ fixture: fixtureArbitrary(4) }),
    async check(scene, { fixture }) {
      const twig = { method: "PUT", path: branchPath("", "twig"), body: { from: "main" } };
      await scene.send(twig, DONE);
      for (const { name, records } of fixture.tables) {
        for (const { id } of records) {
          const path = branchPath(`/tables/${name}/data/${String(id)}`, "twig");
          await scene.send({ method: "DELETE", path }, { status: [204, 404] });
        }
      }
      const path = branchPath("/copy");
      const body = { destinationBranch: "twig" };
      await scene.send({ method: "POST", path, body }, { status: 200 });
      for (const { name } of fixture.tables) await requireSame(scene, { fixture }, name);
    },
  }),
];

function asChange(kind: Change["kind"], table: string, column = "a"): Change {
  return { kind, table, column, name: column, type: "int" };
}

async function requireSame(scene: Scene, given: LawCase, table: string): Promise<void> {
  const page = await scene.query(table, {});
  const metadata = scene.traits.profile.metadataColumn;
  const bare = page.records.map(({ [metadata]: _, ...record }) => record as JsonObject); // from JSON
  const path = branchPath(`/tables/${table}/query`, "twig");
  const answer = await scene.send({ method: "POST", path, body: {} }, { status: 200 });
  const copied = readPointer(answer.body, "/records") as readonly JsonObject[]; // as a page has
  const found = copied.map(({ [metadata]: _, ...record }) => record);
  const same = JSON.stringify(found) === JSON.stringify(bare);
  if (same && bare.length === recordsOf(given, table).length) return;
  scene.fail("a copy holds the same records", bare as readonly Json[], found as readonly Json[]);
}

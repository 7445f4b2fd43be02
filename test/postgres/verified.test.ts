import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyToFile } from "../../src/cli/copy.js";
import { resolveSetup } from "../../src/engine/options.js";
import { exportEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createEngine } from "../../src/index.js";
import { Catalog } from "../../src/postgres/catalog.js";
import { readInBatches } from "../../src/postgres/contents.js";
import type { Driver, Session } from "../../src/postgres/driver.js";
import { fillDatabase } from "../../src/postgres/fill.js";
import { openPglite } from "../../src/postgres/pglite.js";
import { assembleSchema } from "../../src/schema/columns.js";
import type { Row } from "../../src/sql/project.js";
import type { Statement } from "../../src/sql/statement.js";
import { createTableVersion } from "../../src/storage/table.js";
import { defineColumns } from "../columns.js";
import { makeFolder } from "./copies-exports.js";
import "./copied-database.js";

type Spoil = (statement: Statement) => Statement;

/** A driver that spoils statements; `spoil` may be replaced. */
async function openSpoiling(): Promise<{ driver: Driver; spoil: Spoil }> {
  const driver = await openPglite(undefined);
  const spoiling = (session: Session): Session => ({
    query: (statement) => session.query(opened.spoil(statement)),
  });
  const opened: { driver: Driver; spoil: Spoil } = {
    driver: {
      ...driver,
      within: () => opened.driver,
      transact: (kind, act) =>
        driver.transact(kind, (session) => act({ ...session, ...spoiling(session) })),
    },
    spoil: (statement) => statement,
  };
  return opened;
}

const inValues =
  (table: RegExp, from: string, to: string): Spoil =>
  ({ text, values }) => ({
    text,
    values: table.test(text) ? values.map((value) => value?.replaceAll(from, to) ?? null) : values,
  });

const RECORDS = /insert into tb_\d+/;

/** What a spoiling database changes, by what it is. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  "a value": inValues(RECORDS, "Ants", "Aunts"),
  "a file's name": inValues(RECORDS, "a.txt", "b.txt"),
  "a file's content": inValues(/twinbase_contents values/, "aGVsbG8=", "aGVsbG4="),
  "the schema's document": inValues(/insert into twinbase.documents/, "notes", "motes"),
  "a copied branch": ({ text, values }) => ({
    text: /^insert into tb_\d+.* select id/.test(text)
      ? text.replace(/ select (.*), (c\d+), (c\d+) from/, " select $1, $2 || 'x', $3 from")
      : text,
    values,
  }),
};

it("a copy into a database is compared with its source, whatever is spoiled", async () => {
  const engine = enableFiles(createEngine({ seed: 7, now: 1e12 }));
  const shop = engine.createWorkspace("w").createDatabase("shop");
  const columns = defineColumns({ name: "string", file: "file" });
  const notes = shop.branch("main").createTable("notes", columns);
  const file = { name: "a.txt", mediaType: "text/plain", base64Content: "aGVsbG8=" };
  notes.insert([{ name: "Ants", file }, { name: "Bees" }]);
  const dev = shop.createBranch("dev", { from: "main", data: true });
  dev.table("notes").addColumn({ name: "more", type: "int" });
  const text = [...exportEngine(engine)].join("");
  const read = async function* (): AsyncGenerator<string> {
    yield text;
  };
  const opened = await openSpoiling();
  const setup = { ...resolveSetup({}), indexes: "never" as const };
  const catalog = await Catalog.open(opened.driver, setup);
  for (const [what, spoil] of Object.entries(SPOILS)) {
    opened.spoil = spoil;
    await expect(fillDatabase({ catalog }, read), what).rejects.toThrow(
      /differs from the source|expected its content/,
    );
  }
  opened.spoil = (statement) => statement;
  expect(await fillDatabase({ catalog }, read)).toMatchObject({ tables: 2, records: 4 });
  await opened.driver.close();
});

it("a copy into a file is compared with a second read of the source", async () => {
  const to = join(await makeFolder(), "taken.export");
  const engine = createEngine({ seed: 7, now: 1e12 });
  engine.createWorkspace("w").createDatabase("Ants");
  let reads = 0;
  const read = (spoiled: number) =>
    async function* (): AsyncGenerator<string> {
      const text = [...exportEngine(engine)].join("");
      yield reads++ === spoiled ? text.replace("Ants", "Aunt") : text;
    };
  await expect(copyToFile(read(1), to)).rejects.toThrow("differs from the source");
  reads = 0;
  await copyToFile(read(-1), to);
  expect(await readFile(to, "utf8")).toBe([...exportEngine(engine)].join(""));
});

it("ids that are read out of their order in the database are refused", async () => {
  const table = createTableVersion("t", assembleSchema([], 0));
  const time = "2024-01-01 00:00:00+00";
  // A decoder that drops U+FEFF reads the last one as the first.
  const rows: Row[] = ["a", "b", "a"].map((id) => [id, "0", time, time]);
  const session: Session = { query: async () => rows };
  const reading = readInBatches(session, "tb_1.t1", table);
  await expect(reading.next()).rejects.toThrow("tb_1.t1: its ids are read in another order");
});

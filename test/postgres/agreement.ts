import pg from "pg";
import { expect } from "vitest";
import { resolveSetup } from "../../src/engine/options.js";
import { Catalog } from "../../src/postgres/catalog.js";
import { storedColumns } from "../../src/postgres/rows.js";
import { databasesOf } from "../../src/postgres/schema-change.js";
import { openServer } from "../../src/postgres/server.js";
import { isCluster } from "./cluster.js";

/** Requires that the tables and columns of a database equal its catalog. */
export async function requireAgreement(url: string): Promise<void> {
  const driver = await openServer(url, { connections: 1, statementTimeout: 30_000 });
  const catalog = await Catalog.open(driver, { ...resolveSetup({}), indexes: "never" });
  const expected = new Map<string, string[]>();
  const versions = new Map<string, string>();
  for (const [key, { branches }] of databasesOf(catalog.context.state)) {
    const [workspace = "", database = ""] = key.split("/");
    const placement = catalog.placementOf({ workspace, database, branch: "main" })!;
    const { schema, tables } = placement;
    expected.set(`${schema}.version`, ["version"]);
    versions.set(schema, String(placement.version));
    for (const [branch, content] of branches) {
      for (const key of content.tables.values()) {
        const value = catalog.context.tableAt(key);
        const name = `${schema}.${tables.get(branch)?.get(value.identity)}`;
        expected.set(
          name,
          storedColumns(value.schema)
            .map((column) => column.name)
            .sort(),
        );
      }
    }
  }
  await driver.close();
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select table_schema || '.' || table_name as name, array_agg(column_name::text order by column_name collate "C") as columns
      from information_schema.columns where table_schema like 'tb\\_%' group by 1`,
  );
  expect(new Map(rows.map(({ name, columns }) => [name, columns]))).toEqual(expected);
  for (const [schema, version] of versions) {
    const gate = await client.query<{ version: string }>(`select version from ${schema}.version`);
    expect(gate.rows).toEqual([{ version }]);
  }
  if (isCluster) {
    const spread = await client.query<{ name: string }>(
      "select schema_name::text as name from citus_schemas",
    );
    const names = new Set(spread.rows.map(({ name }) => name));
    expect([...versions.keys()].filter((schema) => !names.has(schema))).toEqual([]);
  }
  await client.end();
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { type ColumnDefinition, createEngine } from "../../src/index.js";
import { seed } from "../generated.js";

interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

const names = fc.constantFrom("a", "A", "b", "c_1");
const TYPES: readonly Omit<ColumnDefinition, "name">[] = [
  ...(["int", "string", "datetime", "json"] as const).map((type) => ({ type })),
  ...[true, false].map((unique) => ({ type: "email" as const, unique })),
  ...[true, false].flatMap((notNull) =>
    [1, "2", null].map((defaultValue) => ({ type: "int" as const, notNull, defaultValue })),
  ),
  ...["t", "u", "gone"].map((table) => ({ type: "link" as const, link: { table } })),
  ...[2, 3].map((dimension) => ({ type: "vector" as const, vector: { dimension } })),
];
const leaf: fc.Arbitrary<ColumnDefinition> = fc
  .tuple(names, fc.constantFrom(...TYPES))
  .map(([name, type]) => ({ name, ...type }));

/** Columns whose names differ, also without regard to case (rule N-3). */
function listOf(column: fc.Arbitrary<ColumnDefinition>): fc.Arbitrary<ColumnDefinition[]> {
  return fc.uniqueArray(column, { selector: ({ name }) => name.toLowerCase(), maxLength: 4 });
}

const object: fc.Arbitrary<ColumnDefinition> = fc
  .tuple(names, listOf(leaf), listOf(leaf), names)
  .map(([name, outer, inner, innerName]) => ({
    name,
    type: "object",
    columns: [
      ...outer.filter((column) => column.name.toLowerCase() !== innerName.toLowerCase()),
      { name: innerName, type: "object", columns: inner },
    ],
  }));

const schema: fc.Arbitrary<TableSchema[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("t", "u", "T"),
    columns: listOf(fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: object })),
  }),
  { selector: ({ name }) => name.toLowerCase(), maxLength: 3 },
);

describe(`comparing schemas (seed ${seed})`, () => {
  it("X-4: gives the steps from one schema to another", async () => {
    await fc.assert(
      fc.asyncProperty(schema, schema, async (source, target) => {
        const branch = openBranch(source);
        const { edits } = await branch.post("compare", { schema: { tables: target } });
        await branch.post("apply", { edits });
        const after = await branch.post("compare", { schema: { tables: target } });
        expect(after.edits).toMatchObject({ operations: [] });
        expect(branch.tableNames().sort()).toEqual(target.map(({ name }) => name).sort());
      }),
      { seed },
    );
  });

  it("X-4: returns no steps from a schema to its own description", async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (source) => {
        const branch = openBranch(source);
        const { source: schemaNow } = await branch.post("compare", { schema: { tables: [] } });
        expect(await branch.post("compare", { schema: schemaNow })).toMatchObject({
          edits: { operations: [] },
        });
      }),
      { seed },
    );
  });
});

interface Answer {
  readonly edits?: unknown;
  readonly source?: unknown;
}

function openBranch(tables: readonly TableSchema[]): {
  post: (what: "compare" | "apply", body: unknown) => Promise<Answer>;
  tableNames: () => string[];
} {
  const engine = createEngine({ seed: 1 });
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  for (const { name, columns } of tables) branch.createTable(name, columns);
  const fetch = createFetch(engine);
  return {
    post: async (what, body) => {
      const response = await fetch(`http://localhost/db/d:main/schema/${what}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Answer;
      if (!response.ok) throw answer;
      return answer;
    },
    tableNames: () => branch.tables().map(({ name }) => name),
  };
}

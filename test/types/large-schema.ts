const TABLES = 20;
const COLUMNS = 15;
const LINKS = 4;
const TYPES: readonly string[] = [
  "string",
  "int",
  "float",
  "email",
  "datetime",
  "bool",
  "multiple",
  "text",
  "json",
];

/**
 * A program over 20 tables of 15 columns, four of them links in cycles. Each table is written,
 * queried, filtered and sorted through three links, and has a filter declared apart.
 *
 * @param src path of the source directory, with slashes
 */
export function writeLargeProgram(src: string): string {
  const tables = Array.from({ length: TABLES }, (_, table) => table);
  return [
    `import { createEngine, type FilterOf, type ShapeOf } from "${src}/index.js";`,
    'const shop = createEngine().createWorkspace("acme").createDatabase("shop");',
    'const t = shop.branch("main").createTables({',
    ...tables.map((table) => `  t${table}: [\n${writeColumns(table)}\n  ],`),
    "});",
    ...tables.map(writeCalls),
  ].join("\n");
}

/** Columns are named after their table, so that no two tables share a type. */
function writeColumns(table: number): string {
  const links = Array.from(
    { length: LINKS },
    (_, link) =>
      `{ name: "${linkName(table, link)}", type: "link", link: { table: "t${targetOf(table, link)}" } }`,
  );
  const object =
    `{ name: "object${table}", type: "object", columns: [` +
    `{ name: "sub${table}", type: "int" }, { name: "other${table}", type: "string" }] }`;
  const scalars = Array.from({ length: COLUMNS - LINKS - 1 }, (_, column) => {
    const type = column === 0 ? "string" : TYPES[(table + column) % TYPES.length];
    const notNull = column % 4 === 0 ? ", notNull: true" : "";
    return `{ name: "column${table}_${column}", type: "${type}"${notNull} }`;
  });
  return [...links, object, ...scalars].map((column) => `    ${column},`).join("\n");
}

function writeCalls(table: number): string {
  const first = targetOf(table, 0);
  const second = targetOf(first, 1);
  const third = targetOf(second, 2);
  const one = linkName(table, 0);
  const two = linkName(first, 1);
  const three = linkName(second, 2);
  const path = `${one}.${two}.${three}`;
  return `
for (const record of t.t${table}.query({
  columns: ["*", "${one}.*", "${one}.${two}.column${second}_0", "${path}.object${third}.sub${third}"],
  filter: {
    "${path}.column${third}_0": { $contains: "a" },
    $any: [{ "${one}.${two}.column${second}_0": "b" }, { ${one}: { ${two}: { column${second}_0: "c" } } }],
    $exists: "${path}.object${third}",
  },
  sort: [{ "${path}.column${third}_0": "asc" }, "${one}.${two}.id"],
}).records) {
  record.${one}?.${two}?.${three}?.object${third}?.sub${third}?.toFixed();
  t.t${table}.update(record.id, { column${table}_0: record.column${table}_0, ${one}: null });
  t.t${table}.insert(record);
}
const filter${table}: FilterOf<ShapeOf<typeof t.t${table}>> = { "${one}.column${first}_0": "a" };
t.t${table}.count(filter${table});`;
}

function linkName(table: number, link: number): string {
  return `link${table}_${link}`;
}

function targetOf(table: number, link: number): number {
  return (table * (link + 2) + link + 1) % TABLES;
}

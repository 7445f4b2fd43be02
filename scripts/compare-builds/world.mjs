// What the requests of one comparison are asked of: a profile, tables, and their first records.

const SCALARS = ["bool", "int", "float", "string", "text", "email", "datetime", "multiple"];
const SIZES = { 0: 1, 1: 1, 3: 2, 12: 8, 60: 10, 300: 8, 1500: 5, 5000: 3 };
const TEXTS = [
  "a",
  "b",
  "",
  "Ab",
  "A",
  "ab",
  "aB",
  "a*b",
  "\\",
  "?",
  "é",
  "İ",
  "aΣ",
  "～",
  "\u{1F600}",
];
const INSTANTS = [
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00+01:00",
  "2020-01-01T00:00:00.5Z",
  "2020-01-01T00:00:00.500001Z",
  "1969-12-31T23:59:59.999999Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999Z",
  "2400-02-29T12:00:00.000001Z",
];

/** A world without steps: `{ profile, indexes, seed, tables, records }`, all plain data. */
export function makeWorld(random, seed) {
  const profile = random.pick(["documented", "xata"]);
  const names = ["teams", "users", "notes"].slice(0, 1 + random.below(3));
  const tables = names.map((name) => ({ name, columns: makeColumns(random, names) }));
  const size = Number(random.weighted(SIZES));
  const records = Object.fromEntries(
    tables.map((table, index) => {
      const count = index === 0 ? size : random.below(size + 1);
      return [
        table.name,
        Array.from({ length: count }, (_, n) => makeFirst(random, table, n, size)),
      ];
    }),
  );
  const indexes = random.weighted({ auto: 6, always: 3, never: 1 });
  return { profile, indexes, seed, tables, records, size };
}

function makeColumns(random, tables) {
  const columns = random.several(1, 7, (index) => makeColumn(random, `c${index}`, tables, 2));
  const mail = random.chance(0.4) ? [{ name: "mail", type: "email", unique: true }] : [];
  return [{ name: "name", type: "string" }, { name: "n", type: "int" }, ...mail, ...columns];
}

/** A column; those of a name that ends in an even digit have few values, the others many. */
export function makeColumn(random, name, tables, depth = 1) {
  const type = random.weighted({
    ...Object.fromEntries(SCALARS.map((scalar) => [scalar, 3])),
    link: 5,
    json: 2,
    vector: 0.5,
    object: depth > 0 ? 3 : 0,
  });
  const options = {};
  if (type === "link") options.link = { table: random.pick([...tables, ...tables, "nowhere"]) };
  if (type === "vector") options.vector = { dimension: 2 };
  if (type === "object") {
    options.columns = random.several(1, 3, (index) =>
      makeColumn(random, `s${index}`, tables, depth - 1),
    );
  }
  if ((type === "string" || type === "int") && random.chance(0.15)) {
    options.defaultValue = type === "int" ? 7 : "b";
  }
  return { name, type, ...options };
}

function makeFirst(random, table, index, size) {
  const values = makeValues(random, table.columns, size);
  if (typeof values.mail === "string") values.mail = `m${index}@b.c`;
  return { id: `r${index}`, ...values };
}

/** Values for most columns of a record. */
export function makeValues(random, columns, size) {
  const values = {};
  for (const column of columns) {
    if (random.chance(0.12)) continue;
    values[column.name] = random.chance(0.06) ? null : makeValue(random, column, size);
  }
  return values;
}

/** A value that a column takes. */
export function makeValue(random, column, size) {
  const few = /[02468]$|^n$/.test(column.name);
  const many = Math.max(4, Math.ceil(size / 4));
  switch (column.type) {
    case "bool":
      return random.chance(0.5);
    case "int":
      return few ? random.below(5) - 1 : random.below(many);
    case "float":
      return few ? random.pick([0, 1, 0.1, -1.5, 1e300, 5e-324]) : random.below(many) / 8;
    case "string":
    case "text":
      return few ? random.pick(TEXTS) : `${random.pick(TEXTS)} ${random.below(many)}`;
    case "email":
      return few ? random.pick(["a@b.c", "A@b.c", "é@x.org"]) : `m${random.below(many)}@b.c`;
    case "datetime":
      return few
        ? random.pick(INSTANTS)
        : new Date(1.6e12 + random.below(many) * 3_600_000).toISOString();
    case "multiple":
      return random.several(0, 3, () => random.pick(["a", "b", "", "～"]));
    case "link":
      return makeId(random, size);
    case "object":
      return makeValues(random, column.columns, size);
    case "json":
      return random.pick([
        { a: "a" },
        { a: [1, "x", null] },
        [1, "a"],
        1,
        true,
        { a: { b: "ab" } },
      ]);
    case "vector":
      return random.pick([
        [0, 1],
        [0.5, -1],
      ]);
    default:
      throw new Error(`no values for ${column.type}`);
  }
}

/** An id of a record that is most likely there. */
export function makeId(random, size) {
  return random.chance(0.06)
    ? random.pick(["constructor", "～", "x y"])
    : `r${random.below(size + 2)}`;
}

/** Every path of a table, through objects and links, with the column that is there. */
export function listPaths(world, name, depth = 2) {
  const table = world.tables.find((each) => each.name === name);
  if (table === undefined) return [];
  const metadata = world.profile === "xata" ? "xata" : "service";
  return [
    { path: "id", column: { name: "id", type: "id" } },
    { path: `${metadata}.version`, column: { name: "version0", type: "int" } },
    { path: `${metadata}.createdAt`, column: { name: "createdAt0", type: "datetime" } },
    ...listColumns(world, table.columns, "", depth),
  ];
}

function listColumns(world, columns, prefix, depth) {
  return columns.flatMap((column) => {
    const path = prefix + column.name;
    const own = { path, column };
    if (column.type === "object") {
      return [own, ...listColumns(world, column.columns, `${path}.`, depth)];
    }
    if (column.type !== "link" || depth === 0) return [own];
    const beyond = listPaths(world, column.link.table, depth - 1);
    return [own, ...beyond.map((each) => ({ ...each, path: `${path}.${each.path}` }))];
  });
}

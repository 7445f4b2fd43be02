// The best SQL for each workload, written by hand: prepared statements over one connection of `pg`, with
// indexes, on tables of the same columns.
import pg from "pg";
import { readBySql } from "../engines/postgres-sql.mjs";

const TIMESTAMPTZ = 1184;
const BIGINT = 20;

const OWN = ["full_name", "email", "plan", "zipcode", "rating", "created", "labels", "team"];
const COLUMNS = ["id", "version", "created_at", "updated_at", ...OWN, "street", "number"];
const SELECT = `select ${COLUMNS.join(", ")} from raw.users`;

const INDEXES = [
  "teams (name)",
  "users (plan, id)",
  "users (plan, rating desc, full_name, id)",
  "users (team, created, id)",
  "users (created, id)",
  "users using gin (labels)",
  "users using gin (full_name gin_trgm_ops)",
];

/** Copies the tables of Twinbase, and creates the indexes. */
export async function prepareRaw(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select table_schema || '.' || table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema like 'tb\\_%' group by 1 having count(*) > 4`,
  );
  const sourceOf = (width) => {
    const found = rows.find(({ columns }) => columns.length === width);
    if (found === undefined) throw new Error(`no table of ${width} columns`);
    return found;
  };
  const copy = async (table, names) => {
    const { name, columns } = sourceOf(names.length);
    const taken = names.map((own, i) => `${columns[i]} as ${own}`).join(", ");
    await client.query(`create table raw.${table} as select ${taken} from ${name}`);
    await client.query(`alter table raw.${table} add primary key (id)`);
  };
  await client.query("create extension if not exists pg_trgm");
  await client.query("create schema raw");
  await copy("users", COLUMNS);
  await copy("teams", ["id", "version", "created_at", "updated_at", "name"]);
  await client.query("create table raw.bulk (like raw.users including indexes)");
  await client.query("create table raw.unique_bulk (like raw.bulk including all, unique (email))");
  for (const index of INDEXES) await client.query(`create index on raw.${index}`);
  await client.query("analyze");
  await client.end();
}

export async function openRaw(url) {
  const client = new pg.Client({ connectionString: url, options: "-c TimeZone=UTC" });
  client.setTypeParser(TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  client.setTypeParser(BIGINT, Number);
  await client.connect();

  const names = new Map();
  const rowsOf = async (text, values) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `r${names.size}`;
      names.set(text, name);
    }
    const { rows } = await client.query({ name, text, values: [...values] });
    return rows;
  };
  const select = async (rest, ...values) => (await rowsOf(`${SELECT} ${rest}`, values)).map(toUser);
  const count = async (rest, ...values) =>
    Number((await rowsOf(`select count(*) as n from raw.users ${rest}`, values))[0].n);
  const { get, byCreated, run } = readBySql({ select, count, teams: "raw.teams" });
  // One statement is a transaction: as durable as with `begin` and `commit`, in one round trip.
  const update = async ({ id, changes: { zipcode, rating } }, columns) => {
    const [row] = await rowsOf(
      `update raw.users set zipcode = $1, rating = $2, version = version + 1, updated_at = now()
       where id = $3 returning ${columns}`,
      [zipcode, rating, id],
    );
    return row;
  };
  return {
    get,
    byCreated,
    run: {
      ...run,
      W1q: ({ id }) => get(id),
      W9u: async (constants) => toUser(await update(constants, COLUMNS.join(", "))),
      W9p: (constants) => update(constants, "id, version, created_at, updated_at"),
      W9i: ({ user }) => insert(rowsOf, "users", [user]),
      bulk: ({ users }) => insert(rowsOf, "bulk", users),
      unique: ({ users }) => insert(rowsOf, "unique_bulk", users),
    },
    close: () => client.end(),
  };
}

const TYPES =
  "text[], text[], text[], text[], int[], float8[], timestamptz[], text[], text[]".split(", ");

async function insert(rowsOf, table, users) {
  // Nested arrays need rows of equal length, so labels are sent as text.
  const columns = [
    users.map(({ id }) => id),
    ...OWN.map((name) =>
      users.map((user) => {
        const value = user[name] ?? null;
        return Array.isArray(value) ? `{${value.join()}}` : value;
      }),
    ),
    users.map(({ address }) => address.street),
    users.map(({ address }) => address.number),
  ];
  const casts = [...TYPES, "text[]", "int[]"].map((type, i) => `$${i + 1}::${type}`);
  const taken = ["id", ...OWN, "street", "number"];
  const values = taken.map((name) => (name === "labels" ? "labels::text[]" : name));
  await rowsOf(
    `insert into raw.${table} (${taken.join(", ")}, version, created_at, updated_at)
     select ${values.join(", ")}, 0, now(), now() from unnest(${casts.join(", ")}) as u(${taken.join(", ")})`,
    columns,
  );
}

function toUser({ street, number, version, created_at, updated_at, ...rest }) {
  const { rating, ...others } = rest;
  return {
    ...others,
    ...(rating === null ? {} : { rating }),
    address: { street, number },
    xata: { version, createdAt: created_at, updatedAt: updated_at },
  };
}

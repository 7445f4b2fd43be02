import pg from "pg";

/** The address of a given server, which the tests do not stop. */
export const givenUrl: string | undefined = process.env.TWINBASE_POSTGRES_URL;

/** Whether the server is the coordinator of a cluster. */
export const isCluster: boolean = process.env.TWINBASE_CITUS === "1";

const OWN_DATABASES = "twinbase_test_";

/** Whether tests run that need a server of their own; prints the reason if not. */
export function runsHere(
  what: string,
  needs: string,
  runs: boolean = givenUrl === undefined,
): boolean {
  if (!runs) process.stdout.write(`not run here: ${what}, which needs ${needs}\n`);
  return runs;
}

/** An empty database of a server; in a cluster, its only database, emptied. */
export async function freshDatabase(server: string, name: string): Promise<string> {
  if (isCluster) {
    await dropDatabases(server);
    return server;
  }
  await onServer(server, async (client) => {
    await client.query(`drop database if exists ${OWN_DATABASES}${name} with (force)`);
    await client.query(`create database ${OWN_DATABASES}${name}`);
  });
  const url = new URL(server);
  url.pathname = `/${OWN_DATABASES}${name}`;
  return url.href;
}

/** Drops the databases or schemas that tests created. */
export async function dropDatabases(server: string): Promise<void> {
  await onServer(server, async (client) => {
    if (isCluster) {
      for (const name of await ownSchemas(client))
        await client.query(`drop schema ${name} cascade`);
      return;
    }
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, '${OWN_DATABASES}')`,
    );
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  });
}

/** Throws unless the server is an empty coordinator, as tests have no reserved names there. */
export async function requireEmptyCluster(server: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
    if (rowCount === 0) throw new Error("--citus: the database has no extension citus");
    const schemas = (await ownSchemas(client)).join(", ");
    if (schemas !== "") {
      throw new Error(`--citus: the database is not empty: drop schema ${schemas} cascade`);
    }
  });
}

async function ownSchemas(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname ~ '^tb_[0-9]+$' or nspname = 'twinbase'",
  );
  return rows.map(({ name }) => name);
}

/** Ends all sessions of Twinbase in a database. */
export async function endSessions(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'twinbase%'",
    );
  });
}

/** Calls `act` with a new connection. */
export async function onServer<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

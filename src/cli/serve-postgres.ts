import { type EngineServer, type ServeOptions, serve } from "../node.js";
import { openPostgres } from "../postgres.js";
import type { ProfileName } from "../profile.js";
import { readTarget } from "./postgres-target.js";

export interface PostgresServing {
  /** `postgres://…` or `pglite:folder`. */
  readonly address: string;
  readonly profile: ProfileName | undefined;
  readonly seed: number | undefined;
  readonly workspace: string | undefined;
  readonly database: string | undefined;
  readonly options: Omit<ServeOptions, "workspace" | "control">;
}

/** Milliseconds for the last requests: less than those after which Docker kills a container. */
const CLOSE_TIMEOUT = 5_000;

/** Serves a database in PostgreSQL; creates the workspace and the database if missing. */
export async function servePostgres(
  serving: PostgresServing,
): Promise<{ server: EngineServer; text: string }> {
  const { address, profile, seed, workspace = "local", database = "files", options } = serving;
  const db = await openPostgres(readTarget(address), { profile, seed, workspaces: [workspace] });
  try {
    const base = await db.change((engine) => {
      const opened = engine.workspace(workspace);
      const isThere = opened.databases().some(({ name }) => name === database);
      if (!isThere) opened.createDatabase(database);
      return engine.profile.base;
    });
    const server = await serve(db, { ...options, workspace });
    const close = async (): Promise<void> => {
      const timer = setTimeout(() => db.abort(), CLOSE_TIMEOUT);
      await server.close();
      clearTimeout(timer);
      await db.close();
    };
    const { url, port } = server;
    return {
      server: { url, port, close, [Symbol.asyncDispose]: close },
      text: [
        `${url} serves workspace ${workspace}, database ${database}:main (profile ${base}) from PostgreSQL`,
        "",
        `  ${url}/openapi.json describes the interface. Press Ctrl-C to stop.`,
        "",
      ].join("\n"),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

import { type EngineServer, type ServeOptions, serve } from "../node.js";
import { openPostgres } from "../postgres.js";
import { UsageError } from "./command.js";
import { readPostgresTarget } from "./postgres-target.js";
import { isExport } from "./read-file.js";
import { describePostgresServer } from "./server-text.js";
import { filesOf, findServed, openSources, type Sources } from "./sources.js";

export interface PostgresServing {
  /** `postgres://…` or `pglite:folder`. */
  readonly address: string;
  /** They fill an empty database. */
  readonly sources: Sources;
  readonly options: Omit<ServeOptions, "workspace" | "control">;
}

/** Milliseconds for the last requests: less than those after which Docker kills a container. */
const CLOSE_TIMEOUT = 5_000;

/** Serves a database in PostgreSQL; creates the workspace and the database if missing. */
export async function servePostgres(
  { address, sources, options }: PostgresServing,
  say: (line: string) => void,
): Promise<{ server: EngineServer; text: string }> {
  const exported = sources.files.find(isExport);
  if (exported !== undefined) {
    throw new UsageError(`${exported}: copy an export into PostgreSQL with twinbase copy`);
  }
  const { profile, seed } = sources;
  const db = await openPostgres(readPostgresTarget(address), { profile, seed });
  try {
    if (filesOf(sources).length > 0) {
      const isEmpty = await db.change((engine) => engine.workspaces().length === 0);
      if (isEmpty) await db.fill((await openSources(sources, say)).engine);
      else say("the database contains data: continuing with it, no files loaded");
    }
    const { base, served } = await db.change((engine) => ({
      base: engine.profile.base,
      served: findServed(engine, sources),
    }));
    const server = await serve(db, { ...options, workspace: served.workspace });
    const close = async (): Promise<void> => {
      const timer = setTimeout(() => db.abort(), CLOSE_TIMEOUT);
      await server.close();
      clearTimeout(timer);
      await db.close();
    };
    const { url, port } = server;
    return {
      server: { url, port, close, [Symbol.asyncDispose]: close },
      text: describePostgresServer(url, base, served),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

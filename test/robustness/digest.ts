import { createHash } from "node:crypto";
import type { AnyBranch, AnyDatabase, AnyEngine, AnyWorkspace } from "../../src/index.js";

/**
 * A hash of everything visible in an engine: users, workspaces, databases, branches, mappings,
 * schemas, records with their metadata, and the next id.
 */
export function digest(engine: AnyEngine): string {
  return createHash("sha256")
    .update(JSON.stringify(observe(engine)))
    .digest("base64url");
}

/** Everything visible in an engine. */
export function observe(engine: AnyEngine): unknown {
  return {
    users: engine.users(),
    workspaces: engine.workspaces().map(({ id, name }) => ({
      id,
      name,
      members: engine.users().filter((user) => engine.isMember(id, user.id)).length,
      ...observeWorkspace(engine.workspace(id)),
    })),
    nextId: nextId(engine),
  };
}

function observeWorkspace(workspace: AnyWorkspace): object {
  return {
    settings: workspace.settings(),
    databases: workspace
      .databases()
      .map((metadata) => ({ metadata, ...observeDatabase(workspace.database(metadata.name)) })),
  };
}

function observeDatabase(database: AnyDatabase): object {
  return {
    settings: database.settings(),
    gitBranches: database.gitBranches.list(),
    branches: database
      .branches()
      .map((branch) => ({ ...branch, ...observeBranch(database.branch(branch.name)) })),
  };
}

function observeBranch(branch: AnyBranch): object {
  return {
    metadata: branch.metadata(),
    tables: branch.tables().map(({ name }) => {
      const table = branch.table(name);
      return { name, schema: table.schema(), count: table.count(), records: [...table.scan()] };
    }),
  };
}

/** The id of the next record, drawn from a fork. */
function nextId(engine: AnyEngine): string {
  const fork = engine.fork();
  fork.clock.set(0); // its time is no part of the state
  const workspace = fork.createWorkspace("digest");
  return workspace.createDatabase("d").branch("main").createTable("t").insert({}).id;
}

import { resolve } from "node:path";
import { PostgresServer } from "../../scripts/postgres-server.mjs";
import { isCluster, onServer } from "./cluster.js";

const EXTENSIONS = resolve(import.meta.dirname, "citus-stand-in");

/** Starts a server whose database has a stand-in for Citus, which distributes nothing. */
export async function startStandIn(settings: readonly string[] = []): Promise<PostgresServer> {
  const path = `extension_control_path='$system:${EXTENSIONS}'`;
  const server = await PostgresServer.create([path, ...settings]);
  await onServer(server.url, (client) => client.query("create extension citus"));
  return server;
}

/** Starts the server of the tests if no address is given. */
export function startServer(): Promise<PostgresServer> {
  return isCluster ? startStandIn() : PostgresServer.create();
}

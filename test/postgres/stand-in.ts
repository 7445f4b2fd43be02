import { resolve } from "node:path";
import { isCluster, onServer, TestServer } from "./cluster.js";

const EXTENSIONS = resolve(import.meta.dirname, "citus-stand-in");

/** Starts a server whose database has a stand-in for Citus, which distributes nothing. */
export async function startStandIn(settings: readonly string[] = []): Promise<TestServer> {
  const path = `extension_control_path='$system:${EXTENSIONS}'`;
  const server = await TestServer.create([path, ...settings]);
  await onServer(server.url, (client) => client.query("create extension citus"));
  return server;
}

/** Starts the server of the tests if no address is given. */
export function startServer(): Promise<TestServer> {
  return isCluster ? startStandIn() : TestServer.create();
}

import type { TestProject } from "vitest/node";
import { dropDatabases, givenUrl, isCluster, requireEmptyCluster } from "./cluster.js";
import { startServer } from "./stand-in.js";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Starts PostgreSQL for the tests unless an address is given. Returns the clean-up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (givenUrl !== undefined) {
    const url = givenUrl;
    if (isCluster) await requireEmptyCluster(url);
    project.provide("postgresUrl", url);
    return () => dropDatabases(url);
  }
  const server = await startServer();
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}

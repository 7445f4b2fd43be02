import type { TestProject } from "vitest/node";
import { TestServer } from "./cluster.js";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Starts PostgreSQL for the tests, unless they are to use another; it leaves nothing behind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TWINBASE_POSTGRES_URL;
  if (given !== undefined) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await TestServer.create();
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}

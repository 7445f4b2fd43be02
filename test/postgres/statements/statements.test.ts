/** @module-tag slow */
import { PGlite } from "@electric-sql/pglite";
import { describeStatements } from "./cases.js";
import { describeEscapes, IMPURE_FUNCTIONS, type ServerFunction } from "./escapes.js";
import "../copied-database.js";

const inMemory = async (): Promise<{ pglite: true }> => ({ pglite: true });

describeStatements(inMemory);
describeEscapes(inMemory, async () => {
  const server = new PGlite();
  const { rows } = await server.query<ServerFunction>(IMPURE_FUNCTIONS);
  await server.close();
  return rows;
});

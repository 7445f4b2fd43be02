/** @module-tag slow */
import { describeStatements } from "./cases.js";
import { describeEscapes } from "./escapes.js";

const inMemory = async (): Promise<{ pglite: true }> => ({ pglite: true });

describeStatements(inMemory);
describeEscapes(inMemory);

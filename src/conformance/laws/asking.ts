import type { Expectation } from "../vectors/vector.js";
import type { JsonObject } from "./cases.js";
import { branchPath, type Scene } from "./scene.js";

/** Where the records of `people` are. */
export const DATA: string = branchPath("/tables/people/data");

/** Sends a write to a record of `people`. */
export async function write(
  scene: Scene,
  method: string,
  id: string,
  body: JsonObject | undefined,
  expectation: Expectation,
): Promise<void> {
  const request = { method, path: `${DATA}/${id}`, ...(body === undefined ? {} : { body }) };
  await scene.send(request, expectation);
}

import type { Json } from "../../types.js";
import type { Expectation } from "../vectors/vector.js";
import type { JsonObject } from "./cases.js";
import { branchPath, type Scene } from "./scene.js";

/** The ids of the people that a filter matches. */
export async function find(scene: Scene, filter: Json): Promise<readonly string[]> {
  return (await scene.query("people", { filter })).ids;
}

/** Asks for a filter that has to match just these. */
export async function claim(
  scene: Scene,
  filter: Json,
  ids: readonly string[],
  why: string,
): Promise<void> {
  await find(scene, filter);
  scene.expect({ status: 200, ids: { unordered: ids } }, why);
}

/** Asks for filters that all have to match the same. */
export async function claimSame(
  scene: Scene,
  why: string,
  first: Json,
  ...others: Json[]
): Promise<void> {
  const ids = await find(scene, first);
  for (const other of others) await claim(scene, other, ids, why);
}

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

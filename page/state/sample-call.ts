import { servicePath } from "./api.js";
import { tree } from "./catalog.js";
import { place } from "./place.js";
import type { SampleCall } from "./samples.js";

/** A POST request to the current branch or table, for code samples. */
export function sampleCall(operation: string, path: string, request: unknown): SampleCall {
  const [workspace = "", database, branch, table] = place.value.address;
  const isOnly = (tree.value ?? []).filter((of) => of.database === database).length === 1;
  const at = servicePath(workspace, isOnly, path);
  const call = { method: "POST", path: at, search: "", operation, request };
  return { ...call, workspace, database, branch, table };
}

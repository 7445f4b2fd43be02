import { castDraft } from "immer";
import { refuse } from "../errors.js";
import { readFields, readJsonObject, readString } from "../value/fields.js";
import { findWorkspace } from "./find.js";
import { checkName } from "./names.js";
import { type CatalogState, produceState } from "./state.js";

/** A workspace, as lists of them give it. */
export interface WorkspaceMetadata {
  id: string;
  name: string;
}

/** How a workspace is made. */
export interface WorkspaceOptions {
  /** What people call it, 1–255 characters; default its id. */
  readonly name?: string | undefined;
}

/** Adds an empty workspace; its id is as rule N-1 has names. */
export function addWorkspace(state: CatalogState, id: string, options: unknown): CatalogState {
  checkName("workspace", id);
  if (state.workspaces.has(id)) {
    // The closed list of codes has none for a workspace that exists (rule E-1).
    refuse("invalid_request", `workspace [${id}] already exists`, { rule: "E-1" });
  }
  const { name = id } = readFields(options, ["name"], { what: "workspace", rule: "E-3" });
  const given = readWorkspaceName(name);
  return produceState(state, (draft) => {
    draft.workspaces.set(id, {
      name: given,
      databases: new Map(),
      members: new Set(),
      settings: {},
    });
  });
}

/** Gives a workspace another name; its id stays. */
export function renameWorkspace(state: CatalogState, id: string, name: unknown): CatalogState {
  findWorkspace(state, id);
  const given = readWorkspaceName(name);
  return produceState(state, (draft) => {
    draft.workspaces.get(id)!.name = given;
  });
}

/** Removes a workspace and everything in it. */
export function removeWorkspace(state: CatalogState, id: string): CatalogState {
  findWorkspace(state, id);
  return produceState(state, (draft) => {
    draft.workspaces.delete(id);
  });
}

/** Every workspace, in the order they were made. */
export function listWorkspaces(state: CatalogState): WorkspaceMetadata[] {
  return Array.from(state.workspaces, ([id, { name }]) => ({ id, name }));
}

/** Stores settings of a workspace; those not given stay (rule X-5). */
export function changeWorkspaceSettings(
  state: CatalogState,
  id: string,
  changes: unknown,
): CatalogState {
  const { settings } = findWorkspace(state, id);
  const given = readJsonObject(changes, { what: "settings", rule: "X-5" });
  return produceState(state, (draft) => {
    draft.workspaces.get(id)!.settings = castDraft({ ...settings, ...given });
  });
}

function readWorkspaceName(name: unknown): string {
  return readString(name, 1, 255, { what: "workspace name", path: "/name", rule: "E-3" });
}

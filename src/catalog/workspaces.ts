import { refuse } from "../errors.js";
import { readFields, readString } from "../shape/fields.js";
import { type CatalogEvent, changed, created, deleted } from "./events.js";
import { findWorkspace } from "./find.js";
import { checkName } from "./names.js";
import { mergeSettings } from "./settings.js";
import type { CatalogState } from "./state.js";
import { requireUser } from "./users.js";

/** A workspace in a list. */
export interface WorkspaceMetadata {
  id: string;
  /** Not unique. */
  name: string;
  /** The name in URLs. */
  slug: string;
}

/** Options of a new workspace. */
export interface WorkspaceOptions {
  /** 1–255 characters; default the id. */
  readonly name?: string | undefined;
  /** Characters of `A-Z a-z 0-9 _ - ~`; default the id. */
  readonly slug?: string | undefined;
  /** User id of the owner (rule A-2); default none. */
  readonly owner?: string | undefined;
}

/** An update of a workspace (rule A-2). */
export interface WorkspaceChanges {
  readonly name: string;
  /** Default unchanged. */
  readonly slug?: string | undefined;
}

export function addWorkspace(state: CatalogState, id: string, options: unknown): CatalogEvent[] {
  checkName("workspace", id);
  if (state.workspaces.has(id)) {
    // Existing workspaces have no error code (rule E-1).
    refuse("invalid_request", `workspace [${id}] already exists`, { rule: "E-1" });
  }
  const part = { what: "workspace", rule: "A-2" };
  const { name = id, slug = id, owner } = readFields(options, ["name", "slug", "owner"], part);
  if (owner !== undefined) requireUser(state, owner);
  const validName = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  const added = created("workspace", [id], { name: validName, slug, settings: {} });
  if (owner === undefined) return [added];
  return [added, created("member", [id, owner as string], "owner")]; // known to be a user's id
}

export function changeWorkspace(state: CatalogState, id: string, changes: unknown): CatalogEvent[] {
  const current = findWorkspace(state, id);
  const part = { what: "workspace", rule: "A-2" };
  const { name, slug = current.slug } = readFields(changes, ["name", "slug"], part);
  const validName = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  return [changed("workspace", [id], { name: validName, slug, settings: current.settings })];
}

export function removeWorkspace(state: CatalogState, id: string): CatalogEvent[] {
  findWorkspace(state, id);
  return [deleted("workspace", id)];
}

export function listWorkspaces(state: CatalogState): WorkspaceMetadata[] {
  return Array.from(state.workspaces, ([id, { name, slug }]) => ({ id, name, slug }));
}

export function changeWorkspaceSettings(
  state: CatalogState,
  id: string,
  changes: unknown,
): CatalogEvent[] {
  const { name, slug, settings } = findWorkspace(state, id);
  return [changed("workspace", [id], { name, slug, settings: mergeSettings(settings, changes) })];
}

function readWorkspaceName(name: unknown): string {
  return readString(name, 1, 255, { what: "workspace name", path: "/name", rule: "A-2" });
}

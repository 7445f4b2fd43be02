import { current } from "immer";
import { refuse } from "../errors.js";
import { readFields, readString } from "../value/fields.js";
import { dropTables } from "./branches.js";
import { asDraft, type CatalogDraft, type ChangeContext } from "./draft.js";
import { findWorkspace } from "./find.js";
import { checkName } from "./names.js";
import { mergeSettings } from "./settings.js";
import type { CatalogState, WorkspaceState } from "./state.js";
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

export function addWorkspace(draft: CatalogDraft, id: string, options: unknown): void {
  checkName("workspace", id);
  if (draft.workspaces.has(id)) {
    // Existing workspaces have no error code (rule E-1).
    refuse("invalid_request", `workspace [${id}] already exists`, { rule: "E-1" });
  }
  const place = { what: "workspace", rule: "A-2" };
  const { name = id, slug = id, owner } = readFields(options, ["name", "slug", "owner"], place);
  if (owner !== undefined) requireUser(draft, owner);
  const given = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  const added: WorkspaceState = {
    name: given,
    slug,
    databases: new Map(),
    members: new Map(owner === undefined ? [] : [[owner as string, "owner"]]), // known to be a user's id
    invites: new Map(),
    settings: {},
  };
  draft.workspaces.set(id, asDraft(added));
}

export function changeWorkspace(draft: CatalogDraft, id: string, changes: unknown): void {
  const known = findWorkspace(draft, id);
  const place = { what: "workspace", rule: "A-2" };
  const { name, slug = known.slug } = readFields(changes, ["name", "slug"], place);
  const given = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  known.name = given;
  known.slug = slug;
}

export function removeWorkspace(draft: CatalogDraft, id: string, context: ChangeContext): void {
  const { databases } = current(findWorkspace(draft, id));
  for (const { branches } of databases.values()) dropTables(branches.values(), context);
  draft.workspaces.delete(id);
}

export function listWorkspaces(state: CatalogState): WorkspaceMetadata[] {
  return Array.from(state.workspaces, ([id, { name, slug }]) => ({ id, name, slug }));
}

export function changeWorkspaceSettings(draft: CatalogDraft, id: string, changes: unknown): void {
  const workspace = findWorkspace(draft, id);
  workspace.settings = asDraft(mergeSettings(current(workspace).settings, changes));
}

function readWorkspaceName(name: unknown): string {
  return readString(name, 1, 255, { what: "workspace name", path: "/name", rule: "A-2" });
}

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

/** A workspace, as lists of them give it. */
export interface WorkspaceMetadata {
  /** Names it in calls. */
  id: string;
  /** What it is called; not unique. */
  name: string;
  /** The name as a part of addresses. */
  slug: string;
}

/** How a workspace is made. */
export interface WorkspaceOptions {
  /** What people call it, 1–255 characters; default its id. */
  readonly name?: string | undefined;
  /** Characters of `A-Z a-z 0-9 _ - ~`; default its id. */
  readonly slug?: string | undefined;
  /** The id of the user that becomes its owner (rule A-2); default nobody. */
  readonly owner?: string | undefined;
}

/** What of a workspace can be changed (rule A-2). */
export interface WorkspaceChanges {
  readonly name: string;
  /** Absent, it stays. */
  readonly slug?: string | undefined;
}

/** Adds an empty workspace; its id is as rule N-1 has names. */
export function addWorkspace(draft: CatalogDraft, id: string, options: unknown): void {
  checkName("workspace", id);
  if (draft.workspaces.has(id)) {
    // The closed list of codes has none for a workspace that exists (rule E-1).
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
    members: new Map(owner === undefined ? [] : [[owner as string, "owner"]]), // found as one
    invites: new Map(),
    settings: {},
  };
  draft.workspaces.set(id, asDraft(added));
}

/** Gives a workspace another name and, where it is given, another slug; its id stays (rule A-2). */
export function changeWorkspace(draft: CatalogDraft, id: string, changes: unknown): void {
  const known = findWorkspace(draft, id);
  const place = { what: "workspace", rule: "A-2" };
  const { name, slug = known.slug } = readFields(changes, ["name", "slug"], place);
  const given = readWorkspaceName(name);
  checkName("workspace", slug, "/slug");
  known.name = given;
  known.slug = slug;
}

/** Removes a workspace and everything in it. */
export function removeWorkspace(draft: CatalogDraft, id: string, context: ChangeContext): void {
  const { databases } = current(findWorkspace(draft, id));
  for (const { branches } of databases.values()) dropTables(branches.values(), context);
  draft.workspaces.delete(id);
}

/** Every workspace, in the order they were made. */
export function listWorkspaces(state: CatalogState): WorkspaceMetadata[] {
  return Array.from(state.workspaces, ([id, { name, slug }]) => ({ id, name, slug }));
}

/** Stores settings of a workspace; those not given stay (rule X-5). */
export function changeWorkspaceSettings(draft: CatalogDraft, id: string, changes: unknown): void {
  const workspace = findWorkspace(draft, id);
  workspace.settings = asDraft(mergeSettings(current(workspace).settings, changes));
}

function readWorkspaceName(name: unknown): string {
  return readString(name, 1, 255, { what: "workspace name", path: "/name", rule: "A-2" });
}

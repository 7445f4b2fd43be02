import { DEFAULT_REGION } from "../../catalog/databases.js";
import { ROLE } from "../../catalog/invites.js";
import { checkName } from "../../catalog/names.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import type { ProfileName } from "../../profile.js";
import type { JsonObject } from "../../shape/fields.js";
import * as s from "../../shape/schema.js";
import {
  type Address,
  findAccount,
  findControlWorkspace,
  membersOf,
  seesWorkspace,
} from "../address.js";
import { placesIn } from "../branch-stats.js";
import { defineRoute, type Routes } from "../route.js";

const WORKSPACE_AT = "/workspaces/{workspace_id}";
const PLAN = "free";
/** Maximum characters of a slug in an id, which must be a valid name (rule N-1). */
const MAX_ID_SLUG = 248;

const XATA_REGIONS = ["us-east-1", "us-west-2", "eu-central-1", "eu-west-1", "ap-southeast-2"];

/** Regions beside the server's own (rule D-7). */
const REGIONS: Readonly<Record<ProfileName, readonly string[]>> = {
  documented: [],
  xata: XATA_REGIONS,
  "xata-next": XATA_REGIONS,
};

const PLAN_NAME = { const: PLAN };
const WORKSPACE = s.named(
  "Workspace",
  s.objectOf({
    id: s.TEXT,
    unique_id: s.TEXT,
    name: s.TEXT,
    slug: s.TEXT,
    role: ROLE,
    plan: PLAN_NAME,
  }),
);
const DESCRIPTION = s.named(
  "WorkspaceDescription",
  s.objectOf({
    id: s.TEXT,
    name: s.TEXT,
    slug: s.TEXT,
    plan: PLAN_NAME,
    memberCount: s.INTEGER,
  }),
);
const NAME = s.textOf(1, 255);
const DETAILS = s.named(
  "WorkspaceDetails",
  s.reading(s.objectOf({ name: NAME }, { slug: s.described(s.TEXT) }), {
    what: "workspace",
    rule: "A-2",
  }),
);

export const WORKSPACE_ROUTES: Routes<
  | "getWorkspacesList"
  | "createWorkspace"
  | "getWorkspace"
  | "updateWorkspace"
  | "deleteWorkspace"
  | "getWorkspaceSettings"
  | "updateWorkspaceSettings"
  | "listRegions"
> = {
  getWorkspacesList: defineRoute({
    at: "GET /workspaces",
    summary: "The caller's workspaces.",
    answers: { 200: s.objectOf({ workspaces: s.arrayOf(WORKSPACE) }) },
    act: (address, { engine, closed, caller }) => {
      const seen = engine.workspaces().filter(({ id }) => seesWorkspace(address, id));
      const workspaces = seen.map(({ id, name, slug }) => {
        const role = closed ? engine.roleOf(id, caller.id) : "owner";
        return { id, unique_id: id, name, slug, role, plan: PLAN };
      });
      return { workspaces };
    },
  }),
  createWorkspace: defineRoute({
    at: "POST /workspaces",
    summary: "Creates a workspace; the caller is its owner.",
    body: DETAILS,
    answers: { 201: DESCRIPTION },
    act: (address, { engine, caller, body: { name, slug: chosenSlug } }) => {
      const slug = chosenSlug ?? name.replace(/[^A-Za-z0-9_~-]+/g, "-");
      checkName("workspace", slug, chosenSlug === undefined ? "/name" : "/slug");
      const id = `${slug.slice(0, MAX_ID_SLUG)}-${engine.drawSecret(6)}`.toLowerCase();
      return describeWorkspace(
        engine.createWorkspace(id, { name, slug, owner: caller.id }),
        address,
      );
    },
  }),
  getWorkspace: defineRoute({
    at: `GET ${WORKSPACE_AT}`,
    summary: "A workspace by its id.",
    answers: { 200: DESCRIPTION },
    find: findAccount,
    act: describeWorkspace,
  }),
  updateWorkspace: defineRoute({
    at: `PUT ${WORKSPACE_AT}`,
    summary: "Changes a workspace's name and slug.",
    body: s.described(DETAILS),
    answers: { 200: DESCRIPTION },
    find: findAccount,
    act: (workspace, { body, ...address }) => {
      workspace.update(body);
      return describeWorkspace(workspace, address);
    },
  }),
  deleteWorkspace: defineRoute({
    at: `DELETE ${WORKSPACE_AT}`,
    summary: "Deletes a workspace with all its databases.",
    answers: { 204: null },
    find: findAccount,
    act: ({ id }, { engine, stats }) => {
      engine.deleteWorkspace(id);
      stats.forget(placesIn(id));
    },
  }),
  getWorkspaceSettings: defineRoute({
    at: `GET ${WORKSPACE_AT}/settings`,
    summary: "The settings of a workspace.",
    answers: { 200: s.ANY_OBJECT },
    find: findAccount,
    act: (workspace) => workspace.settings(),
  }),
  updateWorkspaceSettings: defineRoute({
    at: `PATCH ${WORKSPACE_AT}/settings`,
    summary: "Merges settings of a workspace.",
    body: s.anyObject<JsonObject>(),
    keepsNulls: true,
    answers: { 200: s.ANY_OBJECT },
    find: findAccount,
    act: (workspace, { body }) => workspace.updateSettings(body),
  }),
  listRegions: defineRoute({
    at: `GET ${WORKSPACE_AT}/regions`,
    summary: "The regions.",
    answers: { 200: s.objectOf({ regions: s.arrayOf(s.objectOf({ id: s.TEXT, name: s.TEXT })) }) },
    find: findControlWorkspace,
    act: (_, { engine, region }) => {
      const regions = new Set([region ?? DEFAULT_REGION, ...REGIONS[engine.profile.base]]);
      return { regions: Array.from(regions, (id) => ({ id, name: id })) };
    },
  }),
};

function describeWorkspace(
  workspace: AnyWorkspace,
  address: Pick<Address, "caller" | "closed">,
): object {
  const { length: memberCount } = membersOf(address, workspace);
  return { ...workspace.metadata(), plan: PLAN, memberCount };
}

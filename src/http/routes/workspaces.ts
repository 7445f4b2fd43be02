import { listMembers } from "../../accounts.js";
import { checkName } from "../../catalog/names.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import type { ProfileName } from "../../profile.js";
import { readFields, readString } from "../../value/fields.js";
import {
  findAccount,
  findControlWorkspace,
  findNothing,
  findOwnAccount,
  seesWorkspace,
} from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, arrayOf, objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const WORKSPACE = "/workspaces/{workspace_id}";
const PLAN = "free";
/** Of a slug, so much goes into an id, which is a name too (rule N-1). */
const MAX_ID_SLUG = 248;

/** Where databases can be made, unless the server is told of a region of its own (rule D-7). */
const REGIONS: Readonly<Record<ProfileName, readonly string[]>> = {
  documented: ["us-east-1"],
  xata: ["us-east-1", "us-west-2", "eu-central-1", "eu-west-1", "ap-southeast-2"],
};

/** The workspaces that the caller sees, and their settings (rule X-5). */
export const WORKSPACE_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/workspaces",
    plane: "control",
    touches: "catalog",
    operation: "getWorkspacesList",
    summary: "The workspaces that the caller sees.",
    answers: { 200: objectOf({ workspaces: arrayOf(refer("Workspace")) }) },
    find: findNothing,
    handle: (address, { engine }) => ({
      status: 200,
      body: {
        workspaces: engine
          .workspaces()
          .filter(({ id }) => seesWorkspace(address, id))
          .map(({ id, name, slug }) => {
            const role = address.closed ? engine.roleOf(id, address.caller.id) : "owner";
            return { id, unique_id: id, name, slug, role, plan: PLAN };
          }),
      },
    }),
  }),
  defineRoute({
    method: "POST",
    path: "/workspaces",
    plane: "control",
    touches: "catalog",
    operation: "createWorkspace",
    summary: "Makes a workspace, of which the caller is the owner.",
    body: refer("WorkspaceDetails"),
    answers: { 201: refer("WorkspaceDescription") },
    find: findNothing,
    handle: (_, { engine, caller, body }) => {
      const place = { what: "workspace", rule: "A-2" };
      const { name, slug: given } = readFields(body, ["name", "slug"], place);
      const named = readString(name, 1, 255, { what: "name", path: "/name", rule: "A-2" });
      const slug = given ?? named.replace(/[^A-Za-z0-9_~-]+/g, "-");
      checkName("workspace", slug, given === undefined ? "/name" : "/slug");
      const id = `${slug.slice(0, MAX_ID_SLUG)}-${engine.drawSecret(6)}`.toLowerCase();
      const workspace = engine.createWorkspace(id, { name: named, slug, owner: caller.id });
      return { status: 201, body: describeWorkspace(workspace) };
    },
  }),
  defineRoute({
    method: "GET",
    path: WORKSPACE,
    plane: "control",
    touches: "catalog",
    operation: "getWorkspace",
    summary: "A workspace by its id.",
    answers: { 200: refer("WorkspaceDescription") },
    find: findAccount,
    handle: (workspace) => ({ status: 200, body: describeWorkspace(workspace) }),
  }),
  defineRoute({
    method: "PUT",
    path: WORKSPACE,
    plane: "control",
    touches: "catalog",
    operation: "updateWorkspace",
    summary: "Gives a workspace another name and, where it is given, another slug.",
    body: refer("WorkspaceDetails"),
    answers: { 200: refer("WorkspaceDescription") },
    find: findOwnAccount,
    handle: (workspace, { body }) => {
      workspace.update(unchecked(body));
      return { status: 200, body: describeWorkspace(workspace) };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: WORKSPACE,
    plane: "control",
    touches: "catalog",
    operation: "deleteWorkspace",
    summary: "Deletes a workspace with all its databases.",
    answers: { 204: null },
    find: findOwnAccount,
    handle: ({ id }, { engine }) => {
      engine.deleteWorkspace(id);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${WORKSPACE}/settings`,
    plane: "control",
    touches: "catalog",
    operation: "getWorkspaceSettings",
    summary: "The settings of a workspace.",
    answers: { 200: ANY_OBJECT },
    find: findAccount,
    handle: (workspace) => ({ status: 200, body: workspace.settings() }),
  }),
  defineRoute({
    method: "PATCH",
    path: `${WORKSPACE}/settings`,
    plane: "control",
    touches: "catalog",
    operation: "updateWorkspaceSettings",
    summary: "Stores settings of a workspace; those not given stay.",
    body: ANY_OBJECT,
    keepsNulls: true,
    answers: { 200: ANY_OBJECT },
    find: findAccount,
    handle: (workspace, { body }) => ({
      status: 200,
      body: workspace.updateSettings(unchecked(body)),
    }),
  }),
  defineRoute({
    method: "GET",
    path: `${WORKSPACE}/regions`,
    plane: "control",
    touches: "catalog",
    operation: "listRegions",
    summary: "Where databases can be made.",
    answers: { 200: objectOf({ regions: arrayOf(objectOf({ id: TEXT, name: TEXT })) }) },
    find: findControlWorkspace,
    handle: (_, { engine, region }) => {
      const { base } = engine.profile;
      const regions = new Set(region === undefined ? [] : [region]);
      for (const id of REGIONS[base]) if (base === "xata" || region === undefined) regions.add(id);
      return { status: 200, body: { regions: Array.from(regions, (id) => ({ id, name: id })) } };
    },
  }),
];

/** A workspace as rule A-2 describes it. */
function describeWorkspace(workspace: AnyWorkspace): object {
  return { ...workspace.metadata(), plan: PLAN, memberCount: listMembers(workspace).length };
}

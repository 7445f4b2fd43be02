import { findControlWorkspace, findNothing, seesWorkspace } from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, arrayOf, objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const WORKSPACE = "/workspaces/{workspace_id}";
const DEFAULT_REGION = "us-east-1";

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
          .map(({ id, name }) => ({ id, name, slug: id, role: "owner" })),
      },
    }),
  }),
  defineRoute({
    method: "GET",
    path: `${WORKSPACE}/settings`,
    plane: "control",
    touches: "catalog",
    operation: "getWorkspaceSettings",
    summary: "The settings of a workspace.",
    answers: { 200: ANY_OBJECT },
    find: findControlWorkspace,
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
    answers: { 200: ANY_OBJECT },
    find: findControlWorkspace,
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
    handle: (_, { region = DEFAULT_REGION }) => ({
      status: 200,
      body: { regions: [{ id: region, name: region }] },
    }),
  }),
];

import { DEFAULT_KEY } from "../../catalog/keys.js";
import { readRole } from "../../catalog/members.js";
import { checkName } from "../../catalog/names.js";
import type {
  DatabaseState,
  InviteState,
  KeyState,
  Role,
  UserState,
  WorkspaceState,
} from "../../catalog/state.js";
import { BUILT_IN_USER_ID } from "../../catalog/users.js";
import { readJsonObject, readString, readStrings } from "../../value/fields.js";
import { isEmail } from "../../value/text.js";
import { refusePart, requireFields, requireInstant, requireList, requireText } from "./values.js";

// What lines hold of users, workspaces and databases, each checked as if it had been asked for.

/** Of keys in an export that does not say when they were made. */
const FIRST_TIME = "1970-01-01T00:00:00Z";

export function readUser(details: unknown): UserState {
  const { email, fullname, image } = requireFields(details, "user");
  if (typeof email !== "string" || !isEmail(email)) refusePart("email", "an address", email);
  return {
    email,
    fullname: readString(fullname, 1, 255, { what: "fullname", rule: "U-2" }),
    image: readString(image, 0, 2048, { what: "image", rule: "U-2" }),
  };
}

/** A key with its name, or as version 1 has it: alone, named as one given at the start is. */
export function readKey(userId: string, entry: unknown, index: number): [string, KeyState] {
  const number = index === 0 ? "" : `-${index + 1}`;
  const given = typeof entry === "string" ? [entry, `default${number}`, FIRST_TIME, false] : entry;
  const [key, name, createdAt, mark] = requireList(given, "keys");
  checkName("key", name);
  if (mark !== undefined && typeof mark !== "boolean") refusePart("keys", "true or false", mark);
  const state = { userId, name, createdAt: requireInstant(createdAt, "keys") };
  // Without a mark, keys of the built-in user that were not given to it were made in open mode.
  const openOnly = userId === BUILT_IN_USER_ID && (mark ?? name !== DEFAULT_KEY);
  return [requireText(key, "keys"), openOnly ? { ...state, openOnly } : state];
}

/** @param users that there are */
export function readWorkspace(
  id: string,
  details: unknown,
  users: Pick<ReadonlyMap<string, UserState>, "has">,
): Omit<WorkspaceState, "databases"> {
  const { name, slug = id, members, invites = [], settings } = requireFields(details, "workspace");
  checkName("workspace", slug);
  const workspace = {
    name: readString(name, 1, 255, { what: "workspace name", rule: "E-3" }),
    slug,
    members: new Map(requireList(members, "members").map(readMember)),
    invites: new Map(requireList(invites, "invites").map(readInvite)),
    settings: readJsonObject(settings, { what: "settings", rule: "X-5" }),
  };
  for (const member of workspace.members.keys()) {
    if (!users.has(member)) refusePart("members", "ids of users", member);
  }
  return workspace;
}

export function readDatabase(
  details: unknown,
): Omit<DatabaseState, "branches" | "migrationRequests"> {
  const { region, createdAt, color, gitBranches, settings } = requireFields(details, "database");
  const mappings = requireList(gitBranches, "gitBranches").map((mapping) => {
    const [gitBranch, branch] = readStrings(mapping, { what: "gitBranches", rule: "B-2" });
    return [gitBranch ?? "", branch ?? ""] as const;
  });
  return {
    region: readString(region, 1, 255, { what: "region", rule: "D-1" }),
    createdAt: requireInstant(createdAt, "createdAt"),
    color: color === null ? undefined : readString(color, 1, 32, { what: "color", rule: "D-3" }),
    branchesByGitBranch: new Map(mappings),
    settings: readJsonObject(settings, { what: "settings", rule: "X-5" }),
  };
}

function readMember(entry: unknown): [string, Role] {
  const [userId, role] = requireList(
    typeof entry === "string" ? [entry, "owner"] : entry,
    "members",
  );
  return [requireText(userId, "members"), readRole(role, "")];
}

function readInvite(entry: unknown): [string, InviteState] {
  const [id, key, email, role, expires] = requireList(entry, "invites");
  if (typeof email !== "string" || !isEmail(email)) refusePart("email", "an address", email);
  return [
    requireText(id, "invites"),
    {
      key: requireText(key, "invites"),
      email,
      role: readRole(role, ""),
      expires: requireInstant(expires, "invites"),
    },
  ];
}

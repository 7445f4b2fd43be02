import { afterEach, beforeEach, expect, it } from "vitest";
import { describeClients, expectStatus, type Setup, setUp, WAYS } from "./npm-clients.js";

const NOW = "2024-01-31T12:00:00Z";
const IN_A_WEEK = "2024-02-07T12:00:00Z";

describeClients(WAYS, "accounts by the API client of $title", ({ version, way }) => {
  let setup: Setup;
  /** Ids of users. */
  let owner: string;
  let guest: string;

  beforeEach(async () => {
    setup = await setUp(version, way, [], { auth: "closed" });
    const engine = setup.engine!;
    const user = (name: string, key: string) =>
      engine.createUser({ email: `${name}@example.com`, fullname: name, keys: [key] }).id;
    owner = user("owner", "key");
    guest = user("guest", "key of guest");
    engine.addMember("acme", owner, "owner");
  });

  afterEach(() => setup.close());

  it("A-1: creates, uses and deletes a key", async () => {
    const pathParams = { keyName: "ci" };
    const made = await setup.api.authentication.createUserAPIKey({ pathParams });
    expect(made).toEqual({ name: "ci", key: expect.stringMatching(/^key_/), createdAt: NOW });
    const { client, api } = setup.connect(made.key);
    expect(await api.users.getUser({})).toMatchObject({ id: owner });
    const { id } = await client.db.teams.create({ name: "A" });
    expect(await client.db.teams.read(id)).toMatchObject({ name: "A" });
    const { keys } = await setup.api.authentication.getUserAPIKeys({});
    expect(keys).toEqual(["default", "ci"].map((name) => ({ name, createdAt: NOW })));
    await setup.api.authentication.deleteUserAPIKey({ pathParams });
    const refused = { status: 401, message: expect.stringMatching(/key/i) };
    await expect(api.users.getUser({})).rejects.toMatchObject(refused);
    await expect(client.db.teams.read(id)).rejects.toMatchObject(refused);
    await expect(client.db.teams.create({ name: "B" })).rejects.toMatchObject(refused);
    expect(await setup.client.db.teams.getAll()).toHaveLength(1);
    await expectStatus(404, setup.api.authentication.deleteUserAPIKey({ pathParams }));
  });

  it("A-1: refuses a name that is taken", async () => {
    const pathParams = { keyName: "default" };
    await expectStatus(422, setup.api.authentication.createUserAPIKey({ pathParams }));
  });

  it("A-2: creates, reads, changes, lists and deletes workspaces", async () => {
    const { workspaces, databases } = setup.api;
    const made = await workspaces.createWorkspace({ body: { name: "My Team" } });
    const { id } = made;
    expect(id).toMatch(/^my-team-[0-9a-z]{6}$/);
    expect(made).toEqual({ id, name: "My Team", slug: "My-Team", plan: "free", memberCount: 1 });
    const pathParams = { workspaceId: id };
    expect(await workspaces.getWorkspace({ pathParams })).toEqual(made);
    const body = { name: "Us", slug: "us" };
    const changed = await workspaces.updateWorkspace({ pathParams, body });
    expect(changed).toEqual({ ...made, ...body });
    const { workspaces: listed } = await workspaces.getWorkspacesList({});
    expect(listed.map((one) => [one.id, one.name, one.role])).toEqual([
      ["acme", "acme", "owner"],
      [id, "Us", "owner"],
    ]);
    const inNew = { ...pathParams, dbName: "crm" };
    await databases.createDatabase({ pathParams: inNew, body: { region: "us-east-1" } });
    const stranger = setup.connect("key of guest").api;
    await expectStatus(404, stranger.workspaces.getWorkspace({ pathParams }));
    await workspaces.deleteWorkspace({ pathParams });
    await expectStatus(404, workspaces.getWorkspace({ pathParams }));
    await expectStatus(401, databases.getDatabaseMetadata({ pathParams: inNew }));
  });

  it.skipIf(version.lacks.includes("updateWorkspaceSettings"))(
    "X-5: stores settings of a workspace",
    async () => {
      const { workspaces } = setup.api;
      const pathParams = { workspaceId: "acme" };
      const body = { postgresEnabled: false };
      await workspaces.updateWorkspaceSettings({ pathParams, body: body as never });
      expect(await workspaces.getWorkspaceSettings({ pathParams })).toMatchObject(body);
    },
  );

  it("A-3: invites, joins, changes and removes a member", async () => {
    const { invites, workspaces } = setup.api;
    const pathParams = { workspaceId: "acme" };
    const body = { email: "guest@example.com", role: "owner" } as const;
    const made = await invites.inviteWorkspaceMember({ pathParams, body });
    const { inviteId, inviteKey } = made as typeof made & { inviteKey: string };
    const invite = { inviteId, ...body, expires: IN_A_WEEK };
    expect(made).toEqual({ ...invite, inviteKey: expect.stringMatching(/^ik_[a-zA-Z0-9]+$/) });
    const byId = { ...pathParams, inviteId };
    const role = { role: "maintainer" } as const;
    const changed = await invites.updateWorkspaceMemberInvite({ pathParams: byId, body: role });
    expect(changed).toEqual({ ...invite, ...role });
    await invites.resendWorkspaceMemberInvite({ pathParams: byId });
    const members = [{ userId: owner, fullname: "owner", email: "owner@example.com" }];
    expect(await workspaces.getWorkspaceMembersList({ pathParams })).toMatchObject({
      members,
      invites: [{ ...invite, ...role }],
    });

    const other = setup.connect("key of guest");
    await expectStatus(401, other.client.db.teams.getAll());
    const byKey = { pathParams: { ...pathParams, inviteKey } };
    await other.api.invites.acceptWorkspaceMemberInvite(byKey);
    expect(await other.client.db.teams.getAll()).toHaveLength(0);
    await expectStatus(404, other.api.invites.acceptWorkspaceMemberInvite(byKey));
    await expectStatus(403, other.api.invites.inviteWorkspaceMember({ pathParams, body }));

    const member = { ...pathParams, userId: guest };
    await workspaces.updateWorkspaceMemberRole({ pathParams: member, body: { role: "owner" } });
    const after = await workspaces.getWorkspaceMembersList({ pathParams });
    const roles = after.members.map((one) => [one.userId, one.role]);
    expect(roles).toEqual([owner, guest].map((id) => [id, "owner"]));
    expect(after.invites).toEqual([]);
    await workspaces.removeWorkspaceMember({ pathParams: member });
    await expectStatus(401, other.client.db.teams.getAll());
    const last = { ...pathParams, userId: owner };
    await expectStatus(403, workspaces.removeWorkspaceMember({ pathParams: last }));
  });

  it("A-3: cancels an invitation", async () => {
    const { invites } = setup.api;
    const pathParams = { workspaceId: "acme" };
    const body = { email: "guest@example.com", role: "maintainer" } as const;
    const made = await invites.inviteWorkspaceMember({ pathParams, body });
    const { inviteId, inviteKey } = made as typeof made & { inviteKey: string };
    await invites.cancelWorkspaceMemberInvite({ pathParams: { ...pathParams, inviteId } });
    const { api } = setup.connect("key of guest");
    const byKey = { pathParams: { ...pathParams, inviteKey } };
    await expectStatus(404, api.invites.acceptWorkspaceMemberInvite(byKey));
  });
});

describeClients(WAYS, "keys in open mode by the API client of $title", ({ version, way }) => {
  let setup: Setup;
  beforeEach(async () => {
    setup = await setUp(version, way);
  });
  afterEach(() => setup.close());

  it("A-1: refuses a deleted key only", async () => {
    const pathParams = { keyName: "ci" };
    const { key } = await setup.api.authentication.createUserAPIKey({ pathParams });
    const { client } = setup.connect(key);
    await client.db.teams.create({ name: "A" });
    await setup.api.authentication.deleteUserAPIKey({ pathParams });
    await expectStatus(401, client.db.teams.getAll());
    expect(await setup.connect("another").client.db.teams.getAll()).toHaveLength(1);
  });
});

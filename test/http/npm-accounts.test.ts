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

  it("A-1: a key is made, works, is deleted and refused", async () => {
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

  it("A-1: a key that is taken is refused", async () => {
    const pathParams = { keyName: "default" };
    await expectStatus(422, setup.api.authentication.createUserAPIKey({ pathParams }));
  });

  it("A-2: workspaces are made, read, changed, listed and deleted", async () => {
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
    "X-5: settings of a workspace are stored",
    async () => {
      const { workspaces } = setup.api;
      const pathParams = { workspaceId: "acme" };
      const body = { postgresEnabled: false };
      await workspaces.updateWorkspaceSettings({ pathParams, body: body as never });
      expect(await workspaces.getWorkspaceSettings({ pathParams })).toMatchObject(body);
    },
  );

  it("A-3: a guest is invited, joins, gets another role and is removed", async () => {
    const { invites, workspaces } = setup.api;
    const pathParams = { workspaceId: "acme" };
    const body = { email: "guest@example.com", role: "maintainer" } as const;
    const invite = await invites.inviteWorkspaceMember({ pathParams, body });
    const { inviteId, inviteKey } = invite as typeof invite & { inviteKey: string };
    expect(invite).toEqual({
      inviteId,
      ...body,
      expires: IN_A_WEEK,
      inviteKey: expect.stringMatching(/^ik_[a-zA-Z0-9]+$/),
    });
    await invites.resendWorkspaceMemberInvite({ pathParams: { ...pathParams, inviteId } });
    const before = await workspaces.getWorkspaceMembersList({ pathParams });
    expect(before.members).toEqual([
      { userId: owner, fullname: "owner", email: "owner@example.com", role: "owner" },
    ]);
    expect(before.invites).toEqual([{ inviteId, ...body, expires: IN_A_WEEK }]);

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
    expect(after.members.map(({ userId, role }) => [userId, role])).toEqual([
      [owner, "owner"],
      [guest, "owner"],
    ]);
    expect(after.invites).toEqual([]);
    await workspaces.removeWorkspaceMember({ pathParams: member });
    await expectStatus(401, other.client.db.teams.getAll());
    await expectStatus(
      403,
      workspaces.removeWorkspaceMember({ pathParams: { ...pathParams, userId: owner } }),
    );
  });

  it("A-3: an invitation is changed, cancelled, and not accepted any more", async () => {
    const { invites, workspaces } = setup.api;
    const pathParams = { workspaceId: "acme" };
    const body = { email: "guest@example.com", role: "maintainer" } as const;
    const invite = await invites.inviteWorkspaceMember({ pathParams, body });
    const { inviteId, inviteKey } = invite as typeof invite & { inviteKey: string };
    const byId = { ...pathParams, inviteId };
    expect(
      await invites.updateWorkspaceMemberInvite({ pathParams: byId, body: { role: "owner" } }),
    ).toEqual({ inviteId, email: body.email, expires: IN_A_WEEK, role: "owner" });
    await invites.cancelWorkspaceMemberInvite({ pathParams: byId });
    const { invites: open } = await workspaces.getWorkspaceMembersList({ pathParams });
    expect(open).toEqual([]);
    await expectStatus(
      404,
      setup
        .connect("key of guest")
        .api.invites.acceptWorkspaceMemberInvite({ pathParams: { ...pathParams, inviteKey } }),
    );
  });
});

describeClients(WAYS, "keys in open mode by the API client of $title", ({ version, way }) => {
  let setup: Setup;
  beforeEach(async () => {
    setup = await setUp(version, way);
  });
  afterEach(() => setup.close());

  it("A-1: a key that was made and deleted is refused, any other works", async () => {
    const pathParams = { keyName: "ci" };
    const { key } = await setup.api.authentication.createUserAPIKey({ pathParams });
    const { client } = setup.connect(key);
    await client.db.teams.create({ name: "A" });
    await setup.api.authentication.deleteUserAPIKey({ pathParams });
    await expectStatus(401, client.db.teams.getAll());
    expect(await setup.connect("another").client.db.teams.getAll()).toHaveLength(1);
  });
});

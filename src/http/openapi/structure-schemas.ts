import type { Profile } from "../../profile.js";
import { COLUMN_TYPES } from "../../schema/traits.js";
import { arrayOf, FLAG, type JsonSchema, objectOf, refer, TEXT, TIME, WHOLE } from "./schema.js";

const COMPLETED: JsonSchema = { const: "completed" };
/** What schemas, branches, databases and users look like, in the names of a profile. */
export function describeStructure(profile: Profile): Readonly<Record<string, JsonSchema>> {
  return { ...STRUCTURE_SCHEMAS, ...catalogSchemas(profile) };
}

const ACCESS: JsonSchema = objectOf({ defaultPublicAccess: FLAG }, []);

const STRUCTURE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Column: objectOf(
    {
      name: TEXT,
      type: { type: "string", enum: COLUMN_TYPES },
      link: objectOf({ table: TEXT }),
      columns: arrayOf(refer("Column")),
      vector: objectOf({ dimension: { type: "integer", minimum: 2, maximum: 10_000 } }),
      unique: FLAG,
      notNull: FLAG,
      defaultValue: {},
      file: ACCESS,
      "file[]": ACCESS,
    },
    ["name", "type"],
  ),
  Table: objectOf(
    {
      name: TEXT,
      columns: arrayOf(refer("Column")),
      id: TEXT,
      revLinks: arrayOf(objectOf({ table: TEXT, column: TEXT })),
    },
    ["name"],
  ),
  Schema: objectOf({ tables: arrayOf(refer("Table")), tablesOrder: arrayOf(TEXT) }, ["tables"]),
  SchemaEdits: objectOf(
    {
      operations: arrayOf(refer("SchemaEdit")),
      sourceMigrationID: TEXT,
      targetMigrationID: TEXT,
    },
    ["operations"],
  ),
  SchemaEdit: {
    ...objectOf(
      {
        addTable: objectOf({ table: TEXT }),
        removeTable: objectOf({ table: TEXT }),
        renameTable: objectOf({ oldName: TEXT, newName: TEXT }),
        addColumn: objectOf({ table: TEXT, column: refer("Column") }),
        removeColumn: objectOf({ table: TEXT, column: TEXT }),
        renameColumn: objectOf({ table: TEXT, oldName: TEXT, newName: TEXT }),
      },
      [],
    ),
    minProperties: 1,
    maxProperties: 1,
  },
  File: objectOf(
    {
      id: TEXT,
      name: TEXT,
      mediaType: TEXT,
      enablePublicUrl: FLAG,
      signedUrlTimeout: WHOLE,
      uploadUrlTimeout: WHOLE,
      size: WHOLE,
      version: WHOLE,
      url: TEXT,
      attributes: objectOf({ width: WHOLE, height: WHOLE }, []),
    },
    [
      ...["name", "mediaType", "enablePublicUrl", "signedUrlTimeout", "uploadUrlTimeout", "size"],
      ...["version", "url", "attributes"],
    ],
  ),
  Migration: objectOf({ migrationID: TEXT, parentMigrationID: TEXT, status: COMPLETED }),
  MigrationCommit: objectOf(
    {
      id: TEXT,
      parentID: TEXT,
      checksum: TEXT,
      mergeParentID: TEXT,
      createdAt: TIME,
      title: TEXT,
      message: TEXT,
      operations: arrayOf(refer("SchemaEdit")),
    },
    ["id", "checksum", "createdAt", "operations"],
  ),
  PushedMigration: objectOf(
    {
      id: TEXT,
      parentID: TEXT,
      checksum: TEXT,
      title: TEXT,
      message: TEXT,
      operations: arrayOf(refer("SchemaEdit")),
    },
    ["id", "checksum", "operations"],
  ),
  MigrationPage: objectOf(
    { after: TEXT, before: TEXT, size: { type: "integer", minimum: 1, maximum: 200 } },
    [],
  ),
  MigrationLogs: objectOf({
    meta: objectOf({ cursor: TEXT, more: FLAG }),
    logs: arrayOf(refer("MigrationCommit")),
  }),
  MigrationRequest: objectOf(
    {
      number: WHOLE,
      source: TEXT,
      target: TEXT,
      title: TEXT,
      body: TEXT,
      status: { type: "string", enum: ["open", "closed", "merged"] },
      createdAt: TIME,
      modifiedAt: TIME,
      closedAt: TIME,
      mergedAt: TIME,
    },
    ["number", "source", "target", "title", "body", "status", "createdAt", "modifiedAt"],
  ),
  BranchStats: objectOf({
    timestamp: TIME,
    interval: TEXT,
    resolution: TEXT,
    numberOfRecords: arrayOf(refer("Datapoint")),
    readsOverTime: arrayOf(refer("Datapoint")),
    writesOverTime: arrayOf(refer("Datapoint")),
  }),
  Datapoint: objectOf({ timestamp: TIME, value: WHOLE }),
  TableMade: objectOf({ branchName: TEXT, tableName: TEXT, status: COMPLETED }),
  Completed: objectOf({ status: COMPLETED }),
};

const ROLE: JsonSchema = { type: "string", enum: ["owner", "maintainer"] };
const PLAN: JsonSchema = { const: "free" };
const INVITE: Readonly<Record<string, JsonSchema>> = {
  inviteId: TEXT,
  email: TEXT,
  expires: TIME,
  role: refer("Role"),
};

function catalogSchemas({ base, mappingTarget }: Profile): Record<string, JsonSchema> {
  const ui = objectOf({ color: { type: "string", minLength: 1, maxLength: 32 } });
  const branch = { name: TEXT, createdAt: TIME, state: TEXT };
  return {
    Role: ROLE,
    Workspace: objectOf({
      id: TEXT,
      unique_id: TEXT,
      name: TEXT,
      slug: TEXT,
      role: refer("Role"),
      plan: PLAN,
    }),
    WorkspaceDetails: objectOf({ name: TEXT, slug: TEXT }, ["name"]),
    WorkspaceDescription: objectOf({
      id: TEXT,
      name: TEXT,
      slug: TEXT,
      plan: PLAN,
      memberCount: WHOLE,
    }),
    WorkspaceMembers: objectOf({
      members: arrayOf(
        objectOf({ userId: TEXT, fullname: TEXT, email: TEXT, role: refer("Role") }),
      ),
      invites: arrayOf(refer("Invite")),
    }),
    InviteOptions: objectOf({ email: TEXT, role: refer("Role") }),
    Invite: objectOf(INVITE),
    NewInvite: objectOf({ ...INVITE, inviteKey: TEXT }),
    Key: objectOf({ name: TEXT, createdAt: TIME }),
    NewKey: objectOf({ name: TEXT, key: TEXT, createdAt: TIME }),
    DatabaseOptions: objectOf({ region: TEXT, branchName: TEXT, ui }, []),
    DatabaseMade: objectOf({ databaseName: TEXT, branchName: TEXT, status: COMPLETED }),
    Database: objectOf({ name: TEXT, region: TEXT, createdAt: TIME, ui }, [
      "name",
      "region",
      "createdAt",
    ]),
    DatabaseList: objectOf({ databases: arrayOf(refer("Database")) }),
    BranchMetadata: objectOf(
      { repository: TEXT, branch: TEXT, stage: TEXT, labels: arrayOf(TEXT) },
      [],
    ),
    BranchMade: objectOf({ databaseName: TEXT, branchName: TEXT, status: COMPLETED }),
    BranchList: objectOf({ databaseName: TEXT, branches: arrayOf(objectOf(branch)) }),
    Branch: objectOf({
      databaseName: TEXT,
      branchName: TEXT,
      createdAt: TIME,
      id: TEXT,
      version: WHOLE,
      state: TEXT,
      lastMigrationID: TEXT,
      metadata: refer("BranchMetadata"),
      schema: refer("Schema"),
    }),
    GitBranchMapping: objectOf({ gitBranch: TEXT, [mappingTarget]: TEXT }),
    GitBranchMappings: objectOf({
      [base === "xata" ? "mapping" : "mappings"]: arrayOf(refer("GitBranchMapping")),
    }),
    ResolvedBranch: objectOf({
      branch: TEXT,
      reason: objectOf({
        code: {
          type: "string",
          enum: ["FOUND_IN_MAPPING", "BRANCH_EXISTS", "FALLBACK_BRANCH", "DEFAULT_BRANCH"],
        },
        message: TEXT,
      }),
    }),
    User: objectOf({ id: TEXT, email: TEXT, fullname: TEXT, image: TEXT }),
    UserDetails: objectOf({ email: TEXT, fullname: TEXT, image: TEXT }, ["email", "fullname"]),
  };
}

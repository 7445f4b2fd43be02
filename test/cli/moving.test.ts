import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient, type Repository, type XataRecord } from "@xata.io/client";
import { afterAll, describe, expect, it } from "vitest";
import { queryFile } from "../../src/cli/query-file.js";
import { startServing } from "../../src/cli/serve.js";

// The client infers no columns here.
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyXata = XataRecord<any> & Record<string, any>;

const folder: string = mkdtempSync(join(tmpdir(), "twinbase-"));
afterAll(() => rmSync(folder, { recursive: true }));

const link = (table: string) => ({ type: "link", link: { table } });
const TABLES = [
  {
    name: "teams",
    columns: [
      { name: "name", type: "string" },
      { name: "lead", ...link("users") },
      { name: "tags", type: "multiple" },
    ],
  },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "bio", type: "text" },
      { name: "team", ...link("teams") },
      { name: "born", type: "datetime" },
    ],
  },
  {
    name: "posts",
    columns: [
      { name: "title", type: "string" },
      { name: "author", ...link("users") },
      { name: "labels", type: "multiple" },
      { name: "meta", type: "json" },
      { name: "published", type: "bool" },
      { name: "topics", type: "vector", vector: { dimension: 2 } },
    ],
  },
  {
    name: "visits",
    columns: [
      { name: "post", ...link("posts") },
      { name: "seconds", type: "float" },
    ],
  },
];

const META = "xata.version,xata.createdAt,xata.updatedAt";
const FILES = {
  teams: `id,name,lead,tags,${META}
blue,"Blue, ""the"" team",ada,"[""core"",""ops""]",2,2023-01-05T08:00:00Z,2023-02-05T08:00:00Z
red,Red,,[],0,2023-01-05T08:00:01Z,2023-01-05T08:00:01Z
`,
  users: `id,email,bio,team,born,${META}
ada,ada@example.com,"First line
second line",blue,1815-12-10T00:00:00Z,4,2023-01-06T08:00:00.123Z,2023-03-06T08:00:00Z
bob,bob@example.com,,blue,,0,2023-01-07T08:00:00Z,2023-01-07T08:00:00Z
`,
  // As PostgreSQL writes them.
  posts: `xata_id,title,author,labels,meta,published,topics,xata_version,xata_createdat,xata_updatedat
hello,Hello,ada,"{a,""b c""}","{""views"": 3}",t,"{0.5,1}",1,2023-04-01 08:00:00.5+00,2023-04-02 08:00:00+00
draft,"",,,,f,,0,2023-04-03 08:00:00+00,2023-04-03 08:00:00+00
`,
  visits: "id,post,seconds\nfirst,hello,1.5\nsecond,hello,\n",
};

describe("an application's export", () => {
  const paths = Object.entries(FILES).map(([name, text]) => fileOf(`${name}.csv`, text));
  const schema = fileOf("schema.json", JSON.stringify({ tables: TABLES }));
  const data = join(folder, "data");

  it("is served to the npm client, and again from its folder", async () => {
    for (const more of [["--schema", schema, ...paths], []]) {
      const options = ["--profile", "xata", "--port", "0", "--database", "shop", "--data", data];
      const { server } = await startServing([...options, ...more], () => {});
      try {
        const xata = new (buildClient())({
          databaseURL: `http://local.us-east-1.localhost:${server.port}/db/shop`,
          apiKey: "any",
          branch: "main",
          fetch: (url: unknown, init?: unknown) =>
            fetch(
              String(url).replace("local.us-east-1.localhost", "127.0.0.1"),
              init as RequestInit,
            ),
        });
        const { posts, teams } = xata.db as unknown as Record<string, Repository<AnyXata>>; // no schema
        const post = await posts!
          .select(["*", "author.bio", "author.team.name", "author.team.lead.id"])
          .filter({ id: "hello" })
          .getFirst();
        expect(post).toMatchObject({
          labels: ["a", "b c"],
          published: true,
          topics: [0.5, 1],
          author: { bio: "First line\nsecond line", team: { name: 'Blue, "the" team' } },
        });
        expect(post?.getMetadata().version).toBe(1);
        expect(post?.xata.createdAt).toEqual(new Date("2023-04-01T08:00:00.500Z"));
        expect((await teams!.getAll()).map(({ id }) => id)).toEqual(["blue", "red"]);
      } finally {
        await server.close();
      }
    }
  });

  it("is written back with its metadata", async () => {
    const [teams = ""] = paths;
    expect(await queryFile([teams, "--columns", "*,xata", "--format", "csv"])).toBe(FILES.teams);
  });

  it("with a link to nobody is refused where links are checked", async () => {
    const visits = fileOf("visits.csv", "id,post\nfirst,nobody\n");
    const args = ["--profile", "xata", "--port", "0", "--schema", schema, visits];
    await expect(startServing(args, () => {})).rejects.toThrow(/nobody/);
  });
});

describe("--schema", () => {
  const columns = [
    { name: "name", type: "string", notNull: true, defaultValue: 'it\'s "x" // \\' },
    { name: "age", type: "int", defaultValue: "-1" },
    { name: "photo", type: "file", file: { defaultPublicAccess: true } },
  ];
  const operations = [
    { addTable: { table: "people" } },
    ...columns.map((column) => ({ addColumn: { table: "people", column } })),
  ];
  const migration = { id: "mig_1", parentID: "", checksum: "1:abc", operations };
  const head =
    '// Generated by Xata Codegen 0.30.1.\nimport { buildClient } from "@xata.io/client";\n';
  const literal = `[ // one table
    { name: "people", "columns": [
      { name: 'name', type: "string", notNull: true, defaultValue: 'it\\'s "x" // \\\\' },
      { name: "age", type: "int", /* years, [ */ defaultValue: "-1" },
      { name: "photo", type: "file", file: { defaultPublicAccess: true, }, },
    ], revLinks: [{ table: "posts", column: "author" }], },
  ]`;
  const tail = "export type SchemaTables = typeof tables;\nconst DatabaseClient = buildClient();\n";

  it.each([
    ["JSON", JSON.stringify({ formatVersion: "1.0", tables: [{ name: "people", columns }] })],
    ["a client in TypeScript", `${head}const tables = ${literal} as const;\n${tail}`],
    [
      "a client in JavaScript",
      `${head}/** @type { SchemaTables } */\nexport const tables = ${literal};`,
    ],
    ["a client in one line", `const tables=${JSON.stringify([{ name: "people", columns }])};`],
  ])("is %s", async (name, text) => {
    expect(await columnsFrom(fileOf(`${name}.ts`, text))).toEqual(columns);
  });

  it("is a folder of migrations, whose history goes on", async () => {
    const folder = folderOf("migrations", {
      ".ledger": "mig_1_abc\n",
      "mig_1_abc.json": migration,
    });
    expect(await columnsFrom(folder)).toEqual(columns);
  });

  it.each([
    ["const tables = [{ name: process.exit() }];", /refused\.ts: .*JSON/],
    ["const tables = makeTables();", /refused\.ts: .*JSON/],
    ["const tables = [{ name: undefined }];", /refused\.ts: .*JSON/],
  ])("is never run: %s", async (text, message) => {
    await expect(columnsFrom(fileOf("refused.ts", text))).rejects.toThrow(message);
  });

  it("is refused if its migrations are those of PostgreSQL", async () => {
    const files = { ".ledger": "mig_1\n", "mig_1.json": { name: "mig_1", migration: {} } };
    const refused = columnsFrom(folderOf("pgroll", files));
    await expect(refused).rejects.toThrow(
      /mig_1\.json: migrations of PostgreSQL are not supported/,
    );
  });

  async function columnsFrom(schema: string): Promise<unknown> {
    const args = ["--profile", "xata", "--port", "0", "--schema", schema];
    const { server } = await startServing(args, () => {});
    try {
      const answer = await fetch(`${server.url}/db/files:main/tables/people/schema`);
      return ((await answer.json()) as { columns: unknown }).columns;
    } finally {
      await server.close();
    }
  }
});

it("H-1, H-3: keeps names and options of files, whose contents follow", async () => {
  const type = { name: "photo", type: "file" };
  const schema = {
    tables: [{ name: "people", columns: [type, { name: "papers", type: "file[]" }] }],
  };
  const photo = {
    name: "a.png",
    mediaType: "image/png",
    enablePublicUrl: true,
    size: 9,
    version: 3,
  };
  const papers = [{ id: "f1", name: "b.txt", mediaType: "text/plain", url: "https://x.test/1" }];
  const cells = [photo, papers].map((value) => `"${JSON.stringify(value).replaceAll('"', '""')}"`);
  const csv = fileOf("people.csv", `id,photo,papers\nann,${cells.join()}\n`);
  const schemaFile = fileOf("files.json", JSON.stringify(schema));
  const args = ["--profile", "xata", "--port", "0", "--schema", schemaFile, csv];
  const { server } = await startServing(args, () => {});
  try {
    const record = `${server.url}/db/files:main/tables/people/data/ann`;
    const put = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${record}/column/${path}`, { method: "PUT", body: "hello" });
      return answer.json();
    };
    const before = await fetch(`${record}?columns=photo.*,papers.*`);
    expect(await before.json()).toMatchObject({
      photo: { name: "a.png", enablePublicUrl: true, size: 0, version: 0 },
      papers: [{ id: "f1", name: "b.txt", size: 0 }],
    });
    expect(await put("photo/file")).toMatchObject({
      name: "a.png",
      enablePublicUrl: true,
      size: 5,
      version: 1,
    });
    expect(await put("papers/file/f1")).toMatchObject({ id: "f1", name: "b.txt", size: 5 });
    // As on the service, only the first content leaves the name.
    expect(await put("photo/file")).toMatchObject({ name: "", version: 2 });
  } finally {
    await server.close();
  }
});

function folderOf(name: string, files: Readonly<Record<string, unknown>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    fileOf(join(name, file), text);
  }
  return path;
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

import * as current from "@xata.io/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AnyTable } from "../../src/typed/table.js";
import { PNG } from "../files/fixture.js";
import { type Client, describeClients, type Setup, setUp, VERSIONS, WAYS } from "./npm-clients.js";

const DOCS = {
  name: "docs",
  columns: [
    { name: "photo", type: "file" },
    { name: "papers", type: "file[]" },
  ],
} as const;

interface ClientFile {
  readonly id?: string;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly version: number;
  readonly url: string;
  readonly signedUrl: string;
  readonly attributes: object;
  toUint8Array(): Uint8Array;
  toString(): string;
}

/** A table with files, as the client's code generator types it. */
interface FileTable {
  create(record: object, columns?: string[]): Promise<Record<string, ClientFile & ClientFile[]>>;
  update(
    id: string,
    record: object,
    columns?: string[],
  ): Promise<Record<string, ClientFile & ClientFile[]>>;
  read(id: string, columns?: string[]): Promise<Record<string, ClientFile & ClientFile[]>>;
  filter(filter: object): { getMany(): Promise<{ id: string }[]> };
}

interface FilesPlugin {
  upload(place: object, file: unknown, options?: object): Promise<ClientFile>;
  download(place: object): Promise<Blob | Response>;
  delete(place: object): Promise<ClientFile>;
}

async function bytesOf(answer: Blob | Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

describeClients(WAYS, "files of @xata.io/client $title", ({ version, way }) => {
  let setup: Setup;
  let docs: FileTable;
  let files: FilesPlugin;
  let table: AnyTable;
  const File = version.module.XataFile;

  beforeEach(async () => {
    setup = await setUp(version, way, [DOCS]);
    const client = setup.client as Client & { files: FilesPlugin };
    docs = (client.db as unknown as { docs: FileTable }).docs;
    files = client.files;
    table = setup.engine?.workspace("acme").database("shop").branch("main").table("docs") as never;
  });

  afterEach(() => setup.close());

  it("H-1: are created and updated with records", async () => {
    const photo = File.fromUint8Array(PNG, { name: "p.png", mediaType: "image/png" });
    const text = File.fromString("hi", { name: "hi.txt", mediaType: "text/plain" });
    const columns = ["photo.*", "photo.base64Content", "papers.*", "papers.base64Content"];
    const record = await docs.create({ id: "a", photo, papers: [text, text] }, columns);
    expect(record.photo).toBeInstanceOf(File);
    expect(record.photo).toMatchObject({
      name: "p.png",
      mediaType: "image/png",
      size: PNG.length,
      version: 1,
      attributes: { width: 3, height: 2 },
    });
    expect(record.photo?.toUint8Array()).toEqual(PNG);
    expect(record.papers?.map((paper) => paper.toString())).toEqual(["hi", "hi"]);
    const [first] = record.papers!;
    const changed = await docs.update("a", { papers: [first, text] }, columns);
    expect(changed.papers).toHaveLength(2);
    expect(changed.papers?.[0]?.id).toBe(first?.id);
    const whole = await docs.read("a");
    expect(whole.photo).toMatchObject({ name: "p.png", mediaType: "image/png" });
  });

  it("H-3: are uploaded, downloaded and deleted", async () => {
    table.insert({ id: "a" });
    const place = { table: "docs", record: "a", column: "photo" };
    const blob = new Blob([PNG as BlobPart], { type: "image/png" });
    expect(await files.upload(place, blob)).toMatchObject({ mediaType: "image/png", version: 1 });
    expect(await bytesOf(await files.download(place))).toEqual(PNG);
    const replaced = await files.upload(place, new Blob(["hi"], { type: "text/plain" }));
    expect(replaced).toMatchObject({ mediaType: "text/plain", version: 2, size: 2 });
    expect(await files.delete(place)).toMatchObject({ version: 2 });
    await expect(files.download(place)).rejects.toMatchObject({ status: 404 });
    const inList = { ...place, column: "papers" };
    const { id } = await files.upload(inList, blob);
    await files.upload({ ...inList, fileId: "mine" }, blob);
    expect(await bytesOf(await files.download({ ...inList, fileId: id }))).toEqual(PNG);
    await files.delete({ ...inList, fileId: id });
    const { papers } = await docs.read("a", ["papers.id"]);
    expect(papers?.map((paper) => paper.id)).toEqual(["mine"]);
  });

  it("H-3: of type application/json may contain any bytes", async () => {
    table.insert({ id: "a" });
    const place = { table: "docs", record: "a", column: "photo" };
    const blob = new Blob(["{ no JSON"], { type: "application/json" });
    expect(await files.upload(place, blob)).toMatchObject({ mediaType: "application/json" });
    expect(Buffer.from(await bytesOf(await files.download(place))).toString()).toBe("{ no JSON");
  });

  it("H-4: have signed URLs, which need no key", async () => {
    const columns = ["photo.signedUrl", "photo.url", "photo.uploadUrl"];
    const photo = File.fromUint8Array(PNG, { mediaType: "image/png" });
    const record = await docs.create({ id: "a", photo }, columns);
    const { url, signedUrl } = record.photo!;
    expect((await setup.fetch(url)).status).toBe(403);
    const answer = await setup.fetch(signedUrl);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PNG);
    setup.engine?.clock.advance(300_000);
    expect((await setup.fetch(signedUrl)).status).toBe(403);
    const { photo: stored } = table.get("a", { columns }) as unknown as {
      photo: { uploadUrl: string };
    };
    const path = new URL(stored.uploadUrl).pathname;
    const uploadUrl = new URL(path, signedUrl).href;
    const put = await setup.fetch(uploadUrl, {
      method: "PUT",
      body: "new",
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    expect(put.status).toBe(201);
    expect(await put.json()).toMatchObject({ mediaType: "text/plain", version: 2 });
    expect((await setup.fetch(signedUrl)).status).toBe(403);
  });

  it("F-18: are filtered by their properties", async () => {
    const photo = File.fromString("hello", { name: "h.txt", mediaType: "text/plain" });
    await docs.create({ id: "a", photo });
    await docs.create({ id: "b" });
    const found = await docs.filter({ "photo.name": { $contains: "h." } }).getMany();
    expect(found.map(({ id }) => id)).toEqual(["a"]);
  });
});

it("H-4: the client's URLs of transformed images answer 501", async () => {
  const url = current.transformImage("https://us-east-1.storage.xata.sh/abc", { width: 5 });
  const [version] = VERSIONS;
  const setup = await setUp(version!, "in process");
  expect((await setup.fetch(url!)).status).toBe(501);
  await setup.close();
});

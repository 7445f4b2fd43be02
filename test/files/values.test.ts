import { beforeEach, describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { deleteFile, downloadFile, uploadFile } from "../../src/files.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { refusalOf } from "../rules/fixture.js";
import { base64, openFiles, PNG } from "./fixture.js";

let engine: AnyEngine;
let people: AnyTable;

beforeEach(() => {
  ({ engine, people } = openFiles());
});

function look(id: string, columns: string[]): Record<string, unknown> {
  const { service: _, ...record } = people.get(id, { columns }) as Record<string, unknown>;
  return record;
}

describe("the value of a file column", () => {
  it("H-1, H-2: has the given members and the computed ones", () => {
    people.insert({
      id: "a",
      photo: { name: "a.png", mediaType: "image/png", base64Content: base64(PNG), version: 9 },
    });
    expect(look("a", ["photo.*"])).toEqual({
      id: "a",
      photo: {
        name: "a.png",
        mediaType: "image/png",
        enablePublicUrl: false,
        signedUrlTimeout: 60,
        uploadUrlTimeout: 86_400,
        size: PNG.length,
        version: 1,
        url: expect.stringMatching(/^http:\/\/localhost\/file\/[\w-]+$/),
        attributes: { width: 3, height: 2 },
      },
    });
    expect(look("a", ["photo"])).toEqual(look("a", ["photo.*"]));
    expect(look("a", ["photo.base64Content"])).toEqual({
      id: "a",
      photo: { base64Content: base64(PNG) },
    });
    expect(look("a", ["*"]).photo).toEqual({ name: "a.png", mediaType: "image/png" });
    expect(people.get("a")?.photo).toEqual({ name: "a.png", mediaType: "image/png" });
    expect(look("a", ["photo.id"])).toEqual({ id: "a" });
  });

  it("H-1: has defaults, and empty content by default", () => {
    people.insert({ id: "a", photo: {}, open: {}, papers: [{}] });
    expect(look("a", ["photo.name", "photo.mediaType", "photo.size", "photo.attributes"])).toEqual({
      id: "a",
      photo: { name: "", mediaType: "application/octet-stream", size: 0, attributes: {} },
    });
    expect(look("a", ["photo.enablePublicUrl", "open.enablePublicUrl"])).toEqual({
      id: "a",
      photo: { enablePublicUrl: false },
      open: { enablePublicUrl: true },
    });
    const [paper] = look("a", ["papers.id"]).papers as { id: string }[];
    expect(paper?.id).toMatch(/^file_[0-9a-v]{20}$/);
  });

  it("H-1: keeps missing members, and the version if there is no content", () => {
    const given = { name: "a", mediaType: "text/plain", base64Content: base64("one") };
    people.insert({ id: "a", photo: { ...given, signedUrlTimeout: 5 } });
    people.update("a", { photo: { name: "b" } });
    const columns = ["name", "mediaType", "base64Content", "signedUrlTimeout", "version"];
    const paths = columns.map((member) => `photo.${member}`);
    expect(look("a", paths).photo).toEqual({
      ...{ name: "b", mediaType: "text/plain", base64Content: base64("one") },
      ...{ signedUrlTimeout: 5, version: 1 },
    });
    people.update("a", { photo: { base64Content: base64("two") } });
    expect(look("a", paths).photo).toEqual({
      ...{ name: "", mediaType: "application/octet-stream", base64Content: base64("two") },
      ...{ signedUrlTimeout: 60, version: 2 },
    });
    people.replace("a", { photo: {} });
    expect(look("a", ["photo.version", "photo.size"]).photo).toEqual({ version: 2, size: 3 });
    people.update("a", { name: "x" });
    expect(look("a", ["photo.version"]).photo).toEqual({ version: 2 });
    people.replace("a", { name: "y" });
    expect(look("a", ["photo"])).toEqual({ id: "a" });
  });

  it("H-1: a list keeps the files whose ids it contains, in its order", () => {
    people.insert({
      id: "a",
      papers: [
        { id: "x", name: "x", base64Content: base64("x") },
        { id: "y", name: "y", base64Content: base64("y") },
        { id: "z", name: "z" },
      ],
    });
    people.update("a", { papers: [{ id: "y" }, { id: "x", name: "new" }, { id: "w" }] });
    expect(look("a", ["papers.id", "papers.name", "papers.base64Content"]).papers).toEqual([
      { id: "y", name: "y", base64Content: base64("y") },
      { id: "x", name: "new", base64Content: base64("x") },
      { id: "w", name: "", base64Content: "" },
    ]);
    people.update("a", { papers: [] });
    expect(look("a", ["papers"])).toEqual({ id: "a", papers: [] });
    expect(people.count({ $exists: "papers" })).toBe(1);
  });

  it("H-1: works in objects and behind links", () => {
    people.insert({ id: "a", box: { scan: { name: "s", base64Content: base64("s") } } });
    people.insert({ id: "b", peer: "a" });
    expect(look("b", ["peer.box.scan.name"])).toEqual({
      id: "b",
      peer: { id: "a", box: { scan: { name: "s" } }, service: expect.anything() },
    });
    expect(downloadFile(people, { record: "a", column: "box.scan" }).content).toEqual(
      new TextEncoder().encode("s"),
    );
  });

  const BAD: readonly [label: string, value: unknown, path: string][] = [
    ["a name too long", { name: "x".repeat(1025) }, "/photo/name"],
    ["a name that is no text", { name: 5 }, "/photo/name"],
    ["a lone surrogate", { name: "\ud800" }, "/photo/name"],
    ["a media type of one part", { mediaType: "text" }, "/photo/mediaType"],
    ["a media type with parameters", { mediaType: "text/plain; q=1" }, "/photo/mediaType"],
    ["no base64", { base64Content: "~" }, "/photo/base64Content"],
    ["content that is no text", { base64Content: 5 }, "/photo/base64Content"],
    ["a flag that is none", { enablePublicUrl: 1 }, "/photo/enablePublicUrl"],
    ["no time", { signedUrlTimeout: 0 }, "/photo/signedUrlTimeout"],
    ["a part of a second", { uploadUrlTimeout: 1.5 }, "/photo/uploadUrlTimeout"],
    ["an unknown member", { nme: "a" }, "/photo/nme"],
  ];
  it.each(BAD)("H-1: %s throws", (_, photo, path) => {
    const refusal = refusalOf(() => people.insert({ id: "a", photo } as never));
    expect(refusal).toMatchObject({ code: "invalid_record", rule: "H-1", path });
    expect(people.count()).toBe(0);
  });

  it("H-1: more than 50 files, a duplicate id and an invalid one throw", () => {
    const fifty = Array.from({ length: 51 }, () => ({}));
    const lists: [unknown, string][] = [
      [fifty, "/papers"],
      [[{ id: "a" }, { id: "a" }], "/papers/1/id"],
      [[{ id: "a/b" }], "/papers/0/id"],
      [[{ id: "" }], "/papers/0/id"],
    ];
    for (const [papers, path] of lists) {
      const refusal = refusalOf(() => people.insert({ papers } as never));
      expect(refusal).toMatchObject({ code: "invalid_record", rule: "H-1", path });
    }
  });

  it("H-1: content above 20 MiB throws; exactly 20 MiB is accepted", () => {
    const most = new Uint8Array(20 * 1024 * 1024 + 1);
    people.insert({ id: "a" });
    const place = { record: "a", column: "photo" };
    expect(refusalOf(() => uploadFile(people, place, most))).toMatchObject({
      code: "payload_too_large",
      status: 413,
    });
    expect(look("a", ["photo"])).toEqual({ id: "a" });
    expect(uploadFile(people, place, most.subarray(1)).file.size).toBe(most.length - 1);
  });

  it("T-16: has no default, and can be required", () => {
    const main = engine.workspace("acme").database("shop").branch("main");
    const column = { name: "f", type: "file" } as const;
    expect(
      refusalOf(() => main.createTable("t", [{ ...column, defaultValue: {} }] as never)).code,
    ).toBe("invalid_schema");
    const table = main.createTable("u", [{ ...column, notNull: true }]) as unknown as AnyTable;
    expect(refusalOf(() => table.insert({})).code).toBe("invalid_record");
    table.insert({ id: "a", f: {} });
    expect(refusalOf(() => deleteFile(table, { record: "a", column: "f" })).code).toBe(
      "invalid_record",
    );
  });

  it("H-1: an engine without files throws, and says how to enable them", () => {
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    const table = main.createTable("t", [{ name: "f", type: "file" }]) as unknown as AnyTable;
    table.insert({ id: "a", f: null });
    const refusal = refusalOf(() => table.insert({ f: {} }));
    expect(refusal).toMatchObject({ code: "not_implemented", status: 501 });
    expect(refusal.message).toContain("enableFiles");
  });
});

describe("uploads, downloads and deletions", () => {
  it("H-3: replace the content, and keep id, name and options", () => {
    people.insert({ id: "a", photo: { name: "a", mediaType: "text/plain", signedUrlTimeout: 7 } });
    const place = { record: "a", column: "photo" };
    const { file, isNew } = uploadFile(people, place, PNG, { mediaType: "image/png" });
    expect({ file, isNew }).toMatchObject({
      file: {
        name: "a",
        mediaType: "image/png",
        signedUrlTimeout: 7,
        version: 2,
        size: PNG.length,
      },
      isNew: false,
    });
    expect(people.get("a")?.service).toMatchObject({ version: 1 });
    const { content, ...rest } = downloadFile(people, place);
    expect(rest).toEqual({ name: "a", mediaType: "image/png" });
    expect(content).toEqual(PNG);
    content[0] = 0; // the caller's own
    expect(downloadFile(people, place).content).toEqual(PNG);
    expect(deleteFile(people, place)).toMatchObject({ name: "a", version: 2 });
    expect(refusalOf(() => downloadFile(people, place)).code).toBe("file_not_found");
  });

  it("H-3: append to a list, and create or change files by id", () => {
    people.insert({ id: "a" });
    const place = { record: "a", column: "papers" };
    const first = uploadFile(people, place, PNG);
    const second = uploadFile(people, { ...place, file: "mine" }, PNG);
    expect([first.isNew, second.isNew, second.file.id]).toEqual([true, true, "mine"]);
    const third = uploadFile(people, { ...place, file: "mine" }, new Uint8Array([1]));
    expect([third.isNew, third.file.version]).toEqual([false, 2]);
    expect(look("a", ["papers.id", "papers.size"]).papers).toEqual([
      { id: first.file.id, size: PNG.length },
      { id: "mine", size: 1 },
    ]);
    expect(deleteFile(people, { ...place, file: first.file.id! }).id).toBe(first.file.id);
    expect(look("a", ["papers.id"]).papers).toEqual([{ id: "mine" }]);
  });

  it("H-3: name the missing part in the error", () => {
    people.insert({ id: "a", photo: {}, papers: [{ id: "x" }] });
    const cases: [object, string][] = [
      [{ record: "b", column: "photo" }, "record_not_found"],
      [{ record: "a", column: "none" }, "column_not_found"],
      [{ record: "a", column: "name" }, "invalid_request"],
      [{ record: "a", column: "box.scan" }, "file_not_found"],
      [{ record: "a", column: "photo", file: "x" }, "file_not_found"],
      [{ record: "a", column: "papers" }, "file_not_found"],
      [{ record: "a", column: "papers", file: "y" }, "file_not_found"],
    ];
    for (const [place, code] of cases) {
      expect(refusalOf(() => downloadFile(people, place as never)).code).toBe(code);
      expect(refusalOf(() => deleteFile(people, place as never)).code).toBe(code);
    }
    const onPhoto = { record: "a", column: "photo", file: "x" };
    expect(refusalOf(() => uploadFile(people, onPhoto, PNG)).code).toBe("file_not_found");
    const unfit = { record: "a", column: "papers", file: "a/b" };
    expect(refusalOf(() => uploadFile(people, unfit, PNG)).code).toBe("invalid_record");
  });
});

describe("files in records, queries and changes", () => {
  beforeEach(() => {
    people.insert([
      { id: "a", photo: { name: "b.png", mediaType: "image/png", base64Content: base64(PNG) } },
      { id: "b", photo: { name: "a.txt", mediaType: "text/plain", base64Content: base64("hi") } },
      { id: "c", photo: { name: "c", base64Content: base64("hello") }, papers: [{ id: "x" }] },
      { id: "d", peer: "b" },
    ]);
  });

  const idsOf = (filter: object): string[] =>
    people.query({ filter: filter as never, sort: { id: "asc" } }).records.map(({ id }) => id);

  it("F-18: filter by name, media type, size and version", () => {
    expect(idsOf({ "photo.name": "a.txt" })).toEqual(["b"]);
    expect(idsOf({ "photo.mediaType": { $startsWith: "image/" } })).toEqual(["a"]);
    expect(idsOf({ "photo.size": { $gt: 2, $lt: 10 } })).toEqual(["c"]);
    expect(idsOf({ "photo.version": 1 })).toEqual(["a", "b", "c"]);
    expect(idsOf({ $not: { "photo.size": { $ge: 3 } } })).toEqual(["b", "d"]);
    expect(idsOf({ "peer.photo.name": { $contains: "txt" } })).toEqual(["d"]);
    expect(idsOf({ $exists: "photo.name" })).toEqual(["a", "b", "c"]);
    expect(idsOf({ $notExists: ["photo"] })).toEqual(["d"]);
    expect(idsOf({ $exists: "papers" })).toEqual(["c"]);
    for (const filter of [
      { photo: { name: "a.txt" } },
      { "photo.url": "x" },
      { "photo.id": "x" },
      { "papers.name": "x" },
      { "photo.name": { $gt: 5 } },
    ]) {
      expect(refusalOf(() => people.count(filter as never)).code).toBe("invalid_filter");
    }
    const unknown = refusalOf(() => people.count({ "photo.nme": 1 } as never));
    expect(unknown).toMatchObject({ code: "unknown_column" });
    expect(unknown.message).toContain("photo.name");
  });

  it("F-18: sort, page, group and sum by them", () => {
    const sorted = (sort: object): string[] =>
      people.query({ sort: sort as never }).records.map(({ id }) => id);
    expect(sorted({ "photo.name": "asc" })).toEqual(["b", "a", "c", "d"]);
    expect(sorted({ "photo.size": "desc" })).toEqual(["a", "c", "b", "d"]);
    expect(sorted({ "photo.mediaType": "asc" })).toEqual(["c", "a", "b", "d"]);
    expect(sorted([{ "peer.photo.size": "asc" }, { "photo.size": "asc" }])).toEqual([..."dbca"]);
    people.update("c", { photo: { name: "a.txt" } });
    const twice = { "photo.name": "asc", "photo.size": "desc" };
    expect(sorted(twice)).toEqual(["c", "b", "a", "d"]);
    people.update("c", { photo: { name: "c" } });
    const first = people.query({ sort: { "photo.name": "asc" } as never, page: { size: 2 } });
    const { cursor } = first.meta.page;
    const next = people.query({ page: { after: cursor } });
    expect(next.records.map(({ id }) => id)).toEqual(["c", "d"]);
    expect(refusalOf(() => people.query({ sort: { "photo.url": "asc" } as never })).code).toBe(
      "invalid_sort",
    );
    const { summaries } = people.summarize({
      columns: ["photo.mediaType"] as never,
      summaries: { bytes: { sum: "photo.size" } } as never,
    });
    expect(summaries).toEqual([
      { photo: { mediaType: "application/octet-stream" }, bytes: 5 },
      { photo: { mediaType: "image/png" }, bytes: PNG.length },
      { photo: { mediaType: "text/plain" }, bytes: 2 },
      { photo: { mediaType: null }, bytes: null },
    ]);
  });

  it("H-1: gives the same answers with an index for each order", () => {
    for (let i = 0; i < 20; i++) {
      people.query({ sort: { "photo.name": "asc" } as never, page: { size: 1 } });
      people.query({ sort: { "photo.size": "asc" } as never, page: { size: 1 } });
    }
    people.update("d", { photo: { name: "A", base64Content: base64("abc") } });
    const orders = ["photo.name", "photo.size"].map((path) =>
      people
        .query({ sort: { [path]: "asc" } as never })
        .records.map(({ id }) => id)
        .join(""),
    );
    expect(orders).toEqual(["dbac", "bdca"]);
  });

  it("R-5: a batch with one invalid file changes nothing", () => {
    const batch = [
      { id: "e", photo: {} },
      { id: "f", photo: { name: 5 } },
    ];
    expect(refusalOf(() => people.insert(batch as never)).path).toBe("/1/photo/name");
    expect(people.get("e")).toBeNull();
  });

  it("notifies of changed content", () => {
    const told: unknown[] = [];
    using _ = subscribe(engine, (changes) => told.push(...changes));
    uploadFile(people, { record: "a", column: "photo" }, new Uint8Array([1]));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ kind: "record_updated", table: "people" });
  });
});

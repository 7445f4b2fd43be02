import { beforeEach, describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { deleteFile, downloadFile, uploadFile } from "../../src/files.js";
import { type AnyEngine, type AnyRecord, createEngine } from "../../src/index.js";
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
  it("H-2: is read the same after a subscriber was told of a write", () => {
    const photo = { name: "p", base64Content: base64("p") };
    people.insert({ id: "a", photo });
    const told: AnyRecord[] = [];
    const { unsubscribe } = subscribe(engine, (changes) => {
      for (const each of changes) if (each.kind === "record_updated") told.push(each.after);
    });
    people.addColumn({ name: "note", type: "string" });
    people.update("a", { note: "n" });
    unsubscribe();
    expect(told).toHaveLength(1);
    const [scanned] = people.scan();
    for (const record of [...told, people.get("a"), people.query({}).records[0], scanned]) {
      expect(Object.keys(record?.photo as object)).toEqual(["name", "mediaType"]);
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

  it("H-1: throws in an engine without files, with a hint to enable them", () => {
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    const table = main.createTable("t", [{ name: "f", type: "file" }]) as unknown as AnyTable;
    table.insert({ id: "a", f: null });
    const refusal = refusalOf(() => table.insert({ f: {} }));
    expect(refusal).toMatchObject({ code: "not_implemented", status: 501 });
    expect(refusal.message).toContain("enableFiles");
  });
});

describe("uploads, downloads and deletions", () => {
  it("H-3: an upload keeps options, not the name; R-6: a download belongs to the caller", () => {
    people.insert({ id: "a", photo: { name: "a", signedUrlTimeout: 7, uploadUrlTimeout: 8 } });
    const place = { record: "a", column: "photo" };
    const kept = { signedUrlTimeout: 7, uploadUrlTimeout: 8 };
    const upload = (): unknown => uploadFile(people, place, PNG).file;
    // The first content belongs to the name.
    expect(upload()).toMatchObject({ ...kept, name: "a", version: 1 });
    expect(upload()).toMatchObject({ ...kept, name: "", version: 2 });
    downloadFile(people, place).content[0] = 0;
    expect(downloadFile(people, place).content).toEqual(PNG);
  });

  it("H-3: report the missing part", () => {
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

it("a subscriber is notified of changed content", () => {
  people.insert({ id: "a", photo: { name: "b.png", base64Content: base64(PNG) } });
  const notified: unknown[] = [];
  using _ = subscribe(engine, (changes) => notified.push(...changes));
  uploadFile(people, { record: "a", column: "photo" }, new Uint8Array([1]));
  expect(notified).toHaveLength(1);
  expect(notified[0]).toMatchObject({ kind: "record_updated", table: "people" });
});

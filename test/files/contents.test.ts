import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { exportEngine, importEngine, importInto } from "../../src/export.js";
import { downloadFile, uploadFile } from "../../src/files.js";
import { createEngine } from "../../src/index.js";
import { createContentStore, hashOf } from "../../src/schema/file-content.js";
import { readImageSize } from "../../src/schema/image-size.js";
import type { AnyTable } from "../../src/typed/table.js";
import { decodeBase64, decodeBase64Url, encodeBase64 } from "../../src/value/base64.js";
import { hmac } from "../../src/value/sha256.js";
import { refusalOf } from "../rules/fixture.js";
import { base64, openFiles, PNG } from "./fixture.js";

describe("contents", () => {
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  it("have the hash and code of node:crypto, for each length around a block and a long one", () => {
    for (const length of [...Array(200).keys(), 1_000_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      expect(hashOf(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
      const code = createHmac("sha256", "key").update(bytes).digest("hex");
      expect(Buffer.from(hmac(text("key"), bytes)).toString("hex")).toBe(code);
    }
  });

  it("are encoded as base64 and decoded again", () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i & 255);
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    expect(decodeBase64("a")).toBeUndefined();
    expect(decodeBase64Url("ab=")).toBeUndefined();
    expect(decodeBase64Url("ab")).toBeUndefined(); // unused bits are set
  });

  it("H-5: are stored once, as copies", () => {
    const keep = createContentStore();
    const bytes = text("abc");
    const first = keep(bytes);
    bytes[0] = 0;
    expect(keep(text("abc"))).toBe(first);
    expect(first.bytes).toEqual(text("abc"));
    expect(keep(text("abd"))).not.toBe(first);
  });

  it.each([
    "iVBORw0KGgoAAAANSUhEUgAAASwAARFwCAYAAAA=",
    "R0lGODdhAgEDAAAAAA==",
    "UklGRigAAABXRUJQVlA4WAoAAAAAAAAAbxEBKwEA",
    "UklGRigAAABXRUJQVlA4TAoAAAAvAAIAAQAAAAAA",
    "UklGRigAAABXRUJQVlA4IAoAAAAAAACdASosQQWA",
    "/9j/4AAKSkZJRgABAQD/wAALCAHgAoABAREA",
  ])("H-1: an image cut anywhere has its size or none: %s", (image) => {
    const bytes = decodeBase64(image)!; // valid base64
    const size = readImageSize(bytes);
    expect(size).toBeDefined();
    for (let length = 0; length < bytes.length; length++) {
      expect([size, undefined]).toContainEqual(readImageSize(bytes.subarray(0, length)));
    }
  });
});

describe("copies of an engine with files", () => {
  const photo = { name: "p", mediaType: "image/png", base64Content: base64(PNG) };
  const place = { record: "a", column: "photo" };

  const tableOf = (engine: ReturnType<typeof openFiles>["engine"], branch = "main"): AnyTable =>
    engine.workspace("acme").database("shop").branch(branch).table("people");

  it("H-5: share content among a thousand branches, and change it independently", () => {
    const { engine, people } = openFiles();
    people.insert([
      { id: "a", photo },
      { id: "b", photo, papers: [{ id: "x", base64Content: base64(PNG) }] },
    ]);
    const shop = engine.workspace("acme").database("shop");
    for (let i = 0; i < 1000; i++) shop.createBranch(`b${i}`, { from: "main" });
    const text = [...exportEngine(engine)].join("");
    expect(text.split(base64(PNG))).toHaveLength(2); // once
    uploadFile(tableOf(engine, "b7"), place, new Uint8Array([1]));
    expect(downloadFile(people, place).content).toEqual(PNG);
    expect(downloadFile(tableOf(engine, "b8"), place).content).toEqual(PNG);
    expect(downloadFile(tableOf(engine, "b7"), place).content).toEqual(new Uint8Array([1]));
  });

  it("H-5: include content in snapshots and forks", () => {
    const { engine, people } = openFiles();
    people.insert({ id: "a", photo });
    const saved = engine.snapshot();
    const fork = engine.fork();
    people.delete("a");
    uploadFile(tableOf(fork), place, new Uint8Array([2]));
    engine.restore(saved);
    expect(downloadFile(people, place).content).toEqual(PNG);
    expect(downloadFile(tableOf(fork), place).content).toEqual(new Uint8Array([2]));
  });

  it("H-5: include content and addresses in exports", () => {
    const { engine, people } = openFiles();
    people.insert({ id: "a", photo, papers: [{ id: "x", name: "x" }, { id: "y" }], open: {} });
    uploadFile(people, { record: "a", column: "papers", file: "x" }, PNG);
    const text = [...exportEngine(engine)].join("");
    const copy = importEngine(text);
    expect([...exportEngine(copy)].join("")).toBe(text);
    const columns = ["photo.*", "photo.signedUrl", "photo.base64Content", "papers.*", "open.*"];
    expect(tableOf(copy).get("a", { columns })).toEqual(people.get("a", { columns }));
    const other = createEngine();
    importInto(other, text);
    expect(tableOf(other).get("a", { columns })).toEqual(people.get("a", { columns }));
    uploadFile(tableOf(other), place, new Uint8Array([1]));
  });

  it("H-5: refuse an export without contents", () => {
    const { engine, people } = openFiles();
    people.insert({ id: "a", photo });
    const text = [...exportEngine(engine)].join("");
    const lines = text.split("\n").filter((line) => !line.startsWith('["file"'));
    expect(refusalOf(() => importEngine(lines.join("\n"))).code).toBe("invalid_request");
  });
});

import { describe, expect, it } from "vitest";
import { exportEngine, importEngine, importInto } from "../../src/export.js";
import { downloadFile, uploadFile } from "../../src/files.js";
import { createEngine } from "../../src/index.js";
import { createContents, hashOf } from "../../src/schema/file-content.js";
import { readImageSize } from "../../src/schema/image-size.js";
import type { AnyTable } from "../../src/typed/table.js";
import { decodeBase64, decodeBase64Url, encodeBase64 } from "../../src/value/base64.js";
import { hmac } from "../../src/value/sha256.js";
import { refusalOf } from "../rules/fixture.js";
import { base64, openFiles, PNG } from "./fixture.js";

describe("contents", () => {
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  it("have the hashes of FIPS 180-4, whatever their length", () => {
    expect(hashOf(text(""))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(hashOf(text("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(hashOf(text("a".repeat(1_000_000)))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
    // RFC 4231, case 2.
    expect(
      Buffer.from(hmac(text("Jefe"), text("what do ya want for nothing?"))).toString("hex"),
    ).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  });

  it("have the same hash as node:crypto, for each length around a block", async () => {
    const { createHash } = await import("node:crypto");
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      expect(hashOf(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  it("are encoded as base64 and decoded again", () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i & 255);
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    expect(decodeBase64("a")).toBeUndefined();
    expect(decodeBase64Url("ab=")).toBeUndefined();
    expect(decodeBase64Url("ab")).toBeUndefined(); // bits that stand for nothing
  });

  it("H-5: are stored once, as copies", () => {
    const keep = createContents();
    const bytes = text("abc");
    const first = keep(bytes);
    bytes[0] = 0;
    expect(keep(text("abc"))).toBe(first);
    expect(first.bytes).toEqual(text("abc"));
    expect(keep(text("abd"))).not.toBe(first);
  });

  const IMAGES: readonly [kind: string, bytes: number[], size: object | undefined][] = [
    ["PNG", [...PNG], { width: 3, height: 2 }],
    ["GIF", [...Buffer.from("GIF89a"), 5, 0, 4, 1], { width: 5, height: 260 }],
    [
      "JPEG",
      [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 1, 0, 0, 7, 1, 1, 17, 0],
      { width: 7, height: 256 },
    ],
    [
      "WebP, extended",
      [...Buffer.from("RIFF____WEBPVP8X____"), 0, 0, 0, 0, 9, 0, 0, 19, 1, 0],
      { width: 10, height: 276 },
    ],
    [
      "WebP, lossless",
      [...Buffer.from("RIFF____WEBPVP8L____"), 0x2f, 0x02, 0xc0, 0x00, 0, 0, 0, 0, 0, 0],
      { width: 3, height: 4 },
    ],
    [
      "WebP, lossy",
      [...Buffer.from("RIFF____WEBPVP8 ____"), 0, 0, 0, 0x9d, 0x01, 0x2a, 6, 0, 5, 0x40],
      { width: 6, height: 5 },
    ],
    ["a JPEG without a frame", [0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0], undefined],
    ["a PNG without a width", [...PNG.subarray(0, 16), 0, 0, 0, 0, 0, 0, 0, 1], undefined],
    ["text", [...Buffer.from("hello, this is no image at all")], undefined],
  ];
  it.each(IMAGES)("H-1: %s has its size", (_, bytes, size) => {
    expect(readImageSize(Uint8Array.from(bytes))).toEqual(size);
    for (let length = 0; length < bytes.length; length++) {
      const cut = readImageSize(Uint8Array.from(bytes.slice(0, length)));
      expect(cut === undefined || JSON.stringify(cut) === JSON.stringify(size)).toBe(true);
    }
  });
});

describe("copies of an engine with files", () => {
  const photo = { name: "p", mediaType: "image/png", base64Content: base64(PNG) };
  const place = { record: "a", column: "photo" };

  const tableOf = (engine: ReturnType<typeof openFiles>["engine"], branch = "main"): AnyTable =>
    engine.workspace("acme").database("shop").branch(branch).table("people");

  it("H-5: share content among a thousand branches, each of which can change it", () => {
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

  it("H-5: include it in snapshots and forks", () => {
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

  it("H-5: include it in exports, byte for byte and with its addresses", () => {
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

  it("H-5: a modified export throws", () => {
    const { engine, people } = openFiles();
    people.insert({ id: "a", photo });
    const text = [...exportEngine(engine)].join("");
    const lines = text.split("\n").filter((line) => !line.startsWith('["file"'));
    expect(refusalOf(() => importEngine(lines.join("\n"))).code).toBe("invalid_request");
  });
});

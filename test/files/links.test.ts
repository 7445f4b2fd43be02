import { beforeEach, describe, expect, it } from "vitest";
import { downloadByToken } from "../../src/files.js";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { refusalOf } from "../rules/fixture.js";
import { base64, openFiles, PNG } from "./fixture.js";

let engine: AnyEngine;
let people: AnyTable;

beforeEach(openPhoto);

function openPhoto(): void {
  ({ engine, people } = openFiles());
  people.insert({
    id: "a",
    photo: { name: "p", mediaType: "image/png", base64Content: base64(PNG), signedUrlTimeout: 10 },
  });
}

function tokenOf(kind: "url" | "signedUrl" | "uploadUrl"): string {
  const record = people.get("a", { columns: [`photo.${kind}`] })!;
  const address = (record.photo as Record<string, string>)[kind]!;
  return address.slice(address.lastIndexOf("/") + 1);
}

function codeOf(call: () => unknown): string {
  return refusalOf(call).code;
}

describe("addresses of files", () => {
  it("H-4: a url that is not public reads for members of its workspace", () => {
    const token = tokenOf("url");
    const asked: string[] = [];
    const isMember = (workspace: string) => asked.push(workspace) > 0;
    expect(downloadByToken(engine, token, isMember).content).toEqual(PNG);
    expect(asked).toEqual(["acme"]);
    expect(codeOf(() => downloadByToken(engine, token))).toBe("forbidden");
    expect(codeOf(() => downloadByToken(engine, token, () => false))).toBe("forbidden");
    expect(codeOf(() => downloadByToken(engine, tokenOf("uploadUrl"), isMember))).toBe("forbidden");
  });

  it.each([
    ["signedUrl", 10_000],
    ["uploadUrl", 86_400_000],
  ] as const)("H-4: over HTTP, a %s ends after %i ms, by the engine's clock", async (kind, ms) => {
    const token = tokenOf(kind);
    const fetch = createFetch(engine);
    const ask = async () => {
      const init = kind === "uploadUrl" ? { method: "PUT", body: "x" } : {};
      return (await fetch(`http://localhost/file/${token}`, init)).status;
    };
    engine.clock.advance(ms - 1);
    expect(await ask()).toBe(kind === "uploadUrl" ? 201 : 200);
    engine.clock.advance(1);
    expect(await ask()).toBe(403);
    engine.clock.advance(1);
    expect(await ask()).toBe(403);
  });

  it("H-4: survive renames of the table and the column, and end with them", () => {
    const token = tokenOf("signedUrl");
    people.renameColumn("photo", "image");
    people.rename("persons");
    expect(downloadByToken(engine, token).content).toEqual(PNG);
    const saved = engine.snapshot();
    const undone = [
      () => people.delete("a"),
      () => people.removeColumn("image"),
      () => engine.workspace("acme").database("shop").branch("main").deleteTable("persons"),
      () => engine.workspace("acme").deleteDatabase("shop"),
      () => engine.deleteWorkspace("acme"),
    ];
    for (const undo of undone) {
      undo();
      expect(codeOf(() => downloadByToken(engine, token))).toBe("file_not_found");
      engine.restore(saved);
    }
  });

  it("H-4: belong to one branch", () => {
    const shop = engine.workspace("acme").database("shop");
    shop.createBranch("other", { from: "main" });
    const token = tokenOf("signedUrl");
    shop.branch("other").table("people").delete("a");
    expect(downloadByToken(engine, token).content).toEqual(PNG);
    people.delete("a");
    expect(codeOf(() => downloadByToken(engine, token))).toBe("file_not_found");
  });

  it("H-4: contain no names", () => {
    const decoded = Buffer.from(tokenOf("signedUrl"), "base64url").toString("latin1");
    for (const word of ["acme", "shop", "main", "photo", "tbl_"]) {
      expect(decoded).not.toContain(word);
    }
  });

  it("H-4: are equal for equal calls", () => {
    const token = tokenOf("signedUrl");
    openPhoto();
    expect(tokenOf("signedUrl")).toBe(token);
    expect(downloadByToken(engine, token).content).toEqual(PNG);
  });
});

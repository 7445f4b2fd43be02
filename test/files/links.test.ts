import { beforeEach, describe, expect, it } from "vitest";
import {
  deleteFile,
  downloadByToken,
  downloadFile,
  uploadByToken,
  uploadFile,
} from "../../src/files.js";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { refusalOf } from "../rules/fixture.js";
import { base64, openFiles, PNG } from "./fixture.js";

let engine: AnyEngine;
let people: AnyTable;

const place = { record: "a", column: "photo" };

beforeEach(() => {
  ({ engine, people } = openFiles());
  people.insert({
    id: "a",
    photo: { name: "p", mediaType: "image/png", base64Content: base64(PNG), signedUrlTimeout: 10 },
    papers: [{ id: "x", base64Content: base64("x") }],
  });
});

type Kind = "url" | "signedUrl" | "uploadUrl";

function tokenOf(kind: Kind, column = "photo"): string {
  const record = people.get("a", { columns: [`${column}.${kind}`] }) as Record<string, unknown>;
  const files = record[column] as Record<string, string>[] | Record<string, string>;
  const address = (Array.isArray(files) ? files[0]! : files)[kind]!;
  return address.slice(address.lastIndexOf("/") + 1);
}

function codeOf(call: () => unknown): string {
  return refusalOf(call).code;
}

describe("addresses of files", () => {
  it.each<[Kind, boolean, read: string, write: string]>([
    ["url", false, "forbidden", "forbidden"],
    ["url", true, "done", "forbidden"],
    ["signedUrl", false, "done", "forbidden"],
    ["uploadUrl", true, "forbidden", "done"],
  ])("H-4: a %s, public: %j: reading is %s, writing %s", (kind, enablePublicUrl, read, write) => {
    const token = tokenOf(kind);
    people.update("a", { photo: { enablePublicUrl } }); // the content is the same
    const acts = [
      [() => downloadByToken(engine, token), read],
      [() => uploadByToken(engine, token, PNG), write],
    ] as const;
    for (const [act, outcome] of acts) {
      if (outcome === "done") act();
      else expect(refusalOf(act)).toMatchObject({ code: outcome, status: 403 });
    }
  });

  it("H-4: a url that is not public reads for members of its workspace", () => {
    const token = tokenOf("url");
    const asked: string[] = [];
    const isMember = (workspace: string) => asked.push(workspace) > 0;
    expect(downloadByToken(engine, token, isMember).content).toEqual(PNG);
    expect(asked).toEqual(["acme"]);
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

  it("H-4: a signedUrl reads the file until the URL expires", () => {
    const token = tokenOf("signedUrl");
    engine.clock.advance(9_999);
    expect(downloadByToken(engine, token).content).toEqual(PNG);
    engine.clock.advance(1);
    expect(codeOf(() => downloadByToken(engine, token))).toBe("forbidden");
    expect(downloadByToken(engine, tokenOf("signedUrl")).content).toEqual(PNG);
    expect(downloadByToken(engine, tokenOf("signedUrl", "papers")).content).toHaveLength(1);
  });

  it("H-4: those of an earlier version stay invalid after new content", () => {
    people.update("a", { photo: { enablePublicUrl: true } });
    const tokens = [tokenOf("url"), tokenOf("signedUrl")];
    uploadFile(people, place, new Uint8Array([1]));
    for (const token of tokens) {
      expect(codeOf(() => downloadByToken(engine, token))).toBe("file_not_found");
    }
    deleteFile(people, place);
    people.update("a", { photo: { base64Content: base64("other"), enablePublicUrl: true } });
    for (const token of tokens) {
      expect(codeOf(() => downloadByToken(engine, token))).toBe("file_not_found");
    }
  });

  it("H-4: an uploadUrl writes the file any number of times until the URL expires", () => {
    const token = tokenOf("uploadUrl");
    for (const byte of [1, 2]) {
      const file = uploadByToken(engine, token, new Uint8Array([byte]), { mediaType: "a/b" });
      expect(file).toMatchObject({ name: "", mediaType: "a/b", version: byte + 1 });
      expect(downloadFile(people, place).content).toEqual(new Uint8Array([byte]));
    }
    deleteFile(people, place);
    uploadByToken(engine, token, PNG);
    const inList = tokenOf("uploadUrl", "papers");
    expect(uploadByToken(engine, inList, PNG)).toMatchObject({ id: "x", version: 2 });
    engine.clock.advance(86_400_000);
    expect(codeOf(() => uploadByToken(engine, token, PNG))).toBe("forbidden");
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

  it("H-4: are opaque; other texts are not found", () => {
    const token = tokenOf("signedUrl");
    const decoded = Buffer.from(token, "base64url").toString("latin1");
    for (const word of ["acme", "shop", "main", "photo", "tbl_"]) {
      expect(decoded).not.toContain(word);
    }
    for (const text of [
      "",
      "x",
      "../..",
      token.slice(1),
      `${token}A`,
      `${token}=`,
      "%00",
      "__proto__",
    ]) {
      expect(codeOf(() => downloadByToken(engine, text))).toBe("file_not_found");
    }
  });

  it("H-4: are equal for equal calls, and differ with the seed", () => {
    const token = tokenOf("signedUrl");
    expect(openFiles().engine.seed).toBe(engine.seed);
    const again = openFiles();
    again.people.insert({
      id: "a",
      photo: {
        name: "p",
        mediaType: "image/png",
        base64Content: base64(PNG),
        signedUrlTimeout: 10,
      },
    });
    const record = again.people.get("a", { columns: ["photo.signedUrl"] }) as Record<
      string,
      unknown
    >;
    expect(JSON.stringify(record)).toContain(token);
    expect(downloadByToken(again.engine, token).content).toEqual(PNG);
  });
});

import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { ColumnDefinition, Json } from "../../types.js";
import { oneOf } from "../arbitraries/people.js";
import { base64Of, type FileChange, OracleFiles } from "../oracle/files.js";
import type { JsonObject } from "../oracle/model.js";
import type { WireRequest } from "../target/connection.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, named, type Scene } from "./scene.js";

const RECORD = "/tables/docs/data/r1";
const FILE = branchPath(`${RECORD}/column/photo/file`);
const OK = { status: 200 };

export const FILE_LAWS: readonly Law[] = [
  defineLaw({
    id: "contents-come-back-as-they-were",
    title: "file contents are returned byte for byte, by every way in and out",
    rules: ["H-1", "H-3", "H-2"],
    tier: "strict",
    needs: ["records", "files"],
    cases: () =>
      fc.record({
        fixture: fc.constant(filesFixture([{}])),
        bytes: fc.uint8Array({ maxLength: 40, size: "max" }),
        raw: fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
      }),
    async check(scene, { bytes, raw }) {
      const photo = { base64Content: base64Of(bytes), mediaType: "a/b" };
      await scene.send({ method: "PATCH", path: branchPath(RECORD), body: { photo } }, OK);
      await requireContent(scene, bytes);
      await scene.send({ method: "PUT", path: FILE, raw, headers: { "content-type": "a/b" } }, OK);
      await requireContent(scene, new TextEncoder().encode(raw));
    },
  }),
  defineLaw({
    id: "files-do-what-was-asked",
    title:
      "files are created, replaced and deleted with their size and version, and branches are independent",
    rules: ["H-1", "H-3", "H-5", "H-2", "R-2"],
    tier: "strict",
    needs: ["records", "files", "branches"],
    cases: () =>
      fc.record({
        fixture: fc.constant(filesFixture([{}])),
        changes: fc.array(fileChangeArbitrary(), { minLength: 1, maxLength: 6, size: "max" }),
        branchAfter: fc.nat({ max: 3 }),
      }),
    async check(scene, { changes, branchAfter }) {
      const model = new OracleFiles();
      let copied: JsonObject | undefined;
      for (const [at, change] of changes.entries()) {
        if (at === branchAfter) {
          const twig = { method: "PUT", path: branchPath("", "twig"), body: { from: "main" } };
          await scene.send(twig, { status: [200, 201] });
          copied = model.show();
        }
        const status = model.play(change);
        await scene.send(requestOf(change), { status });
        await requireFiles(scene, model.show(), "main");
        const version = { [`/${named("meta")}/version`]: model.version };
        scene.expect({ at: version }, "each write of a file increments its record's version");
      }
      if (copied === undefined || scene.traits.profile.branchCopies !== "records") return;
      await requireFiles(scene, copied, "twig");
    },
  }),
  defineLaw({
    id: "addresses-lead-to-their-content",
    title: "a file URL returns its own content, with a key or without as its kind says",
    rules: ["H-4"],
    tier: "strict",
    needs: ["records", "files"],
    cases: () =>
      fc.record({
        fixture: fc.constant(filesFixture([{}])),
        text: oneOf(["", "x", "{}"]),
        way: oneOf(["signedUrl", "url", "uploadUrl"] as const),
        enablePublicUrl: fc.boolean(),
        damaged: fc.nat({ max: 200 }),
        hasKey: fc.boolean(),
      }),
    async check(scene, { text, way, enablePublicUrl, damaged, ...given }) {
      const { apiKey } = scene.traits;
      const hasKey = given.hasKey && apiKey !== undefined;
      const photo = { base64Content: base64Of(text), enablePublicUrl };
      await scene.send({ method: "PATCH", path: branchPath(RECORD), body: { photo } }, OK);
      const query = { columns: `photo.${way}` };
      const shown = await scene.send({ method: "GET", path: branchPath(RECORD), query }, OK);
      const address = String(readPointer(shown.body, `/photo/${way}`));
      const token = address.slice(address.lastIndexOf("/") + 1);
      const key = { authorization: hasKey ? `Bearer ${apiKey}` : null };
      const follow = (to: string, rest: object = { method: "GET" }) =>
        scene.send({ method: "PUT", path: `/file/${to}`, headers: key, ...rest });
      const content = await follow(token);
      const isOpen = way === "signedUrl" || (way === "url" && (enablePublicUrl || hasKey));
      scene.expect({ status: isOpen ? 200 : 403 }, `reading ${way}`);
      if (isOpen && content.text !== text) scene.fail(`what ${way} leads to`, text, content.text);
      const at = damaged % token.length;
      await follow(`${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`);
      scene.expect({ status: 404, error: { code: "file_not_found" } }, "a damaged URL is rejected");
      await follow(token, { raw: "new" });
      const isUpload = way === "uploadUrl";
      scene.expect({ status: isUpload ? 201 : 403 }, `writing ${way}`);
      if (!isUpload) {
        await scene.send({ method: "PUT", path: FILE, raw: "new" }, OK);
        await follow(token);
        scene.expect(
          { status: 404, error: { code: "file_not_found" } },
          "the URL of an earlier content is rejected",
        );
      }
      await requireContent(scene, new TextEncoder().encode("new"));
    },
  }),
];

async function requireContent(scene: Scene, bytes: Uint8Array): Promise<void> {
  const query = { columns: "photo.base64Content,photo.size" };
  const photo = { base64Content: base64Of(bytes), size: bytes.length };
  const request = { method: "GET", path: branchPath(RECORD), query };
  await scene.send(request, { status: 200, at: { "/photo": photo } });
  const { text } = await scene.send({ method: "GET", path: FILE }, OK);
  const wanted = new TextDecoder().decode(bytes);
  if (text !== wanted) scene.fail("the file's bytes are unchanged", wanted, text);
}

/** Compares all members of the files except addresses. */
async function requireFiles(scene: Scene, wanted: JsonObject, branch: string): Promise<void> {
  const columns = "photo,photo.base64Content,papers,papers.base64Content";
  const path = branchPath(RECORD, branch);
  const { body } = await scene.send({ method: "GET", path, query: { columns } }, OK);
  for (const column of ["photo", "papers"]) {
    const found = withoutAddresses((readPointer(body, `/${column}`) ?? null) as Json); // from JSON
    const expected = wanted[column] ?? null;
    if (textOf(found) !== textOf(expected)) scene.fail(`${column} of ${branch}`, expected, found);
  }
}

function withoutAddresses(files: Json): Json {
  if (Array.isArray(files)) return files.map((file: Json) => withoutAddresses(file));
  if (!isObject(files)) return files;
  const { url: _, ...rest } = files as JsonObject;
  return rest;
}

function textOf(value: Json): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Uploaded bytes have the media type `a/raw`. */
function requestOf(change: FileChange): WireRequest {
  const path = branchPath(RECORD);
  if (change.kind === "set") return { method: "PATCH", path, body: { photo: change.file } };
  if (change.kind === "list") {
    return { method: "PATCH", path, body: { papers: change.files as Json } }; // JSON objects
  }
  const { kind, id, raw } = change;
  const column = id === undefined ? "photo/file" : `papers/file/${id}`;
  const file = `${path}/column/${column}`;
  if (kind === "delete") return { method: "DELETE", path: file };
  return { method: "PUT", path: file, raw, headers: { "content-type": "a/raw" } };
}

const COLUMNS: readonly ColumnDefinition[] = [
  { name: "photo", type: "file" },
  { name: "papers", type: "file[]" },
];

function filesFixture(records: readonly JsonObject[]): Fixture {
  const named = records.map((record, i) => ({ id: `r${i + 1}`, ...record }));
  return { tables: [{ name: "docs", columns: COLUMNS, records: named }] };
}

function fileArbitrary(): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      name: oneOf(["a", "b", "ba", ""]),
      mediaType: oneOf(["a/b", "a/c", "text/plain"]),
      base64Content: oneOf(["", "x", "xy", "xyz"]).map(base64Of),
      signedUrlTimeout: oneOf([1, 60]),
    },
    { requiredKeys: [] },
  );
}

function fileChangeArbitrary(): fc.Arbitrary<FileChange> {
  const ids = oneOf(["x", "y", "z"]);
  const member = fc.tuple(ids, fileArbitrary()).map(([id, file]) => ({ id, ...file }));
  const members = fc.uniqueArray(member, { maxLength: 3, selector: ({ id }) => id });
  const set = fc.option(fileArbitrary(), { freq: 5 });
  const list = fc.option(members, { freq: 5 });
  return fc.oneof(
    set.map((file) => ({ kind: "set" as const, file })),
    list.map((files) => ({ kind: "list" as const, files })),
    fc.record({
      kind: oneOf(["put", "delete"] as const),
      id: fc.option(ids, { nil: undefined }),
      raw: oneOf(["", "{}", "é", "xy"]),
    }),
  );
}

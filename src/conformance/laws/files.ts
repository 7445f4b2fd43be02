import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import { oneOf } from "../arbitraries/people.js";
import { base64Of, type FileChange, OracleFiles } from "../oracle/files.js";
import type { JsonObject } from "../oracle/model.js";
import type { WireRequest } from "../target/connection.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";
import { damageText } from "../vectors/variables.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, named, type Scene } from "./scene.js";

const RECORD = "/tables/docs/data/r1";
const FILE = branchPath(`${RECORD}/column/photo/file`);
const OK = { status: 200 };

const FIXTURE = fc.constant<Fixture>({
  tables: [
    {
      name: "docs",
      columns: [
        { name: "photo", type: "file" },
        { name: "papers", type: "file[]" },
      ],
      records: [{ id: "r1" }],
    },
  ],
});

export const FILE_LAWS: readonly Law[] = [
  defineLaw({
    id: "files-do-what-was-asked",
    title:
      "files are created, replaced and deleted with their bytes, size and version, and branches are independent",
    rules: ["H-1", "H-3", "H-5", "H-2", "R-2"],
    tier: "strict",
    needs: ["records", "files"],
    cases: () =>
      fc.record({
        fixture: FIXTURE,
        changes: fc.array(fileChangeArbitrary(), { minLength: 1, maxLength: 6, size: "max" }),
        branchAfter: fc.nat({ max: 3 }),
      }),
    async check(scene, { changes, branchAfter }) {
      const model = new OracleFiles();
      let copied: JsonObject | undefined;
      for (const [at, change] of changes.entries()) {
        if (at === branchAfter && scene.traits.capabilities.has("branches")) {
          const twig = { method: "PUT", path: branchPath("", "twig"), body: { from: "main" } };
          await scene.send(twig, { status: [200, 201] });
          copied = model.show();
        }
        const status = model.play(change);
        await scene.send(requestOf(change), { status });
        await requireFiles(scene, model.show(), "main");
        const version = { [`/${named("meta")}/version`]: model.version };
        scene.expect({ at: version }, "each write of a file increments its record's version");
        const { photo } = model.show();
        if (isObject(photo)) await requireContent(scene, String(photo.base64Content));
      }
      if (copied === undefined || scene.traits.profile.branchCopies !== "records") return;
      await requireFiles(scene, copied, "twig");
    },
  }),
  defineLaw({
    id: "damaged-addresses-lead-nowhere",
    title: "a file URL with any character changed is refused",
    rules: ["H-4"],
    tier: "strict",
    needs: ["records", "files"],
    share: 0.6,
    cases: () =>
      fc.record({
        fixture: FIXTURE,
        way: oneOf(["signedUrl", "url", "uploadUrl"]),
        at: fc.nat({ max: 200 }),
      }),
    async check(scene, { way, at }) {
      const photo = { base64Content: "", enablePublicUrl: true };
      await scene.send({ method: "PATCH", path: branchPath(RECORD), body: { photo } }, OK);
      const query = { columns: `photo.${way}` };
      const shown = await scene.send({ method: "GET", path: branchPath(RECORD), query }, OK);
      const token =
        String(readPointer(shown.body, `/photo/${way}`))
          .split("/")
          .at(-1) ?? "";
      const request = way === "uploadUrl" ? { method: "PUT", raw: "new" } : { method: "GET" };
      await scene.send(
        { ...request, path: `/file/${damageText(token, at)}` },
        { status: 404, error: { code: "file_not_found" } },
      );
    },
  }),
];

async function requireContent(scene: Scene, base64Content: string): Promise<void> {
  const { text } = await scene.send({ method: "GET", path: FILE }, OK);
  const bytes = Uint8Array.from(atob(base64Content), (byte) => byte.charCodeAt(0));
  const wanted = new TextDecoder().decode(bytes);
  if (text !== wanted) scene.fail("the file's bytes are unchanged", wanted, text);
}

/** Compares all members of the files; their addresses may be any. */
async function requireFiles(scene: Scene, wanted: JsonObject, branch: string): Promise<void> {
  const columns = "photo,photo.base64Content,papers,papers.base64Content";
  const path = branchPath(RECORD, branch);
  await scene.send({ method: "GET", path, query: { columns } }, OK);
  const at = Object.entries(wanted).map(([column, files]) => [`/${column}`, withAddresses(files)]);
  const absent = ["photo", "papers"].filter((column) => !Object.hasOwn(wanted, column));
  const expectation = { at: Object.fromEntries(at), absent: absent.map((column) => `/${column}`) };
  scene.expect(expectation, `the files of ${branch}`);
}

function withAddresses(files: Json): Json {
  if (Array.isArray(files)) return files.map((file: Json) => withAddresses(file));
  return { ...(files as JsonObject), url: { $type: "string" } };
}

/** Uploaded bytes have the media type `a/raw`. */
function requestOf(change: FileChange): WireRequest {
  const path = branchPath(RECORD);
  if (change.kind === "set") return { method: "PATCH", path, body: { photo: change.file } };
  if (change.kind === "list") {
    return { method: "PATCH", path, body: { papers: change.files as Json } }; // JSON objects
  }
  const { kind, id, raw } = change;
  const file = id === undefined ? FILE : `${path}/column/papers/file/${id}`;
  if (kind === "delete") return { method: "DELETE", path: file };
  return { method: "PUT", path: file, raw, headers: { "content-type": "a/raw" } };
}

const BYTES = fc.uint8Array({ maxLength: 40, size: "max" });
/** Text of any characters; a string of fast-check lists all of them first, in 0.6 seconds. */
const TEXT = fc
  .array(fc.nat({ max: 0x10ffff }), { maxLength: 20 })
  .map((codes) => String.fromCodePoint(...codes).toWellFormed());

function fileArbitrary(): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      name: oneOf(["a", "b", "ba", ""]),
      mediaType: oneOf(["a/b", "a/c", "text/plain"]),
      base64Content: fc.oneof(oneOf(["", "x", "xy", "xyz"]), BYTES).map(base64Of),
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
      raw: fc.oneof(oneOf(["", "{}", "é", "xy"]), TEXT),
    }),
  );
}

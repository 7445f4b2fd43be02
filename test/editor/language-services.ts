import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root: string = resolve(import.meta.dirname, "../..");

interface TypeScript5 {
  readonly sys: { readFile(name: string): string | undefined; fileExists(name: string): boolean };
  readonly ScriptSnapshot: { fromString(text: string): object };
  createDocumentRegistry(): object;
  getDefaultLibFilePath(options: object): string;
  getParsedCommandLineOfConfigFile(
    file: string,
    options: object,
    host: object,
  ): { options: object };
  createLanguageService(
    host: object,
    registry: object,
  ): {
    getCompletionsAtPosition(
      file: string,
      offset: number,
      options: object,
    ): { entries: { name: string }[] } | undefined;
    dispose(): void;
  };
}

// A dependency of a development tool; the project's own is TypeScript 7.
const checker: string = join(root, "node_modules/@arethetypeswrong/core/package.json");
const ts = createRequire(checker)("typescript") as TypeScript5; // its declared interface

/** A program that an editor has open, in its own folder. */
export interface OpenProgram {
  readonly file: string;
  readonly text: string;
  readonly cursors: readonly number[];
  remove(): void;
}

/** Writes a program for an editor to open; each `‸` marks a cursor. */
export function openProgram(marked: string): OpenProgram {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-editor-"));
  const parts = marked.split("‸");
  const cursors: number[] = [];
  for (const part of parts) cursors.push((cursors.at(-1) ?? 0) + part.length);
  const text = parts.join("");
  const file = join(folder, "program.mts");
  const compilerOptions = {
    rootDir: "/",
    types: [],
    noEmit: true,
    isolatedDeclarations: false,
    noUnusedLocals: false,
  };
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    files: ["program.mts", join(root, "src/http/control/page.d.ts")],
    include: [],
  };
  writeFileSync(file, text);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const remove = () => rmSync(folder, { recursive: true });
  return { file, text, cursors: cursors.slice(0, -1), remove };
}

export interface LanguageService {
  /** The names that completion offers at an offset. */
  complete(offset: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The language service of TypeScript 5, in this process. */
export function startTypeScript5({ file, text }: OpenProgram): LanguageService {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(file, "../tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name: string) => {
      const found = name === file ? text : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given: object) => ts.getDefaultLibFilePath(given),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry());
  return {
    complete: async (offset) =>
      (service.getCompletionsAtPosition(file, offset, {})?.entries ?? []).map(({ name }) =>
        nameOf(name),
      ),
    close: async () => service.dispose(),
  };
}

/** The language server of TypeScript 7, over its standard streams. */
export function startTypeScript7({ file, text }: OpenProgram): LanguageService {
  const bin = join(root, "node_modules/typescript/bin/tsc");
  const child = spawn(process.execPath, [bin, "--lsp", "--stdio"], { cwd: root });
  const connection = connect(child);
  const uri = pathToFileURL(file).href;
  const ready = connection
    .request("initialize", { processId: process.pid, rootUri: null, capabilities: {} })
    .then(() => {
      connection.notify("initialized", {});
      connection.notify("textDocument/didOpen", {
        textDocument: { uri, languageId: "typescript", version: 1, text },
      });
    });
  return {
    async complete(offset) {
      await ready;
      const lines = text.slice(0, offset).split("\n");
      const position = { line: lines.length - 1, character: lines.at(-1)!.length };
      const found = (await connection.request("textDocument/completion", {
        textDocument: { uri },
        position,
      })) as { items: { label: string }[] } | { label: string }[] | null; // by the protocol
      const items = Array.isArray(found) ? found : (found?.items ?? []);
      return items.map(({ label }) => nameOf(label));
    },
    async close() {
      await ready;
      await connection.request("shutdown", undefined);
      const ended = new Promise((done) => child.once("exit", done));
      connection.notify("exit", undefined);
      await ended;
    },
  };
}

/** A name without its quotes and question mark. */
function nameOf(label: string): string {
  return label.replace(/\?$/, "").replace(/^"(.*)"$/, "$1");
}

interface Connection {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
}

/** Speaks JSON-RPC with a language server. */
function connect(child: ChildProcessWithoutNullStreams): Connection {
  const pending = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>();
  let buffer = Buffer.alloc(0);
  let id = 0;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())?.[1]);
      if (buffer.length < end + 4 + length) return;
      const message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString()) as {
        id?: number;
        method?: string;
        params?: { items?: unknown[] };
        result?: unknown;
        error?: { message: string };
      };
      buffer = buffer.subarray(end + 4 + length);
      if (message.method !== undefined) {
        if (message.id === undefined) continue;
        // Answer requests for settings with null.
        const result = message.params?.items?.map(() => null) ?? null;
        send({ id: message.id, result });
        continue;
      }
      const waiting = pending.get(message.id ?? -1);
      pending.delete(message.id ?? -1);
      if (message.error === undefined) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.error.message));
    }
  });
  return {
    request(method, params) {
      return new Promise((resolve, reject) => {
        pending.set(++id, { resolve, reject });
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
  };
}

import { enableFiles } from "../../src/files.js";
import { type AnyEngine, createEngine, type ProfileOption } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";

/** The time of the tests, in milliseconds. */
const NOW: number = Date.parse("2024-01-31T12:00:00Z");

/** The first bytes of a PNG of 3 × 2 pixels. */
export const PNG: Uint8Array = Uint8Array.from([
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0],
]);

/** A table of people with a photo, papers, and a file in an object. */
export function openFiles(profile?: ProfileOption): { engine: AnyEngine; people: AnyTable } {
  const engine = enableFiles(
    createEngine({ now: NOW, seed: 3, ...(profile !== undefined && { profile }) }),
  );
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const people = main.createTable("people", [
    { name: "name", type: "string" },
    { name: "photo", type: "file" },
    { name: "papers", type: "file[]" },
    { name: "open", type: "file", file: { defaultPublicAccess: true } },
    { name: "box", type: "object", columns: [{ name: "scan", type: "file" }] },
    { name: "peer", type: "link", link: { table: "people" } },
  ]);
  return { engine, people: people as unknown as AnyTable };
}

/** Bytes as base64. */
export function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64");
}

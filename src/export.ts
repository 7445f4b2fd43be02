import { type AnyEngine, Engine } from "./engine.js";
import {
  type ExportSource,
  exportContext,
  type ImportOptions,
  importContext,
  importContextFrom,
  replaceContents,
} from "./persist/contexts.js";
import type { ProfileShape } from "./typed/shape.js";

export type { ExportSource, ImportOptions } from "./persist/contexts.js";

/**
 * Serializes the engine's current state as text, in chunks: catalog, schemas, records with versions
 * and times, users and keys, clock and seed. It is UTF-8 JSON Lines with a checksum per line. Equal
 * contents give equal text. Writes during the iteration don't affect it.
 *
 * @example
 * const text = [...exportEngine(engine)].join("");
 * const copy = importEngine(text);
 */
export function exportEngine(engine: AnyEngine): IterableIterator<string> {
  return exportContext(Engine.contextOf(engine));
}

/**
 * Creates an engine with the same answers as the exported one. It has the export's profile; pass
 * its type as a type argument. Throws `invalid_request` with the number of the damaged line.
 */
export function importEngine<P extends ProfileShape = ProfileShape>(
  source: ExportSource,
  options?: ImportOptions,
): Engine<P> {
  return new Engine(importContext(source, options));
}

/** Like {@link importEngine}, from a stream. */
export async function importEngineFrom<P extends ProfileShape = ProfileShape>(
  source: AsyncIterable<string | Uint8Array>,
  options?: ImportOptions,
): Promise<Engine<P>> {
  return new Engine(await importContextFrom(source, options));
}

/**
 * Replaces everything in an engine, including clock and seed, with an export: text or UTF-8 bytes
 * in chunks of any size. An error changes nothing. Throws `invalid_request` with the number of the
 * damaged line, and for an export of another base profile.
 */
export function importInto(engine: AnyEngine, source: ExportSource): void {
  replaceContents(Engine.contextOf(engine), source);
}

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
 * Everything an engine holds now as text, in chunks, while it goes on: catalog, schemas, records
 * with versions and times, users and keys, clock and seed. The same contents make the same text,
 * UTF-8 for files: lines of JSON, each with a checksum.
 *
 * @example
 * const text = [...exportEngine(engine)].join("");
 * const copy = importEngine(text);
 */
export function exportEngine(engine: AnyEngine): IterableIterator<string> {
  return exportContext(Engine.contextOf(engine));
}

/**
 * Makes an engine of an export; it answers with the same bytes as the one exported.
 * Its profile is the export's; the shape of that, if it is known, is for the caller to say.
 *
 * @throws TwinbaseError `invalid_request` with the line that is damaged.
 */
export function importEngine<P extends ProfileShape = ProfileShape>(
  source: ExportSource,
  options?: ImportOptions,
): Engine<P> {
  return new Engine(importContext(source, options));
}

/** As {@link importEngine}, of a stream. */
export async function importEngineFrom<P extends ProfileShape = ProfileShape>(
  source: AsyncIterable<string | Uint8Array>,
  options?: ImportOptions,
): Promise<Engine<P>> {
  return new Engine(await importContextFrom(source, options));
}

/**
 * Takes over what an export holds, with its clock and seed, in place of all that an engine has. The
 * text, or its UTF-8, may come in any chunks.
 *
 * @throws TwinbaseError `invalid_request` with the line that is damaged, and for an export of
 * another kind of profile; nothing has changed then.
 */
export function importInto(engine: AnyEngine, source: ExportSource): void {
  replaceContents(Engine.contextOf(engine), source);
}

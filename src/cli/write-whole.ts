import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a text atomically.
 *
 * @param check reads the temporary file; if it throws, nothing is written
 */
export async function writeWhole(
  chunks: Iterable<string> | AsyncIterable<string | Uint8Array>,
  path: string,
  check: (beside: string) => Promise<void> = async () => {},
): Promise<void> {
  const beside = `${path}.new`;
  try {
    const file = await open(beside, "w");
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await check(beside);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

import { describe, expect, test } from "vitest";
import { assembleSchema } from "../../src/schema/columns.js";
import { Chunk } from "../../src/storage/chunk.js";
import {
  copyChunk,
  Ownership,
  ownVector,
  putVector,
  shareVector,
} from "../../src/storage/ownership.js";
import { createTableVersion, TableVersion } from "../../src/storage/table.js";
import { Mark, NumberVector } from "../../src/storage/vectors.js";

const SLOT = 0;

/** A chunk of one column with these numbers, created by `ownership`. */
function fill(ownership: Ownership, numbers: readonly number[], capacity = 8): Chunk {
  const chunk = ownership.createChunk(1, capacity);
  const vector = new NumberVector(chunk.capacity);
  for (const [row, number] of numbers.entries()) vector.set(row, number);
  putVector(chunk, SLOT, vector);
  chunk.count = numbers.length;
  ownership.claim(chunk, chunk.count);
  return chunk;
}

function numbersOf(chunk: Chunk): (number | null)[] {
  return Array.from({ length: chunk.count }, (_, row) => chunk.vectors[SLOT]!.get(row) as number);
}

/** Sets a number in a row of a chunk that it owns. */
function write(ownership: Ownership, chunks: Chunk[], row: number, number: number): Chunk {
  const chunk = ownership.ownChunk(chunks, 0);
  ownVector(chunk, SLOT)!.set(row, number);
  return chunk;
}

/** A version with these chunks, their list owned by a mark. */
function versionOf(chunks: readonly Chunk[], owner: Mark | undefined): TableVersion {
  return new TableVersion({ ...createTableVersion("t", assembleSchema([], 4)), chunks, owner });
}

describe("a draft", () => {
  test("is changed in place by its creator", () => {
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1, 2]);
    const vector = chunk.vectors[SLOT];
    expect(write(draft, [chunk], 0, 9)).toBe(chunk);
    expect(chunk.vectors[SLOT]).toBe(vector);
    expect(numbersOf(chunk)).toEqual([9, 2]);
  });

  test("is copied by another draft and by the engine's present state", () => {
    for (const mark of [undefined, new Mark()]) {
      const chunk = fill(new Ownership(undefined), [1, 2]);
      const chunks = [chunk];
      const copy = write(new Ownership(mark), chunks, 0, 9);
      expect(copy).not.toBe(chunk);
      expect(chunks).toEqual([copy]);
      expect([numbersOf(chunk), numbersOf(copy)]).toEqual([
        [1, 2],
        [9, 2],
      ]);
    }
  });

  test("is shared after its release, for its creator too", () => {
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1]);
    draft.release();
    expect(write(draft, [chunk], 0, 9)).not.toBe(chunk);
    expect(numbersOf(chunk)).toEqual([1]);
  });

  test("is owned only by the adopter of its mark", () => {
    const present = new Mark();
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1]);
    const vector = chunk.vectors[SLOT];
    draft.release().heir = present;
    expect(write(draft, [chunk], 0, 8)).not.toBe(chunk);
    expect(write(new Ownership(new Mark()), [chunk], 0, 8)).not.toBe(chunk);
    expect(write(new Ownership(present), [chunk], 0, 9)).toBe(chunk);
    expect(chunk.vectors[SLOT]).toBe(vector);
    expect(numbersOf(chunk)).toEqual([9]);
  });

  test("keeps vectors of earlier drafts with the same owner", () => {
    const present = new Mark();
    const first = new Ownership(undefined);
    const chunks = [fill(first, [1, 2])];
    first.release().heir = present;
    const second = new Ownership(undefined);
    second.ownChunk(chunks, 0); // shares the vectors of the first
    second.release().heir = present;
    const vector = chunks[0]!.vectors[SLOT];
    write(new Ownership(present), chunks, 0, 9);
    expect(chunks[0]!.vectors[SLOT]).toBe(vector);
  });

  test("copies a vector that it shares", () => {
    const present = new Mark();
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1]);
    shareVector(chunk, SLOT, fill(draft, [1]).vectors[SLOT]!);
    draft.release().heir = present;
    const shared = chunk.vectors[SLOT];
    write(new Ownership(present), [chunk], 0, 9);
    expect(chunk.vectors[SLOT]).not.toBe(shared);
    expect(shared!.get(0)).toBe(1);
  });
});

describe("ownership", () => {
  test("ends when the engine takes another mark", () => {
    const mark = new Mark();
    const chunk = fill(new Ownership(mark), [1]);
    expect(write(new Ownership(mark), [chunk], 0, 2)).toBe(chunk);
    expect(write(new Ownership(new Mark()), [chunk], 0, 3)).not.toBe(chunk);
    expect(numbersOf(chunk)).toEqual([2]);
  });

  test("survives a single write", () => {
    const mark = new Mark();
    const single = new Ownership(mark);
    const chunk = fill(single, [1]);
    expect(single.release()).toBe(mark);
    expect(write(single, [chunk], 0, 2)).toBe(chunk);
  });

  test("drops the caches of a vector when it changes", () => {
    const owner = new Ownership(new Mark());
    const chunk = fill(owner, [1]);
    chunk.vectors[SLOT]!.cache = "postings";
    write(owner, [chunk], 0, 2);
    expect(chunk.vectors[SLOT]!.cache).toBeUndefined();
  });
});

describe("the list of chunks", () => {
  const mark = new Mark();
  const chunks = [new Chunk(undefined)];

  test("is changed in place only by its owner", () => {
    expect(new Ownership(mark).ownList(versionOf(chunks, mark))).toBe(chunks);
    for (const owner of [undefined, new Mark()]) {
      const list = new Ownership(mark).ownList(versionOf(chunks, owner));
      expect(list).not.toBe(chunks);
      expect(list).toEqual(chunks);
    }
  });

  test("is always copied for a draft", () => {
    for (const owner of [undefined, mark]) {
      expect(new Ownership(undefined).ownList(versionOf(chunks, owner))).not.toBe(chunks);
    }
  });
});

describe("the row after the last one", () => {
  test("belongs to the first writer of shared vectors", () => {
    const chunk = fill(new Ownership(undefined), [1]);
    const [first, second] = [new Ownership(undefined), new Ownership(undefined)];
    const [a, b] = [first.ownChunk([chunk], 0), second.ownChunk([chunk], 0)];
    const shared = chunk.vectors[SLOT];
    first.openTail(a, 2);
    first.claim(a, 2);
    expect(a.vectors[SLOT]).toBe(shared);
    second.openTail(b, 2);
    expect(b.vectors[SLOT]).not.toBe(shared);
    a.vectors[SLOT]!.set(1, 10);
    b.vectors[SLOT]!.set(1, 20);
    a.count = 2;
    b.count = 2;
    expect([numbersOf(chunk), numbersOf(a), numbersOf(b)]).toEqual([[1], [1, 10], [1, 20]]);
  });

  test("stays free for the writer that claimed it and did not fill it", () => {
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1]);
    const vector = chunk.vectors[SLOT];
    draft.openTail(chunk, 2);
    draft.claim(chunk, 2);
    draft.openTail(chunk, 2);
    expect(chunk.vectors[SLOT]).toBe(vector);
  });

  test("is lost when a version is published", () => {
    const draft = new Ownership(undefined);
    const chunk = fill(draft, [1]);
    draft.claim(chunk, 2);
    draft.release();
    const copy = draft.ownChunk([chunk], 0);
    draft.openTail(copy, 2);
    expect(copy.vectors[SLOT]).not.toBe(chunk.vectors[SLOT]);
  });

  test("is in larger copies of the vectors when the chunk is full", () => {
    const draft = new Ownership(undefined);
    const numbers = Array.from({ length: 8 }, (_, row) => row);
    const chunk = fill(draft, numbers, 1);
    const before = copyChunk(chunk, undefined);
    expect(chunk.capacity).toBe(8);
    draft.openTail(chunk, 9);
    expect(chunk.capacity).toBe(16);
    chunk.vectors[SLOT]!.set(8, 8);
    chunk.count = 9;
    expect(numbersOf(chunk)).toEqual([...numbers, 8]);
    expect(numbersOf(before)).toEqual(numbers);
  });
});

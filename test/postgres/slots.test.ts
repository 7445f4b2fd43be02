import { expect, it } from "vitest";
import { BusyError } from "../../src/postgres/failure.js";
import { Slots } from "../../src/postgres/slots.js";

/** The number of connections that each owner gets, one after the other. */
async function takeAll(
  slots: Slots,
  owners: readonly (string | undefined)[],
  peers?: number,
): Promise<number[]> {
  const counts: number[] = [];
  for (const name of owners) {
    const owner = name === undefined ? undefined : { name, ...(peers !== undefined && { peers }) };
    let count = 0;
    for (;;) {
      try {
        await slots.take(owner, 0);
      } catch (error) {
        expect(error).toBeInstanceOf(BusyError);
        break;
      }
      count++;
    }
    counts.push(count);
  }
  return counts;
}

it.each([
  [10, [5, 3, 1, 0, 1]],
  [3, [2, 0, 0, 0, 1]],
  [2, [1, 1, 0, 0, 0]],
  [1, [1, 0, 0, 0, 0]],
])(
  "of %i connections each owner leaves some to others and the last to the catalog",
  async (count, shares) => {
    expect(await takeAll(new Slots(count), ["a", "b", "c", "d", undefined])).toEqual(shares);
  },
);

it.each([
  [10, 2, [5, 3, 1]],
  [10, 4, [5, 2, 1, 1]],
  [10, 9, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  [4, 9, [1, 1, 1, 0]],
])("of %i connections each of %i known workers gets one", async (count, workers, shares) => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].slice(0, shares.length);
  expect(await takeAll(new Slots(count), names, workers)).toEqual(shares);
});

it("gives a free connection to the first that waits and may have it", async () => {
  const slots = new Slots(4);
  for (const owner of ["a", "a", "b"]) await slots.take({ name: owner }, 0);
  const begun: string[] = [];
  const waits = ["a", "b"].map(async (owner) => {
    await slots.take({ name: owner }, 60_000);
    begun.push(owner);
  });
  slots.release({ name: "b" });
  await waits[1];
  expect(begun).toEqual(["b"]);
  slots.release({ name: "a" });
  slots.release({ name: "a" });
  await waits[0];
  expect(begun).toEqual(["b", "a"]);
});

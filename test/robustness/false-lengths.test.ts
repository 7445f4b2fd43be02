import { expect, it } from "vitest";
import { listPlaces, putAt, readPlace } from "../../scripts/programs/spoil.mjs";
import { walkDiff } from "../../src/engine/changes.js";
import { pushMigrations, updateSchema } from "../../src/history.js";
import { type AnyEngine, TwinbaseError } from "../../src/index.js";
import { type GoodCall, openWorld, readsOf, renamesOf, writesOf } from "./world.js";

const LENGTHS: readonly unknown[] = [
  ...[-1, Number.NaN, 1.5, 2 ** 53, Number.POSITIVE_INFINITY],
  ...["2", null, Symbol("length")],
];

/** An array whose length is another. */
function lie(members: object, length: unknown): object {
  return new Proxy(members, {
    get: (target, key) => (key === "length" ? length : Reflect.get(target, key)),
  });
}

const mainOf = (engine: AnyEngine) => engine.workspace("acme").database("shop").branch("main");

/** Calls with arrays that the world has none of. */
const MORE: readonly GoodCall[] = [
  {
    name: "addColumn",
    args: [{ name: "m", type: "multiple", defaultValue: ["x"] }],
    call: (engine, column) =>
      mainOf(engine)
        .table("users")
        .addColumn(column as never),
  },
  {
    name: "updateSchema",
    args: [{ operations: [{ addTable: { table: "b" } }] }],
    call: (engine, request) => updateSchema(mainOf(engine), request as never),
  },
  {
    name: "pushMigrations",
    args: [[]],
    call: (engine, migrations) => pushMigrations(mainOf(engine), migrations as never),
  },
];

it("E-5: an array of a false length is refused, or changes nothing", async () => {
  const engine = await openWorld("documented");
  const saved = engine.snapshot();
  for (const { name, args, call } of [
    ...[...readsOf(engine), ...writesOf(engine)],
    ...[...renamesOf(), ...MORE],
  ]) {
    for (const place of listPlaces(args).slice(1)) {
      const members = readPlace(args, place);
      if (!Array.isArray(members)) continue;
      for (const length of LENGTHS) {
        const label = `${name}/${place.join("/")}, length ${String(length)}`;
        try {
          call(engine, ...(putAt(args, place, lie(members, length)) as unknown[]));
        } catch (error) {
          expect(error, label).toBeInstanceOf(TwinbaseError);
        }
        expect([...walkDiff(saved, engine.snapshot())], label).toEqual([]);
      }
    }
  }
});

// The part of vitest that the unit tests need, to repeat single tests in one process.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const fromVitest = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
const load = (name) => import(pathToFileURL(fromVitest.resolve(name)).href);
const { JestAsymmetricMatchers, JestChaiExpect, JestExtend } = await load("@vitest/expect");
const { spyOn, restoreAllMocks } = await load("@vitest/spy");
const chai = await load("chai");
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const { expect } = chai;
export const vi = { spyOn, restoreAllMocks };

const HOOKS = ["beforeAll", "beforeEach", "afterEach", "afterAll"];
let suite = createSuite("");
const tests = new Map();

function createSuite(name, parent) {
  return { name, parent, ...Object.fromEntries(HOOKS.map((hook) => [hook, []])) };
}

export function beginFile(name) {
  suite = createSuite(name);
}

function declareSuite(name, ...rest) {
  const declare = rest.find((part) => typeof part === "function");
  const outer = suite;
  suite = createSuite(`${outer.name} > ${name}`, outer);
  declare();
  suite = outer;
}

function declareTest(name, ...rest) {
  const run = rest.find((part) => typeof part === "function");
  if (rest.some((part) => part.tags?.includes("slow"))) return;
  const whole = `${suite.name} > ${name}`;
  tests.set(tests.has(whole) ? `${whole} (${tests.size})` : whole, { suite, run });
}

function withTables(declare) {
  const skip = () => {};
  declare.each =
    (table) =>
    (name, ...rest) => {
      const run = rest.find((part) => typeof part === "function");
      const rows = [...table];
      const spread = rows.every((row) => Array.isArray(row));
      for (const [i, row] of rows.entries()) {
        declare(`${name} ${i}`, () => run(...(spread ? row : [row])));
      }
    };
  declare.skipIf = (unwanted) => (unwanted ? skip : declare);
  declare.skip = skip;
  return declare;
}

export const describe = withTables(declareSuite);
export const it = withTables(declareTest);
export const test = withTables((...given) => declareTest(...given));
export const [beforeAll, beforeEach, afterEach, afterAll] = HOOKS.map((hook) => (run) => {
  suite[hook].push(run);
});

/** The interface of test/mutation/kit.ts. */
export function listTrials() {
  return [...tests.keys()].map((name) => ({ name }));
}

export function openRound() {
  return { take };
}

async function take(name) {
  const { suite: inner, run } = tests.get(name);
  const suites = [];
  for (let each = inner; each !== undefined; each = each.parent) suites.unshift(each);
  const call = async (hook, list) => {
    for (const each of list) for (const hooked of each[hook]) await hooked();
  };
  try {
    await call("beforeAll", suites);
    await call("beforeEach", suites);
    await run({ expect });
    return undefined;
  } catch (error) {
    return String(error).split("\n")[0].slice(0, 200);
  } finally {
    await call("afterEach", suites.toReversed()).catch(() => {});
    await call("afterAll", suites.toReversed()).catch(() => {});
  }
}

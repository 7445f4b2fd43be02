// Judges mutants in a process that may hang or end. Its first message is its task.
import { pathToFileURL } from "node:url";

/** Memory in bytes after which a fresh process continues. */
const MEMORY = 1_200_000_000;

/** Cases of each law in modules that are loaded for one mutant. */
const FEW = 2;

const switches = {};
Object.defineProperty(globalThis, "__stryker__", { value: switches });

process.once("message", async (task) => {
  const last = task.mutants === undefined ? await recordCover(task) : await judgeAll(task);
  process.send(last, () => process.exit());
});

/**
 * Records how often each check, and the loading, reaches each switch, and the time of each check. With
 * `longest`, skips checks that take more milliseconds or fail without a mutant.
 */
async function recordCover({ file, cases, longest }) {
  switches.mutantCoverage = { static: {}, perTest: {} };
  const kit = await import(pathToFileURL(file).href);
  const { mutantCoverage } = switches;
  const atLoad = { ...mutantCoverage.static };
  let wanted = kit.listTrials();
  const trials = [];
  // The first turn warms up: the quickest checks run first.
  for (const [turn, runs] of [1, cases].entries()) {
    for (const { name } of wanted) {
      process.send({ doing: name });
      mutantCoverage.perTest = {};
      switches.currentTestId = name;
      const began = process.cpuUsage();
      const failed = await kit.openRound().take(name, runs);
      const { user, system } = process.cpuUsage(began);
      const milliseconds = (user + system) / 1000;
      const hits = mutantCoverage.perTest[name] ?? {};
      if (longest !== undefined && (failed !== undefined || milliseconds > longest)) {
        wanted = wanted.filter((trial) => trial.name !== name);
      } else if (failed !== undefined) throw new Error(`${name} without a mutant: ${failed}`);
      else if (turn === 1) trials.push({ name, milliseconds, hits });
    }
  }
  trials.sort((a, b) => a.milliseconds - b.milliseconds);
  return { cover: { atLoad, trials } };
}

async function judgeAll({ file, mutants, cover, cases }) {
  const url = pathToFileURL(file).href;
  const trialsOf = (id) => cover.trials.filter(({ hits }) => hits[id] !== undefined);
  const shared = await import(url);
  for (const [i, { key, id }] of mutants.entries()) {
    const atLoad = cover.atLoad[id] !== undefined;
    const trials = atLoad ? cover.trials : trialsOf(id);
    process.send({ key, doing: "loading" });
    const began = performance.now();
    let by;
    try {
      switches.activeMutant = id;
      const load = () => import(`${url}?mutant=${id}`);
      const few = { trials, id, cases: Math.min(cases, FEW) };
      // Any check may reach a mutant of top-level code, in modules loaded for it alone.
      by = atLoad ? await findTrial(await load(), few) : await findTrial(shared, { ...few, cases });
      // State of earlier checks may hide a mutant.
      if (by === undefined && !atLoad) by = await findTrial(await load(), few);
    } catch (error) {
      by = { name: "loading", why: String(error).slice(0, 200) };
    }
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
    const spoiled = by !== undefined && !atLoad && !(await isSound(shared, by.name, cases));
    if (spoiled && i > 0) return { spoiled: key };
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    process.send({ key, by, tried: trials.length, seconds });
    if (spoiled || process.memoryUsage().rss > MEMORY) return { full: true };
  }
  return { ended: true };
}

/** Returns the first check that fails; quick ones run first. */
async function findTrial(kit, { trials, id, cases }) {
  const round = kit.openRound();
  for (const { name, hits } of trials) {
    process.send({ doing: name });
    // Stops endless loops.
    switches.hitCount = 0;
    switches.hitLimit = 100 * (hits[id] ?? 0) + 1_000_000;
    const why = await round.take(name, cases);
    if (why !== undefined) return { name, why };
  }
  return undefined;
}

/** Whether a check passes without the mutant; if not, the mutant has corrupted the modules. */
async function isSound(kit, name, cases) {
  process.send({ doing: `${name}, without the mutant` });
  return (await kit.openRound().take(name, cases)) === undefined;
}

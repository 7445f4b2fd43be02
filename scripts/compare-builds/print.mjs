// Prints a difference as a program: `node program.mjs <dist>` prints the answer of a build to the last step.

export function printProgram({ world, step, answers }) {
  const { profile, indexes, seed, size, tables } = world;
  const records = Object.fromEntries(tables.map(({ name }) => [name, world.records[name]]));
  const steps = world.steps.slice(0, world.steps.indexOf(step) + 1);
  const play = new URL("play.mjs", import.meta.url).href;
  return `${answers.map((answer, i) => `// ${"AB"[i]}: ${shorten(answer)}\n`).join("")}\
import { loadBuild, openWorld, playStep } from ${JSON.stringify(play)};
const world = ${JSON.stringify({ profile, indexes, seed, size, tables, records })};
const steps = [
${steps.map((each) => `  ${JSON.stringify(each)},\n`).join("")}];
const opened = await openWorld(await loadBuild(process.argv[2]), world);
let answer;
for (const step of steps) answer = await playStep(opened, step);
console.log(answer);
`;
}

function shorten(text) {
  return text.length > 500 ? `${text.slice(0, 500)} … (${text.length} characters)` : text;
}

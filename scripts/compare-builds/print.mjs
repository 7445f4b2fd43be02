// A difference as a program: `node program.mjs <dist>` prints what that build answers to the last step.

export function printProgram({ world, step, answers }) {
  const last = world.steps.indexOf(step);
  const shown = { ...world, steps: world.steps.slice(0, last + 1) };
  const comments = answers
    .map((answer, index) => `// ${"AB"[index]}: ${shorten(answer)}\n`)
    .join("");
  const play = new URL("play.mjs", import.meta.url).href;
  return `${comments}import { loadBuild, openWorld, playStep } from ${JSON.stringify(play)};
const world = ${JSON.stringify(shown, null, 1)};
const opened = await openWorld(await loadBuild(process.argv[2]), world);
let answer;
for (const step of world.steps) answer = await playStep(opened, step);
console.log(answer);
`;
}

function shorten(text) {
  return text.length > 500 ? `${text.slice(0, 500)} … (${text.length} characters)` : text;
}

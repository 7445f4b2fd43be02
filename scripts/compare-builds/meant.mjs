// Intended differences of later builds. Each entry normalizes both answers: if that makes them equal, the
// entry explains the difference.

const MEANT = [
  {
    what: "the layout of an export",
    level: (text) => (/^\["twinbase(-export)?",/.test(text) ? "an export" : text),
  },
  {
    what: "M-4: under xata a 404 has its hint in a member of its own",
    level: (text) =>
      text.replace(/not found; [^"]*"/, 'not found"').replace(/,"hint":"(?:[^"\\]|\\.)*"/, ""),
  },
];

/** The changes that make two answers differ, none where something else does. */
export function explainDifference(answers) {
  const areSame = (changes) => {
    const [a, b] = answers.map((answer) =>
      changes.reduce((text, { level }) => level(text), answer),
    );
    return a === b;
  };
  if (!areSame(MEANT)) return [];
  return MEANT.filter((one) => !areSame(MEANT.filter((other) => other !== one))).map(
    ({ what }) => what,
  );
}

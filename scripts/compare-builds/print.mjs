// A difference as a program that a build is given to.

/** The program: `node program.mjs <dist>` prints what that build answers to the last step. */
export function printProgram({ world, step, answers }) {
  const lines = world.tables.flatMap(({ name, columns }) => [
    `main.createTable(${json(name)}, ${json(columns)});`,
    ...(world.records[name].length > 0
      ? [`main.table(${json(name)}).load(${json(world.records[name])});`]
      : []),
  ]);
  const used = new Set(JSON.stringify(world.steps).match(/"\$cursorOf":\d+/g) ?? []);
  const steps = world.steps.map((each) => printStep(each, each === step, used));
  return `// ${answers.map((answer, index) => `${"AB"[index]}: ${shorten(answer)}`).join("\n// ")}
import { pathToFileURL } from "node:url";
const load = (file) => import(pathToFileURL(\`\${process.argv[2]}/\${file}\`).href);
const { createEngine } = await load("index.js");
const { createFetch } = await load("http.js");
const older = { exportEngine: (of) => of.export() };
const { exportEngine } = await load("export.js").catch(() => older);
const listening = { subscribe: (of, listener) => of.subscribe(listener) };
const { subscribe } = await load("changes.js").catch(() => listening);
const engine = createEngine(${json({
    profile: world.profile,
    now: Date.UTC(2024, 0, 1),
    seed: world.seed,
    indexes: world.indexes,
  })});
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
${lines.join("\n")}
${world.seed % 3 === 0 ? "const told = [];\nsubscribe(engine, (changes) => told.push(...changes));\n" : ""}\
const fetch = createFetch(engine, { workspace: "acme" });
let saved = engine.snapshot();
const ask = async (method, path, body) => {
  const answer = await fetch(\`http://localhost\${path}\`, { method, body });
  const text = await answer.text();
  return { status: answer.status, text, meta: answer.ok && text[0] === "{" ? JSON.parse(text).meta : null };
};
const attempt = async (act) => {
  try {
    return await act();
  } catch (error) {
    return { ...error, message: error.message };
  }
};
${steps.join("\n")}
`;
}

function printStep(step, isLast, used) {
  const call = step.kind === "http" ? printRequest(step) : printCall(step);
  const asked = `await attempt(() => ${call})`;
  if (isLast) return `console.log(JSON.stringify(${asked}, null, 1));`;
  return used.has(`"$cursorOf":${step.id}`) ? `const s${step.id} = ${asked};` : `${asked};`;
}

function printRequest({ method, path, body, text }) {
  const given = body === undefined ? json(text) : `JSON.stringify(${withCursors(body)})`;
  const sent = (body === undefined && text === undefined) || method === "GET" ? "" : `, ${given}`;
  return `ask(${json(method)}, ${json(path)}${sent})`;
}

function printCall({ of, method, table, args }) {
  const given = args.map(withCursors).join(", ");
  if (of === "branch") return `main.${method}(${given})`;
  if (of === "table") {
    const call = `main.table(${json(table)}).${method}(${given})`;
    return method === "scan" ? `[...${call}]` : call;
  }
  switch (method) {
    case "snapshot":
      return "void (saved = engine.snapshot())";
    case "restore":
      return "engine.restore(saved)";
    case "advance":
      return `engine.clock.advance(${given})`;
    case "changes":
      return "(typeof told === 'undefined' ? [] : told.splice(0))";
    case "export":
      return '[...exportEngine(engine)].join("")';
    default:
      return "[...exportEngine(engine.fork())].length > 0";
  }
}

function withCursors(value) {
  return json(value).replaceAll(
    /\{"\$cursorOf":(\d+)\}/g,
    (_, step) =>
      `(typeof s${step} === "undefined" ? "none" : (s${step}?.meta?.page?.cursor ?? "none"))`,
  );
}

function json(value) {
  return JSON.stringify(value) ?? "undefined";
}

function shorten(text) {
  return text.length > 500 ? `${text.slice(0, 500)} … (${text.length} characters)` : text;
}

// The worker of the playground: an engine with the demo's data, and its handler.
import { TABLES } from "../../dist/demo.js";
import { createControl, createHandler } from "../../dist/http.js";
import { createEngine } from "../../dist/index.js";

const engine = createEngine();
const main = engine.createWorkspace("demo").createDatabase("world").branch("main");
main.createTables(Object.fromEntries(TABLES.map(({ name, columns }) => [name, columns])));
for (const { name, records } of TABLES) main.table(name).load(records);
engine.setBaseline();

const handle = createHandler(engine, { control: createControl() });
const reading = new Map();

/** Answers a call by its status and headers, then the parts of its body; `isAborted` ends the body. */
self.onmessage = async ({ data: { number, path, isAborted, ...init } }) => {
  if (isAborted) {
    await reading.get(number)?.cancel();
    return;
  }
  const { status, headers, body } = await handle(new Request(`http://localhost${path}`, init));
  self.postMessage({ number, status, headers: [...headers] });
  const reader = body?.getReader();
  reading.set(number, reader);
  for (let part = await reader?.read(); part?.done === false; part = await reader.read()) {
    self.postMessage({ number, part: part.value });
  }
  reading.delete(number);
  self.postMessage({ number, isEnd: true });
};

import { createEngine } from "twinbase";

const engine = createEngine({ seed: 1 });
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
const cities = main.createTable("cities", [
  { name: "name", type: "string" },
  { name: "population", type: "int" },
]);

/** The calls that the page may make: a message `{ call, argument }` returns the result. */
const calls = {
  load: (records) => cities.load(records),
  query: (request) => cities.query(request),
};

self.onmessage = ({ data: { number, call, argument } }) => {
  try {
    self.postMessage({ number, answer: calls[call](argument) });
  } catch ({ code, message, path }) {
    self.postMessage({ number, fault: { code, message, path } });
  }
};

const worker = new Worker("worker.bundle.js", { type: "module" });
const waiting = new Map();
worker.onmessage = ({ data: { number, answer, fault } }) => {
  const { resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (fault === undefined) resolve(answer);
  else reject(new Error(fault.message));
};
let last = 0;
const ask = (call, argument) =>
  new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    worker.postMessage({ number: last, call, argument });
  });

const least = document.querySelector("#least");
const show = async () => {
  document.querySelector("#fault").textContent = "";
  try {
    const filter = { population: { $ge: least.valueAsNumber } };
    const { records } = await ask("query", { filter, sort: { population: "desc" } });
    const items = records.map(({ name }) => {
      const item = document.createElement("li");
      item.textContent = name;
      return item;
    });
    document.querySelector("#cities").replaceChildren(...items);
  } catch ({ message }) {
    document.querySelector("#fault").textContent = message;
  }
};
least.oninput = show;
await ask("load", [
  { id: "wien", name: "Wien", population: 1982097 },
  { id: "graz", name: "Graz", population: 291072 },
  { id: "berlin", name: "Berlin", population: 3769495 },
]);
await show();

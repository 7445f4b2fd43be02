// Runs before the explorer: answers its calls by the worker instead of a server.
const worker = new Worker("worker.js", { type: "module" });
const calls = new Map();
let last = 0;

globalThis.fetch = (url, { signal, method, headers, body } = {}) =>
  new Promise((resolve, reject) => {
    const number = ++last;
    const abort = () => worker.postMessage({ number, isAborted: true });
    let controller;
    const stream = new ReadableStream({
      start: (its) => {
        controller = its;
      },
      cancel: abort,
    });
    calls.set(number, { resolve, controller, stream });
    signal?.addEventListener("abort", () => {
      if (!calls.delete(number)) return;
      abort();
      reject(signal.reason);
      controller.error(signal.reason);
    });
    // The explorer's root is the path of its page.
    const path = `/${url.slice(location.pathname.length)}`;
    worker.postMessage({ number, path, method, headers, body });
  });

worker.onmessage = ({ data: { number, status, headers, part, isEnd } }) => {
  const call = calls.get(number);
  if (call === undefined) return; // aborted
  if (isEnd) {
    calls.delete(number);
    call.controller.close();
  } else if (part !== undefined) call.controller.enqueue(part);
  else call.resolve(new Response(status === 204 ? null : call.stream, { status, headers }));
};

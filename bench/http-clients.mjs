// HTTP clients with keep-alive.
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

/** A client on node:http, with as little overhead as possible. */
export function createClient(port, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (path, body) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: "Bearer key",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        };
        const options = { agent, port, host: "127.0.0.1", method: "POST", path, headers };
        const sending = request(options, (response) => {
          text(response).then(
            (read) => resolve({ status: response.statusCode, text: read }),
            reject,
          );
        });
        sending.on("error", reject);
        sending.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** A client on fetch, which opens a connection for each parallel request. */
export function createFetchClient(port) {
  const headers = { authorization: "Bearer key", "content-type": "application/json" };
  return {
    async send(path, body) {
      const url = `http://127.0.0.1:${port}${path}`;
      const response = await fetch(url, { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    },
    close: () => {},
  };
}

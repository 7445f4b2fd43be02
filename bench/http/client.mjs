// HTTP clients with keep-alive.
import { Agent, request } from "node:http";

/**
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} path
 * @property {string} body JSON, or empty
 */

/**
 * By node:http, with as little around it as can be.
 *
 * @param {number} port
 * @param {number} connections
 */
export function createClient(port, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /**
     * @param {Sent} sent
     * @returns {Promise<{ status: number, text: string }>}
     */
    send: ({ method, path, body }) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: "Bearer key",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        };
        const sending = request(
          { agent, port, host: "127.0.0.1", method, path, headers },
          (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (chunk) => {
              text += chunk;
            });
            response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
            response.on("error", reject);
          },
        );
        sending.on("error", reject);
        sending.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/**
 * By fetch, which opens as many connections as there are requests at a time.
 *
 * @param {number} port
 * @returns {ReturnType<typeof createClient>}
 */
export function createFetchClient(port) {
  const headers = { authorization: "Bearer key", "content-type": "application/json" };
  return {
    send: async ({ method, path, body }) => {
      const sent = body === "" ? {} : { body };
      const url = `http://127.0.0.1:${port}${path}`;
      const response = await fetch(url, { method, headers, ...sent });
      return { status: response.status, text: await response.text() };
    },
    close: () => {},
  };
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Sent}
 */
export function encodeRequest(method, path, body) {
  return { method, path, body: body === undefined ? "" : JSON.stringify(body) };
}

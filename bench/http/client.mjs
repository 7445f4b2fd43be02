// A client of one process, as a program has one: node:http over connections that are kept.
import { Agent, request } from "node:http";

/**
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} path
 * @property {string} body JSON, or empty
 */

/**
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
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Sent}
 */
export function encodeRequest(method, path, body) {
  return { method, path, body: body === undefined ? "" : JSON.stringify(body) };
}

import { createServer } from "node:http";

/** A minimal service, with databases and their git branch mappings only. */
export function createService() {
  const databases = new Map();
  return createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const [status, body] = answer(databases, request, text);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  });
}

function answer(databases, { method, url }, text) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [head, name, third, fourth] = pathname.slice(1).split("/").map(decodeURIComponent);
  if (head === "workspaces" && third === "dbs") return answerDatabase(databases, method, fourth);
  if (head !== "dbs" || third !== "gitBranches") return [404, { message: "no such call" }];
  const mappings = databases.get(name);
  if (mappings === undefined) return [404, { message: "no such database" }];
  if (method === "GET") return [200, { mappings }];
  if (method === "POST") return addMapping(mappings, JSON.parse(text));
  const at = mappings.findIndex(({ gitBranch }) => gitBranch === searchParams.get("gitBranch"));
  if (at < 0) return [404, { message: "no such git branch" }];
  mappings.splice(at, 1);
  return [204];
}

function answerDatabase(databases, method, name) {
  if (method === "PUT") databases.set(name, []);
  else databases.delete(name);
  return [200, {}];
}

function addMapping(mappings, { gitBranch, serviceBranch }) {
  if (typeof gitBranch !== "string") return [400, { message: "gitBranch is missing" }];
  if (serviceBranch !== "main") return [400, { message: "no such branch" }];
  const known = mappings.find((mapping) => mapping.gitBranch === gitBranch);
  if (known === undefined) {
    mappings.push({ gitBranch, serviceBranch });
    return [204];
  }
  known.serviceBranch = serviceBranch;
  return [201, { warning: "the git branch was mapped before" }];
}

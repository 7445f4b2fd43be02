import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { SERVICE_CREDENTIALS } from "./certificate.js";

/** A checkout of `xataio/xata-go`, whose tests are not ours to copy. */
const SOURCE = process.env.XATA_GO;
/** The client's libraries as packages of Debian: `golang-github-…-dev`. */
const LIBRARIES = "/usr/share/gocode";
const WORKSPACE = "Go-s-workspace-a1b2c3";

describe.skipIf(SOURCE === undefined || !hasGo())("the Go client", { tags: ["slow"] }, () => {
  it("passes its integration tests, except that of /ask", { timeout: 600_000 }, async () => {
    const engine = createEngine({ profile: "xata" });
    engine.createWorkspace(WORKSPACE);
    const publicUrl = `https://${WORKSPACE}.us-east-1.xata.sh`;
    const server = await serve(engine, { hosts: ["xata.sh", "api.xata.io"], publicUrl });
    const folder = mkdtempSync(join(tmpdir(), "twinbase-go-"));
    const proxy = await openProxy(server.port);
    onTestFinished(async () => {
      proxy.close();
      await server.close();
      rmSync(folder, { recursive: true });
    });
    const certificate = join(folder, "certificate.pem");
    writeFileSync(certificate, SERVICE_CREDENTIALS.cert);
    const checkout = join(folder, "src/github.com/xataio/xata-go");
    cpSync(SOURCE!, checkout, { recursive: true });
    const { port } = proxy.address() as AddressInfo; // it listens on TCP
    const env = {
      ...process.env,
      GO111MODULE: "off",
      GOPATH: `${folder}:${LIBRARIES}`,
      GOFLAGS: "",
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      SSL_CERT_FILE: certificate,
      XATA_API_KEY: "any",
      XATA_WORKSPACE_ID: WORKSPACE,
    };
    const args = ["test", "-count=1", "-v", "./internal/integration-tests"];
    const run = promisify(execFile)("go", args, { cwd: checkout, env, maxBuffer: 2 ** 26 });
    const output = await run.then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}\n${stderr}`,
    );
    const named = (result: string): string[] =>
      Array.from(
        output.matchAll(new RegExp(`^    --- ${result}: (\\S+)`, "gm")),
        ([, name]) => name!,
      );
    expect(named("FAIL"), output.slice(-4000)).toEqual([
      "Test_searchAndFilterClient/ask_question_to_table_and_ask_a_follow_up_one",
    ]);
    expect(named("PASS")).toHaveLength(47);
  });
});

function hasGo(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A proxy for HTTPS that sends the requests to every host to a port of this machine. */
async function openProxy(port: number): Promise<http.Server> {
  const decrypting = tls.createServer(SERVICE_CREDENTIALS, (socket) => connect(socket, port));
  decrypting.listen(0, "127.0.0.1");
  await once(decrypting, "listening");
  const proxy = http.createServer();
  proxy.on("connect", (_, socket: Duplex, head: Buffer) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.unshift(head);
    connect(socket, (decrypting.address() as AddressInfo).port); // it listens on TCP
  });
  proxy.on("close", () => decrypting.close());
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

function connect(socket: Duplex, port: number): void {
  const target = net.connect(port, "127.0.0.1");
  socket.pipe(target).pipe(socket);
  socket.on("error", () => target.destroy());
  target.on("error", () => socket.destroy());
}

import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createJournal, type Journal } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";

describe("answers on sockets", () => {
  it.each([20_000, 19_000, 17_000])(
    "E-5: of %i characters are complete for a slow reader, during answers to others",
    { tags: "slow", timeout: 60_000 },
    async (length) => {
      const engine = createEngine();
      const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
      const notes = main.createTable("notes", [{ name: "text", type: "text" }]);
      notes.insert({ id: "late", text: "日".repeat(length) });
      notes.insert({ id: "other", text: "本".repeat(20_000) });
      let answered = 0;
      const journal: Journal = {
        ...createJournal(),
        add: ({ record }) => {
          if (record === "late") answered++;
        },
      };
      await using server = await serve(engine, { journal });
      const path = "/db/shop:main/tables/notes/data/";
      const askOther = async () => {
        expect((await fetch(`${server.url}${path}other`)).status).toBe(200);
      };
      const socket = connect(server.port, "127.0.0.1");
      socket.pause();
      const count = 150; // 7 MB or more, beyond any socket buffer
      for (let i = 1; i <= count; i++) {
        const rest = i === count ? "connection: close\r\n" : "";
        socket.write(`GET ${path}late HTTP/1.1\r\n${rest}\r\n`);
        // Sequentially, while the socket buffer has space.
        for (let asked = 0; answered < i && asked < 3; asked++) await askOther();
      }
      const pieces: Buffer[] = [];
      for await (const piece of socket) pieces.push(piece);
      const received = Buffer.concat(pieces).toString();
      expect(received.split("日".repeat(length))).toHaveLength(count + 1);
      expect(received).not.toContain("本");
    },
  );
});

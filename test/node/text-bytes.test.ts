import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJournal, type Journal } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { TextBytes } from "../../src/node/text-bytes.js";
import { serve } from "../../src/node.js";
import { runs, seed } from "../generated.js";

describe("the bytes of a text", () => {
  const bytesOf = (texts: TextBytes, text: string) => Buffer.from(texts.encode(text) ?? "none");

  it("are those of UTF-8, whatever the text before was", () => {
    const unit = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("a", '"', "~", "\u007f", "\0") },
      { weight: 2, arbitrary: fc.constantFrom("\u0080", "é", "ß", "ÿ") },
      { weight: 1, arbitrary: fc.constantFrom("Ā", "日", "😀", "\ud800", "\udc00", "\uffff") },
    );
    const text = fc.array(unit, { maxLength: 200, size: "max" }).map((units) => units.join(""));
    const texts = new TextBytes();
    fc.assert(
      fc.property(text, (given) => bytesOf(texts, given).equals(Buffer.from(given))),
      { seed, numRuns: 1000 * runs },
    );
  });

  it.each([0, 1, 3, 4, 5, 31, 32, 33, 4000])("are those of UTF-8 with %i accents", (count) => {
    const texts = new TextBytes();
    const given = `${"é".repeat(count)}${"a".repeat(5000 - count)}`;
    for (const text of [given, [...given].reverse().join(""), given.replaceAll("a", "aaa")]) {
      expect(bytesOf(texts, text).equals(Buffer.from(text))).toBe(true);
    }
  });

  it("are not given for a text that could be longer than the memory", () => {
    const texts = new TextBytes();
    const longest = "日".repeat(21_845);
    expect(bytesOf(texts, longest).equals(Buffer.from(longest))).toBe(true);
    expect(texts.encode("a".repeat(21_846))).toBeUndefined();
  });

  it("stay as they are once they are left", () => {
    const texts = new TextBytes();
    const first = texts.encode("Zoë");
    texts.leave();
    texts.encode("Bob Bob Bob");
    expect(String(first)).toBe("Zoë");
  });
});

describe("answers on sockets", () => {
  it.each([20_000, 19_000, 17_000])(
    "E-5: of %i characters are whole for a client that reads late, whatever others are sent",
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
      const count = 150; // 7 MB or more, which no connection has room for
      for (let i = 1; i <= count; i++) {
        const rest = i === count ? "connection: close\r\n" : "";
        socket.write(`GET ${path}late HTTP/1.1\r\n${rest}\r\n`);
        // One after the other, as long as there is room.
        for (let asked = 0; answered < i && asked < 3; asked++) await askOther();
      }
      const pieces: Buffer[] = [];
      for await (const piece of socket) pieces.push(piece);
      const received = Buffer.concat(pieces).toString();
      expect(received.split("日".repeat(length))).toHaveLength(count + 1);
      expect(received).not.toContain("本");
    },
    60_000,
  );
});

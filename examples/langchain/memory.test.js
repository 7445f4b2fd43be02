import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { XataChatMessageHistory } from "@langchain/community/stores/message/xata";
import { XataVectorSearch } from "@langchain/community/vectorstores/xata";
import { Document } from "@langchain/core/documents";
import { Embeddings } from "@langchain/core/embeddings";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { buildClient } from "@xata.io/client";
import { createDouble } from "twinbase/testing";

const tables = [
  {
    name: "documents",
    columns: [
      { name: "content", type: "text" },
      { name: "embedding", type: "vector", vector: { dimension: 26 } },
      { name: "author", type: "string" },
    ],
  },
  {
    // LangChain creates this table itself, but not with version 0.30 of the client.
    name: "messages",
    columns: [
      ...["sessionId", "type", "role", "name"].map((name) => ({ name, type: "string" })),
      ...["content", "additionalKwargs"].map((name) => ({ name, type: "text" })),
    ],
  },
];
const double = createDouble({ schema: tables });
const client = new (buildClient())(double.client, tables);
afterEach(() => double.reset());

/** Counts letters: enough for a test. */
class Letters extends Embeddings {
  constructor() {
    super({});
  }

  async embedQuery(text) {
    const counts = Array.from({ length: 26 }, () => 0);
    for (const letter of text.toLowerCase()) {
      const index = letter.charCodeAt(0) - 97;
      if (index >= 0 && index < 26) counts[index]++;
    }
    return counts;
  }

  embedDocuments(texts) {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

test("a vector store finds similar documents, filtered too, and deletes them", async () => {
  const store = new XataVectorSearch(new Letters(), { client, table: "documents" });
  const documents = [
    new Document({ pageContent: "aaab", metadata: { author: "ada" } }),
    new Document({ pageContent: "bbba", metadata: { author: "bob" } }),
    new Document({ pageContent: "zzz", metadata: { author: "ada" } }),
  ];
  const ids = await store.addDocuments(documents);
  const found = await store.similaritySearchWithScore("aab", 2);
  assert.deepEqual(
    found.map(([{ pageContent }]) => pageContent),
    ["aaab", "bbba"],
  );
  assert.ok(found[0][1] > found[1][1]);
  const [byBob] = await store.similaritySearch("aab", 1, { author: "bob" });
  assert.deepEqual([byBob.pageContent, byBob.metadata.author], ["bbba", "bob"]);
  await store.delete({ ids });
  assert.equal(double.tables.documents.count(), 0);
});

test("a history of messages keeps their order and is cleared", async () => {
  const open = (sessionId) =>
    new XataChatMessageHistory({ table: "messages", sessionId, client, createTable: false });
  const history = open("one");
  await history.addMessage(new HumanMessage("Hello"));
  await history.addMessage(new AIMessage("Hi, how can I help?"));
  await open("two").addMessage(new HumanMessage("Elsewhere"));
  const messages = await history.getMessages();
  assert.deepEqual(
    messages.map((message) => [message.getType(), message.content]),
    [
      ["human", "Hello"],
      ["ai", "Hi, how can I help?"],
    ],
  );
  await history.clear();
  assert.deepEqual(await history.getMessages(), []);
  assert.equal((await open("two").getMessages()).length, 1);
});

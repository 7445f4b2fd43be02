import express from "express";

/** An application that asks the service at an address for cities. It does not depend on Twinbase. */
export function createApp(databaseUrl) {
  const app = express();
  app.get("/cities", async (request, response) => {
    const answer = await fetch(`${databaseUrl}:main/tables/cities/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        columns: ["name"],
        filter: { population: { $ge: Number(request.query.min ?? 0) } },
        sort: { population: "desc" },
      }),
    });
    const { records } = await answer.json();
    response.json(records.map(({ name }) => name));
  });
  return app;
}

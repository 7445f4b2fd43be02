import { Hono } from "hono";
import type { Xata } from "./xata.js";

/** An application that stores teams and their members in the service. It does not depend on Twinbase. */
export function createApp(xata: Xata): Hono {
  const app = new Hono();
  app.get("/teams/:id/members", async (context) => {
    const members = await xata.db.users
      .filter({ "team.id": context.req.param("id") })
      .sort("email", "asc")
      .select(["email"])
      .getMany();
    return context.json(members.map(({ email }) => email));
  });
  app.post("/teams/:id/members", async (context) => {
    const { email } = await context.req.json<{ email: string }>();
    if ((await xata.db.teams.read(context.req.param("id"))) === null) {
      return context.json({ error: "no such team" }, 404);
    }
    await xata.db.users.create({ email, team: context.req.param("id") });
    return context.body(null, 201);
  });
  return app;
}

import { refuse } from "../../errors.js";
import type { Backend } from "../backend.js";
import { plain } from "../driver.js";
import { retry } from "../retry.js";
import { ROLE } from "./views.js";

/** Whether the role is there, and may be taken on, is found out once. */
const ready = new WeakMap<Backend["catalog"], Promise<void>>();

/**
 * Sees to it that statements have a role to run as, and makes it at the first time.
 *
 * @throws TwinbaseError `not_implemented` where the database lets nobody make it
 */
export function requireRole({ catalog, driver }: Backend): Promise<void> {
  const known = ready.get(catalog);
  if (known !== undefined) return known;
  const found = retry(async () => {
    const [row] = await driver.query(
      plain(
        `select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = '${ROLE}'`,
      ),
    );
    if (row?.[0] === "t") return;
    try {
      await driver.transact("write", async (session) => {
        if (row === undefined) await session.query(plain(`create role ${ROLE} nologin`));
        await session.query(plain(`grant ${ROLE} to current_user`));
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "42501") throw error;
      refuse(
        "not_implemented",
        `SQL needs the role ${ROLE}: create role ${ROLE} nologin; grant ${ROLE} to the role that connects`,
        { rule: "E-3" },
      );
    }
  });
  ready.set(catalog, found);
  found.catch(() => ready.delete(catalog));
  return found;
}

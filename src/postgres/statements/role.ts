import { refuse } from "../../errors.js";
import type { Statement } from "../../sql/statement.js";
import type { Backend } from "../backend.js";
import { type Driver, plain } from "../driver.js";
import { codeOf, NO_RIGHT } from "../failure.js";
import { retry } from "../retry.js";
import { SQL_ROLE } from "./views.js";

/** Limits a statement's temporary files, unless the limit is already lower. */
export const LIMIT_FILES: Statement = plain(
  "select set_config('temp_file_limit', '1048576', true) from pg_settings where name = 'temp_file_limit' and (setting::bigint < 0 or setting::bigint > 1048576)",
);

interface Rights {
  readonly limitsFiles: boolean;
}

/** Cached: whether the role exists and can be assumed. */
const ready = new WeakMap<Backend["catalog"], Promise<Rights>>();

/**
 * Creates the role of statements the first time. Throws `not_implemented` without the privilege.
 */
export function requireRole({ catalog, driver }: Backend): Promise<Rights> {
  const earlier = ready.get(catalog);
  if (earlier !== undefined) return earlier;
  const found = retry(async () => {
    const [row] = await driver.query(
      plain(
        `select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = '${SQL_ROLE}'`,
      ),
    );
    const limitsFiles = await mayLimitFiles(driver);
    if (row?.[0] === "t") return { limitsFiles };
    try {
      await driver.transact("write", async (session) => {
        if (row === undefined) await session.query(plain(`create role ${SQL_ROLE} nologin`));
        await session.query(plain(`grant ${SQL_ROLE} to current_user`));
      });
    } catch (error) {
      if (codeOf(error) !== NO_RIGHT) throw error;
      refuse(
        "not_implemented",
        `SQL needs the role ${SQL_ROLE}: create role ${SQL_ROLE} nologin; grant ${SQL_ROLE} to the role that connects`,
        { rule: "E-3" },
      );
    }
    return { limitsFiles };
  });
  ready.set(catalog, found);
  found.catch(() => ready.delete(catalog));
  return found;
}

async function mayLimitFiles(driver: Driver): Promise<boolean> {
  try {
    await driver.query(LIMIT_FILES);
    return true;
  } catch (error) {
    if (codeOf(error) === NO_RIGHT) return false;
    throw error;
  }
}

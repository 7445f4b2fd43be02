import type { Role } from "../../catalog/state.js";
import { named, oneOf, reading, type Schema } from "../schema.js";

/** The role of a member of a workspace (rule A-3). */
export const ROLE: Schema<Role> = named(
  "Role",
  reading(oneOf(["owner", "maintainer"]), { rule: "A-3" }),
);

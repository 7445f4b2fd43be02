import type { Role } from "../../catalog/state.js";
import { named, oneOf, reading, type Schema } from "../../shape/schema.js";

export const ROLE: Schema<Role> = named(
  "Role",
  reading(oneOf(["owner", "maintainer"]), { rule: "A-3" }),
);

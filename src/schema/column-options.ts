import { pointer } from "../errors.js";
import type { ColumnDefinition } from "../types.js";
import { refuseValue } from "../value/fields.js";
import { isPlainObject } from "../value/json.js";
import { isName } from "../value/names.js";
import type { LeafType } from "./columns.js";

export function readTarget(link: unknown, path: string, at: string): string {
  const table = isPlainObject(link) ? link.table : undefined;
  if (!isName(table)) {
    refuseValue(table ?? link, '{ "table": name of the target }', {
      what: `column [${path}]`,
      path: at,
      rule: "T-17",
      code: "invalid_schema",
    });
  }
  return table;
}

export function readDimension(vector: unknown, path: string, at: string): number {
  const dimension = isPlainObject(vector) ? vector.dimension : undefined;
  if (!Number.isInteger(dimension) || (dimension as number) < 2 || (dimension as number) > 10_000) {
    refuseValue(dimension ?? vector, '{ "dimension": 2 to 10000 }', {
      what: `column [${path}]`,
      path: at,
      rule: "T-12",
      code: "invalid_schema",
    });
  }
  return dimension as number; // checked by isInteger
}

export function fileSettings(
  definition: Readonly<Record<string, unknown>>,
  type: LeafType,
  at: string,
): Partial<Pick<ColumnDefinition, "file" | "file[]">> {
  if (type !== "file" && type !== "file[]") return {};
  const settings = definition[type];
  if (settings === undefined) return {};
  const access = isPlainObject(settings) ? settings.defaultPublicAccess : null;
  if (access !== undefined && typeof access !== "boolean") {
    refuseValue(settings, '{ "defaultPublicAccess": true or false }', {
      what: type,
      path: pointer(at, type),
      rule: "T-13",
      code: "invalid_schema",
    });
  }
  return { [type]: access === undefined ? {} : { defaultPublicAccess: access } };
}

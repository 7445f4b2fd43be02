import { CatalogDraft } from "../src/catalog/draft.js";

// Changing a catalog other than by events throws.
const { finish } = CatalogDraft.prototype;
CatalogDraft.prototype.finish = function () {
  return freeze(finish.call(this));
};

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    value.set =
      value.delete =
      value.clear =
        (): never => {
          throw new TypeError("a catalog is frozen: only events change it");
        };
  }
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) freeze(part);
  return value;
}

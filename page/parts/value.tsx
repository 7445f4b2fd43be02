import type { VNode } from "preact";
import type { AnyType } from "../../src/schema/traits.js";
import { formatPlace, place } from "../state/place.js";
import { showText } from "../state/text.js";

/** A text in bidirectional isolation, with invisible characters shown. */
export function Shown({ text }: { text: string }): VNode {
  return <bdi>{showText(text)}</bdi>;
}

/** Whether values are right-aligned. */
export function isNumeric(type: AnyType): boolean {
  return type === "int" || type === "float";
}

/** A link to a record of a table of the same branch. */
export function recordHref(table: string, id: string): string {
  const [workspace = "", database = "", branch = ""] = place.value.address;
  const address = [workspace, database, branch, table];
  return formatPlace({ address, view: "records", params: { record: id } });
}

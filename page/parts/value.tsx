import type { VNode } from "preact";
import type { AnyType } from "../../src/schema/traits.js";
import { formatPlace, place } from "../state/place.js";
import { showText } from "../state/text.js";

/** A text in bidirectional isolation, with invisible characters shown. */
export function Shown({ text }: { text: string }): VNode {
  return <bdi>{showText(text)}</bdi>;
}

/** Characters at the end of an id that stay visible: generated ids often differ only there. */
const ID_END = 7;

/** An id; where it is too wide, its middle is cut. */
export function ShownId({ id }: { id: string }): VNode | string {
  if (id.length <= 2 * ID_END) return showText(id);
  return (
    <span class="id" title={id}>
      <span>{showText(id.slice(0, -ID_END))}</span>
      <span>{showText(id.slice(-ID_END))}</span>
    </span>
  );
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

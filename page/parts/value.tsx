import type { VNode } from "preact";
import type { AnyType } from "../../src/schema/traits.js";
import type { Leaf } from "../state/columns.js";
import { linkedId } from "../state/columns.js";
import { formatPlace, place } from "../state/place.js";
import { cutText, showText, showValue } from "../state/text.js";

/** A name or a value as it is: its direction does not turn what is around it. */
export function Shown({ text }: { text: string }): VNode {
  return <bdi>{showText(text)}</bdi>;
}

/** Types whose values are at the right, digit under digit. */
export function isNumeric(type: AnyType): boolean {
  return type === "int" || type === "float";
}

/** A link to a record of a table of the same branch. */
export function recordHref(table: string, id: string): string {
  const [workspace = "", database = "", branch = ""] = place.value.address;
  const address = [workspace, database, branch, table];
  return formatPlace({ address, view: "records", params: { record: id } });
}

/** A value in a cell: cut where it is long, and a link where it leads to a record. */
export function CellValue({ leaf, value }: { leaf: Leaf; value: unknown }): VNode {
  if (value === null || value === undefined) return <span class="null">null</span>;
  if (leaf.link !== undefined) {
    const id = linkedId(value);
    if (id !== undefined) {
      return (
        <a href={recordHref(leaf.link, id)} tabIndex={-1}>
          <Shown text={cutText(id)} />
        </a>
      );
    }
  }
  return <bdi>{cutText(showValue(value))}</bdi>;
}

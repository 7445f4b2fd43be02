import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Leaf } from "../state/columns.js";
import {
  draftOf,
  type FaultPart,
  type FilterNode,
  GROUP_LABELS,
  type GroupNode,
  type GroupOperator,
  type RawNode,
  replaceNode,
  type TestNode,
} from "../state/filter-tree.js";
import { parseJson } from "../state/pointer.js";
import { fromInput, labelOf, operatorsOf, toInput } from "../state/values.js";
import { CloseButton } from "./close-button.jsx";
import { LinkPicker } from "./link-picker.jsx";

export interface FilterFault {
  readonly node: FilterNode;
  readonly part: FaultPart;
  readonly message: string;
}

interface NodeProps {
  readonly root: GroupNode;
  readonly leaves: readonly Leaf[];
  readonly fault: FilterFault | undefined;
  /** The condition to focus once rendered. */
  readonly focused: { current: FilterNode | undefined };
  readonly onChange: (root: GroupNode) => void;
}

/** The rows and groups of a filter. */
export function FilterBuilder(props: NodeProps): VNode {
  return <Group {...props} node={props.root} isRoot />;
}

function Group({
  node,
  isRoot = false,
  ...props
}: NodeProps & { node: GroupNode; isRoot?: boolean }): VNode {
  const { root, leaves, fault, focused, onChange } = props;
  const put = (next: FilterNode | undefined): void => onChange(replaceNode(root, node, next));
  const add = (member: GroupNode | TestNode): void => {
    focused.current = member.kind === "group" ? member.members[0] : member;
    put({ ...node, members: [...node.members, member] });
  };
  return (
    <fieldset class={isRoot ? "group root" : "group"}>
      <legend>
        <select
          aria-label="Combination of the conditions"
          value={node.operator}
          onChange={(event) =>
            put({ ...node, operator: event.currentTarget.value as GroupOperator })
          }
        >
          {Object.entries(GROUP_LABELS).map(([operator, text]) => (
            <option key={operator} value={operator}>
              {text}
            </option>
          ))}
        </select>
      </legend>
      {node.members.map((member, index) => (
        <Member key={index} {...props} node={member} />
      ))}
      <NodeFault node={node} fault={fault} />
      <div class="buttons">
        <button type="button" class="small" onClick={() => add(draftOf(leaves))}>
          + Condition
        </button>
        <button
          type="button"
          class="small"
          onClick={() => add({ kind: "group", operator: "$any", members: [draftOf(leaves)] })}
        >
          + Group
        </button>
        {!isRoot && (
          <button type="button" class="small" onClick={() => put(undefined)}>
            Remove group
          </button>
        )}
      </div>
    </fieldset>
  );
}

function Member({ node, ...props }: NodeProps & { node: FilterNode }): VNode {
  if (node.kind === "group") return <Group {...props} node={node} />;
  const put = (next: FilterNode | undefined): void =>
    props.onChange(replaceNode(props.root, node, next));
  return (
    <div class="condition">
      {node.kind === "test" ? (
        <Test {...props} node={node} put={put} />
      ) : (
        <Raw node={node} put={put} fault={props.fault} />
      )}
      <CloseButton
        label="Remove condition"
        onClick={(button) => {
          const group = button.closest("fieldset");
          group?.querySelector<HTMLElement>(":scope > .buttons > button")?.focus();
          put(undefined);
        }}
      />
      <NodeFault node={node} fault={props.fault} />
    </div>
  );
}

function Test({
  node,
  leaves,
  fault,
  focused,
  put,
}: NodeProps & { node: TestNode; put: (next: FilterNode) => void }): VNode {
  const { path, operator, value } = node;
  const leaf = leaves.find((known) => known.path === path);
  const type = leaf?.type ?? "json";
  const offered = operatorsOf(type);
  const operators = offered.includes(operator) ? offered : [...offered, operator];
  const paths =
    leaf === undefined
      ? [path, ...leaves.map((known) => known.path)]
      : leaves.map((known) => known.path);
  const wrong = fault?.node === node ? fault.part : undefined;
  const column = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (focused.current !== node) return;
    focused.current = undefined;
    column.current?.focus();
  });
  return (
    <>
      <select
        ref={column}
        aria-label="Column"
        aria-invalid={wrong === "column"}
        value={path}
        onChange={(event) => put({ ...retype(node, leaves, event.currentTarget.value) })}
      >
        {paths.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Operator"
        aria-invalid={wrong === "operator"}
        value={operator}
        onChange={(event) => put(reoperate(node, event.currentTarget.value))}
      >
        {operators.map((name) => (
          <option key={name} value={name}>
            {labelOf(name)}
          </option>
        ))}
      </select>
      {operator !== "$exists" && operator !== "$notExists" && (
        <Operand
          key={`${path} ${operator}`}
          type={type}
          link={/^\$is(?:Not)?$/.test(operator) ? leaf?.link : undefined}
          value={value}
          isWrong={wrong === "value"}
          onChange={(next) => put({ ...node, value: next })}
        />
      )}
    </>
  );
}

/** The test for another column; it keeps the operator if its type has it. */
function retype(node: TestNode, leaves: readonly Leaf[], path: string): TestNode {
  const type = leaves.find((known) => known.path === path)?.type ?? "json";
  const operators = operatorsOf(type);
  if (operators.includes(node.operator)) return { ...node, path };
  return { ...node, path, operator: operators[0] ?? "$is", value: undefined };
}

function reoperate(node: TestNode, operator: string): TestNode {
  const isList = operator === "$any" || operator === "$none";
  const { value } = node;
  if (isList === Array.isArray(value)) return { ...node, operator };
  if (!isList) return { ...node, operator, value: (value as unknown[])[0] };
  return { ...node, operator, value: value === undefined ? [] : [value] };
}

function Operand({
  type,
  link,
  value,
  isWrong,
  onChange,
}: Pick<Leaf, "type" | "link"> & {
  value: unknown;
  isWrong: boolean;
  onChange: (value: unknown) => void;
}): VNode {
  const isList = Array.isArray(value);
  const single = type === "multiple" ? "string" : type;
  if (type === "bool" && (value === undefined || typeof value === "boolean")) {
    return (
      <select
        aria-label="Value"
        aria-invalid={isWrong}
        value={String(value ?? "")}
        onChange={(event) => onChange(event.currentTarget.value === "true")}
      >
        {value === undefined && <option value="">true or false</option>}
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  if (link !== undefined && !isList) {
    return (
      <LinkPicker
        label="Value"
        target={link}
        value={toInput(type, value)}
        placeholder={value === null ? "null" : undefined}
        isWrong={isWrong}
        onChange={onChange}
      />
    );
  }
  const text = isList
    ? value.map((item) => toInput(single, item)).join(", ")
    : toInput(single, value);
  return (
    <input
      aria-label={isList ? "Values, with commas between" : "Value"}
      aria-invalid={isWrong}
      placeholder={isList ? "a, b, c" : value === null ? "null" : type}
      defaultValue={text}
      onInput={(event) => {
        const given = event.currentTarget.value;
        if (!isList) onChange(fromInput(single, given));
        else
          onChange(
            given
              .split(/\s*,\s*/)
              .filter((item) => item !== "")
              .map((item) => fromInput(single, item)),
          );
      }}
    />
  );
}

function Raw({
  node,
  put,
  fault,
}: {
  node: RawNode;
  put: (next: FilterNode) => void;
  fault: FilterFault | undefined;
}): VNode {
  return (
    <input
      class="code wide"
      aria-label="Condition as JSON"
      aria-invalid={fault?.node === node}
      defaultValue={JSON.stringify(node.filter)}
      onChange={(event) => {
        const read = parseJson(event.currentTarget.value);
        if ("value" in read) put({ kind: "raw", filter: read.value });
      }}
    />
  );
}

function NodeFault({
  node,
  fault,
}: {
  node: FilterNode;
  fault: FilterFault | undefined;
}): VNode | null {
  return fault?.node === node ? (
    <p class="fault" role="alert">
      {fault.message}
    </p>
  ) : null;
}

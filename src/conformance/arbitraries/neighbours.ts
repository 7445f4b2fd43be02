import {
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  type OperatorName,
} from "../../schema/operators.js";
import type { Json } from "../../types.js";
import type { Row } from "./covering.js";
import { swapCase } from "./domains.js";
import { walkedPath } from "./feature-columns.js";
import { levelsOf, type Traits } from "./levels.js";
import type { WalkedPath } from "./paths.js";
import { allowsOperator } from "./predicate.js";

/** The operators at a path with operands of the same kind and another meaning. */
export function neighboursOf(
  traits: Traits,
  operator: OperatorName,
  path: WalkedPath | undefined,
): OperatorName[] {
  const { operand, columns } = OPERATORS[operator];
  const meaningOf = (name: OperatorName): string => {
    const { foreign: _, isHosted: __, ...meaning }: Operator = OPERATORS[name];
    return JSON.stringify([meaning, columns === "text" && name]);
  };
  const names = levelsOf(traits, "operator", OPERATOR_NAMES) as OperatorName[]; // some of them
  return names.filter(
    (name) =>
      OPERATORS[name].operand === operand &&
      meaningOf(name) !== meaningOf(operator) &&
      path !== undefined &&
      allowsOperator(traits.profile, path, name),
  );
}

const NEAR_TYPES: readonly string[] = ["float", "string", "text", "email", "datetime", "multiple"];

function hasNear({ operator = "", type = "", literal }: Row): boolean {
  const { operand } = OPERATORS[operator as OperatorName]; // a level
  return (
    /^(value|list)$/.test(literal ?? "") &&
    NEAR_TYPES.includes(type) &&
    !/^\$i[A-Z]/.test(operator) &&
    /^(literal|text|pattern|bound|items)$/.test(operand)
  );
}

/** The operand as a careless service reads it: text in another case, a truncated number or time. */
export function nearOf(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map((each: Json) => nearOf(each));
  if (typeof operand === "number") return Math.trunc(operand);
  if (typeof operand !== "string") return operand;
  const time = operand.replace(/^(\d.*\.\d{1,3})\d*/, "$1");
  return time === operand ? swapCase(operand) : time;
}

export interface Neighbour {
  readonly neighbour: Row;
  /** The combinations that another answer of the neighbour tells. */
  readonly names: readonly string[];
}

/** The rows with another operator, order or offset. */
export function neighbourRows(traits: Traits, row: Row): Neighbour[] {
  const { operator, type = "", path = "", order, skip } = row;
  if (operator !== undefined) {
    const contexts = ["combinator", "path"];
    const others = neighboursOf(traits, operator as OperatorName, walkedPath(type, path)); // a level
    const rows = others.map((other) => ({
      neighbour: { ...row, operator: other },
      names: contexts.map((factor) => `operator ${operator} ≠ ${other} × ${factor} ${row[factor]}`),
    }));
    if (!hasNear(row)) return rows;
    const name = `operator ${operator} × type ${type} × operand ≠ near`;
    return [...rows, { neighbour: { ...row, operand: "near" }, names: [name] }];
  }
  const isSkipping = skip !== "none";
  const context = isSkipping ? `page ${row.page} × skip ${skip}` : `type ${type} × path ${path}`;
  const orders = levelsOf(traits, "order", ["none", "asc", "desc", "two"]);
  const skipsNone = {
    neighbour: { ...row, skip: "none" },
    names: [`order ${order} × ${context} ≠ none`],
  };
  return [
    ...(isSkipping ? [skipsNone] : []),
    ...orders
      .filter((other) => other !== order)
      .map((other) => ({
        neighbour: { ...row, order: other },
        names: [`order ${order} ≠ ${other} × ${context}`],
      })),
  ];
}

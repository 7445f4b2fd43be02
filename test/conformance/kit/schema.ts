/** A JSON Schema, of which only what `vectors/schema.json` uses is understood. */
export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Every place where a value is not as a schema wants it. */
export function findFaults(root: Schema, schema: Schema, value: unknown, at = ""): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace("#/$defs/", "");
    const target = root.$defs?.[name];
    return target === undefined
      ? [`${at}: no ${schema.$ref}`]
      : findFaults(root, target, value, at);
  }
  const faults: string[] = [];
  const say = (wrong: boolean, what: string): void => {
    if (wrong) faults.push(`${at}: ${what}`);
  };
  const type = typeOf(value);
  const types = [schema.type ?? type].flat();
  say(!types.includes(type) && !(type === "integer" && types.includes("number")), `is ${type}`);
  say(schema.const !== undefined && value !== schema.const, `is not ${schema.const}`);
  say(schema.enum !== undefined && !schema.enum.includes(value), `is none of ${schema.enum}`);
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((each) => findFaults(root, each, value).length === 0);
    say(fitting.length !== 1, `fits ${fitting.length} forms`);
  }
  if (typeof value === "string" && schema.pattern !== undefined) {
    say(!new RegExp(schema.pattern, "u").test(value), `does not match ${schema.pattern}`);
  }
  if (Array.isArray(value)) {
    say(value.length < (schema.minItems ?? 0), "is too short");
    for (const [i, item] of value.entries()) {
      if (schema.items) faults.push(...findFaults(root, schema.items, item, `${at}/${i}`));
    }
  } else if (typeof value === "object" && value !== null) {
    faults.push(...findObjectFaults(root, schema, value, at));
  }
  return faults;
}

function findObjectFaults(root: Schema, schema: Schema, value: object, at: string): string[] {
  const faults: string[] = [];
  const { properties = {}, additionalProperties = true, required = [] } = schema;
  const entries = Object.entries(value);
  for (const key of required) if (!Object.hasOwn(value, key)) faults.push(`${at}: has no ${key}`);
  if (entries.length < (schema.minProperties ?? 0)) faults.push(`${at}: has too few keys`);
  if (entries.length > (schema.maxProperties ?? Infinity)) faults.push(`${at}: has too many keys`);
  for (const [key, member] of entries) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (inner === false) faults.push(`${at}/${key}: is unknown`);
    else if (typeof inner === "object")
      faults.push(...findFaults(root, inner, member, `${at}/${key}`));
  }
  return faults;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

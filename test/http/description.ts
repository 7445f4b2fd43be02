import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** An answer of a handler, a fetch or a socket. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The part of an OpenAPI document that describes answers. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

interface Answer {
  readonly $ref?: string;
  readonly content?: object;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer>>;
}

/** Returns the fault of an answer by its description, or null. */
export type CheckAnswer = (method: string, path: string, answer: Received) => string | null;

/** Validates answers by a description. */
export function createCheck(description: Description): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
  ajv.addSchema(description, "service");
  const routes = Object.keys(description.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const validators = new Map<string, ValidateFunction>();
  const validate = (pointer: string, body: unknown): string | null => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `service#${pointer}` });
    validators.set(pointer, validator);
    return validator(body) ? null : ajv.errorsText(validator.errors);
  };
  return (method, path, { status, headers, text }) => {
    if (headers["x-request-id"] === undefined) return "no x-request-id";
    const named = path.replace(/\?.*$/, "").replace(/^\/ws\/[^/]*\/[^/]*/, "");
    const place = named.replace(/\/file\/$/, "/file"); // H-3: an empty id counts as absent
    const template = routes.find(({ pattern }) => pattern.test(place))?.template;
    const operation = description.paths[template ?? ""]?.[method.toLowerCase()];
    const range = status < 400 ? undefined : `${String(status)[0]}XX`;
    const answer = follow(description, operation?.responses[status]);
    if (answer === undefined && range === undefined) return `${status} is not described`;
    if (operation !== undefined && range !== undefined && operation.responses[range] === undefined)
      return `${range} is not described`;
    if (answer?.content !== undefined && "*/*" in answer.content) return null; // any bytes
    if (answer !== undefined && answer.content === undefined) {
      return text === "" ? null : "a body where none is described";
    }
    const pointer =
      answer === undefined
        ? "/components/schemas/Error"
        : status >= 400
          ? "/components/schemas/BatchError"
          : `/paths/${escapePointer(template!)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
    if (headers["content-type"] !== "application/json") return `type ${headers["content-type"]}`;
    return validate(pointer, JSON.parse(text));
  };
}

/** Resolves a reference to a response. */
function follow(description: Description, answer: Answer | undefined): Answer | undefined {
  const name = answer?.$ref?.split("/").at(-1);
  return name === undefined ? answer : description.components.responses[name];
}

export function escapePointer(template: string): string {
  return encodeURIComponent(template.replaceAll("~", "~0").replaceAll("/", "~1"));
}

import { DONE, type Schema, type TypeOf } from "../json-schema.js";
import type { ProfileName } from "../profile.js";
import type { Address } from "./address.js";
import { writeReply } from "./answer.js";
import { withoutNulls } from "./body.js";
import type { Reply, RequestBody, Written } from "./message.js";
import { type ParameterSet, type ParameterValues, readParameters } from "./parameters.js";
import { readBySchema } from "./read-schema.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The data a route works on: the catalog (names, schemas, settings, users), records by id, or the
 * result of a query. Backends that store records elsewhere run routes of the catalog unchanged.
 */
export type Touched = "catalog" | "records" | "query";

export interface GivenRequest {
  readonly search: string;
  readonly body: RequestBody | GivenContent;
}

export interface GivenContent {
  readonly bytes: Uint8Array;
  /** The header `content-type`; absent where it is empty. */
  readonly mediaType: string | undefined;
}

export interface ReadRequest<P extends ParameterSet = ParameterSet, B = unknown> {
  readonly parameters: ParameterValues<P>;
  readonly body: B;
}

/** The input of a route, beside the entities it has found. */
export type RouteInput<
  P extends ParameterSet = ParameterSet,
  B = unknown,
  N extends string = string,
> = Omit<Address, "names"> &
  ReadRequest<P, B> & {
    readonly names: { readonly [name in N]: string };
  };

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

interface Definition<O extends string, At, T, P extends ParameterSet, S extends Schema> {
  /** The method and the template of the path, such as `GET /dbs/{db_name}`. */
  readonly at: At;
  readonly operation: O;
  readonly summary: string;
  readonly touches?: Touched;
  /** It changes nothing, though its method is POST. */
  readonly reads?: true;
  readonly parameters?: P;
  /** A route without one leaves a body unread. */
  readonly body?: S;
  /** The body is content, never read as JSON (rule H-3). */
  readonly takesContent?: true;
  /** A good answer is content. */
  readonly givesContent?: true;
  /** The nulls in the body are values (rule E-3). */
  readonly keepsNulls?: true;
  /** Answered without a key: it discloses nothing, or the address is the key (rule H-4). */
  readonly isPublic?: true;
  /** Left out of the description of the service. */
  readonly isUndescribed?: true;
  /** The schema of each good answer by its status; null for an empty one. */
  readonly answers: Readonly<Record<number, Schema | null>>;
  /** Finds the entities that the address names (rule M-4); default nothing. */
  readonly find?: (address: Address) => T;
  /** Returns the body of the only good answer; of an empty one it is dropped. */
  readonly act?: (target: T, input: RouteInput<P, TypeOf<S>, NamesIn<At>>) => unknown;
  /** Replaces `act`: returns the answer with its status. */
  readonly reply?: (
    target: T,
    input: RouteInput<P, TypeOf<S>, NamesIn<At>>,
  ) => Reply | Promise<Reply>;
}

/** A route as the responder and the description see it. */
export interface Route<O extends string = string> {
  readonly method: Method;
  readonly path: string;
  /** `workspace`, or `control` for the address of the account. */
  readonly plane: "workspace" | "control";
  readonly touches: Touched;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  readonly operation: O;
  readonly summary: string;
  readonly parameters: ParameterSet;
  readonly body?: Schema;
  readonly isPublic?: true;
  readonly isUndescribed?: true;
  readonly takesContent?: true;
  readonly givesContent?: true;
  readonly answers: Readonly<Record<number, Schema | null>>;
  /** Finds the entities that the address names. */
  readonly find: (address: Address) => unknown;
  readonly read: (given: GivenRequest, base: ProfileName) => ReadRequest;
  /**
   * Acts on what `find` and `read` gave. Writes the text of the answer too: a write whose answer is
   * too long fails as a whole (rule L-11).
   */
  readonly act: (target: unknown, input: RouteInput) => Written | Promise<Written>;
}

export type OperationOf<R extends readonly Route[]> = R[number]["operation"];

/** Finds, reads and acts: the order of rule E-6. */
export function runRoute(
  route: Route,
  address: Address,
  given: GivenRequest,
): Written | Promise<Written> {
  const target = route.find(address);
  const request = route.read(given, address.engine.profile.base);
  return route.act(target, { ...address, ...request });
}

const OF_WORKSPACE = /^(?:\/_twinbase)?\/(?:dbs?|cluster|file)\//;

export function defineRoute<
  const O extends string,
  const At extends string,
  T = Address,
  P extends ParameterSet = Record<never, never>,
  S extends Schema = Schema<RequestBody>,
>(definition: Definition<O, At, T, P, S>): Route<O> {
  const { at, find, act, reply, keepsNulls, body, reads = false, ...rest } = definition;
  const { parameters = {}, answers, touches = "catalog", takesContent } = rest;
  const [method, path = ""] = at.split(" ");
  const [status = 0] = Object.keys(answers).map(Number);
  const replyWith = (body: unknown): Reply => {
    if (answers[status] === null) return { status };
    return { status, body: answers[status] === DONE ? { status: "completed" } : body };
  };
  return {
    ...rest,
    method: method as Method, // of the methods that there are
    path,
    plane: OF_WORKSPACE.test(path) ? "workspace" : "control",
    touches,
    reads: reads || method === "GET" || touches === "query",
    parameters,
    ...(body !== undefined && { body }),
    find: find ?? ((address) => address),
    read: ({ search, body: given }, base) => {
      const values = readParameters(parameters, search, base);
      if (takesContent || body === undefined) return { parameters: values, body: given };
      const isWhole = base === "documented" || keepsNulls;
      const whole = given as RequestBody; // of a route that takes JSON
      return {
        parameters: values,
        body: readBySchema(body, isWhole ? whole : withoutNulls(whole)),
      };
    },
    act: (found, given) => {
      // As `find` and `read` above have made them.
      const [target, input] = [found as T, given as RouteInput<P, TypeOf<S>, NamesIn<At>>];
      const answer = reply?.(target, input) ?? replyWith(act?.(target, input));
      return answer instanceof Promise ? answer.then(writeReply) : writeReply(answer);
    },
  };
}

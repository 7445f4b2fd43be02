import type { UserRecord } from "../catalog/users.js";
import type { AnyEngine } from "../engine.js";
import type { ProfileName } from "../profile.js";
import type { Address } from "./address.js";
import { writeReply } from "./answer.js";
import { withoutNulls } from "./body.js";
import type { Reply, RequestBody, Written } from "./message.js";
import type { JsonSchema } from "./openapi/schema.js";
import { type ParameterSet, type ParameterValues, readParameters } from "./parameters.js";

/** The methods that routes answer to. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What a route works on, which decides where it can run: on the catalog (names, schemas, settings,
 * users), on single records by their ids, or on what a query finds. A backend that keeps records
 * elsewhere runs the first as it is.
 */
export type Touched = "catalog" | "records" | "query";

/** What follows the path of a request. */
export interface GivenRequest {
  /** The query string, without its question mark. */
  readonly search: string;
  readonly body: RequestBody;
}

/** The same, read: it has the shape that its route takes. */
export interface ReadRequest<P extends ParameterSet = ParameterSet> {
  readonly parameters: ParameterValues<P>;
  readonly body: RequestBody;
}

/** What a route acts on. */
export interface RouteInput<P extends ParameterSet = ParameterSet> extends ReadRequest<P> {
  readonly engine: AnyEngine;
  /** Who asks (rule U-1). */
  readonly caller: UserRecord;
  /** Of databases that are made without one; absent, the engine's own default. */
  readonly region: string | undefined;
  /** The names in the path, decoded, by the parameters of the template. */
  readonly names: Readonly<Record<string, string>>;
}

/** The body of a request that is content, as a route is given it. */
export interface GivenContent {
  readonly bytes: Uint8Array;
  /** The header `content-type`; absent where it is empty. */
  readonly mediaType: string | undefined;
}

/** One operation of the service: where it is, what it does, and how it is described. */
export interface RouteDefinition<T, P extends ParameterSet> {
  readonly method: Method;
  /** Template such as `/dbs/{db_name}`. */
  readonly path: string;
  /** `workspace`, or `control` for the address of the account. */
  readonly plane: "workspace" | "control";
  readonly touches: Touched;
  readonly operation: string;
  readonly summary: string;
  readonly parameters?: P;
  /** The schema of the body; a route without one leaves a body unread. */
  readonly body?: JsonSchema;
  /** The body is content, never read as JSON: it is given as {@link GivenContent} (rule H-3). */
  readonly takesContent?: true;
  /** What is answered is content, where it is good. */
  readonly givesContent?: true;
  /** The body is a record, or JSON to store: its nulls are values (rule E-3). */
  readonly keepsNulls?: true;
  /** Answered without a key too: it tells nothing of what there is, or the address does (H-4). */
  readonly isPublic?: true;
  /** Left out of the description of the service. */
  readonly isUndescribed?: true;
  /** The schema of each good answer by its status; null for an empty one. */
  readonly answers: Readonly<Record<number, JsonSchema | null>>;
  /** Finds what the names in the address lead to (rule M-4), before the rest is read (rule E-6). */
  readonly find: (address: Address) => T;
  readonly handle: (target: T, input: RouteInput<P>) => Reply | Promise<Reply>;
}

/** A route as the responder and the description see it. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly plane: "workspace" | "control";
  readonly touches: Touched;
  readonly operation: string;
  readonly summary: string;
  readonly parameters: ParameterSet;
  readonly body: JsonSchema | undefined;
  readonly isPublic?: true;
  readonly isUndescribed?: true;
  readonly takesContent?: true;
  readonly givesContent?: true;
  readonly answers: Readonly<Record<number, JsonSchema | null>>;
  /** Finds what the names in the address lead to. */
  readonly find: (address: Address) => unknown;
  /** Reads the query string and the body. */
  readonly read: (given: GivenRequest, base: ProfileName) => ReadRequest;
  /**
   * Acts on what `find` and `read` gave. Writes the text of the answer too: a write whose answer is
   * too long fails as a whole (rule L-11).
   */
  readonly act: (target: unknown, input: RouteInput) => Written | Promise<Written>;
}

/** Finds, reads and acts: the order of rule E-6. */
export function runRoute(
  route: Route,
  address: Address,
  given: GivenRequest,
): Written | Promise<Written> {
  const target = route.find(address);
  const request = route.read(given, address.engine.profile.base);
  const { engine, caller, region, names } = address;
  return route.act(target, { engine, caller, region, names, ...request });
}

/** Makes a route of its definition. */
export function defineRoute<T, P extends ParameterSet>(definition: RouteDefinition<T, P>): Route {
  // A definition without parameters is one whose set is empty.
  const { find, handle, keepsNulls, parameters = {} as P, body, ...rest } = definition;
  return {
    ...rest,
    parameters,
    body,
    find,
    read: ({ search, body: given }, base) => {
      const values = readParameters(parameters, search, base);
      const isWhole = base === "documented" || keepsNulls || rest.takesContent;
      return { parameters: values, body: isWhole ? given : withoutNulls(given) };
    },
    act: (target, input) => {
      // As `find` and `read` above have made them.
      const reply = handle(target as T, input as RouteInput<P>);
      return reply instanceof Promise ? reply.then(writeReply) : writeReply(reply);
    },
  };
}

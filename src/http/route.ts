import { Engine } from "../engine.js";
import type { Profile } from "../profile.js";
import { readBySchema } from "../shape/read.js";
import {
  COMPLETED,
  NO_KEYS,
  named,
  objectOf,
  reading,
  type Schema,
  type TypeOf,
} from "../shape/schema.js";
import type { Address } from "./address.js";
import { writeReply } from "./answer.js";
import { withoutNulls } from "./body.js";
import type { RawReply, Reply, RequestBody } from "./message.js";
import { readParameters } from "./parameters.js";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** The response of a route without result. */
export const DONE: Schema = named("Completed", objectOf({ status: COMPLETED }));

export interface UnreadRequest {
  readonly search: string;
  readonly body: RequestBody | UnreadContent;
}

export interface UnreadContent {
  readonly bytes: Uint8Array;
  /** The header `content-type`; absent if empty. */
  readonly mediaType: string | undefined;
}

export interface ReadRequest<P = unknown, B = unknown> {
  readonly parameters: P;
  readonly body: B;
}

/** The input of a route, besides the entities that it found. */
export type RouteInput<P = unknown, B = unknown, N extends string = string> = Omit<
  Address,
  "names"
> &
  ReadRequest<P, B> & {
    readonly names: { readonly [name in N]: string };
  };

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The members of a definition that its route has, too. */
interface Declaration {
  readonly summary: string;
  /** Whether the body is file content, not JSON (rule H-3). */
  readonly takesContent?: true;
  /** Whether a successful answer is file content. */
  readonly givesContent?: true;
  /** Whether it needs no key: it discloses nothing, or the URL is the key (rule H-4). */
  readonly isPublic?: true;
  readonly isUndescribed?: true;
  /** Whether 201 has a header `location`: the address of the request, now of an entity (B-1). */
  readonly isLocated?: true;
  /** The schemas of successful answers by status; null for an empty answer. */
  readonly answers: Readonly<Record<number, Schema | null>>;
}

interface Definition<At, T, P extends Schema, S extends Schema> extends Declaration {
  /** The method and the template of the path, such as `GET /dbs/{db_name}`. */
  readonly at: At;
  /** Whether it reads or writes records; others use names, schemas, settings and users. */
  readonly usesRecords?: true;
  /** Whether a POST route only reads. */
  readonly reads?: true;
  /** The shape of the query string. */
  readonly parameters?: P;
  /** The schema of the body; absent if the route reads none. */
  readonly body?: S;
  /** Whether null is a value in the body (rule E-3). */
  readonly keepsNulls?: true;
  /** Looks up the entities in the address (rule M-4); default none. */
  readonly find?: (address: Address) => T;
  /** Returns the body of the successful answer; ignored if that is empty. */
  readonly act?: (target: T, input: RouteInput<TypeOf<P>, TypeOf<S>, NamesIn<At>>) => unknown;
  /** Replaces `act`: returns the answer with its status. */
  readonly reply?: (
    target: T,
    input: RouteInput<TypeOf<P>, TypeOf<S>, NamesIn<At>>,
  ) => Reply | Promise<Reply>;
}

/** A compiled route, for the responder and the description. */
export interface Route extends Declaration {
  readonly method: Method;
  readonly path: string;
  /** The API: `workspace`, or `control` for accounts. */
  readonly plane: "workspace" | "control";
  readonly usesRecords: boolean;
  readonly reads: boolean;
  readonly operation: string;
  readonly parameters: Schema;
  readonly body?: Schema;
  readonly find: (address: Address) => unknown;
  readonly read: (unread: UnreadRequest, profile: Profile) => ReadRequest;
  /**
   * Runs the route with the results of `find` and `read`, and serializes the answer: a write with a
   * too long answer fails (rule L-11).
   */
  readonly act: (target: unknown, input: RouteInput) => RawReply | Promise<RawReply>;
}

export type UnnamedRoute = Omit<Route, "operation">;

/** Routes by operation. */
export type Routes<O extends string = string> = Readonly<Record<O, UnnamedRoute>>;

export function listRoutes(routes: Routes): Route[] {
  return Object.entries(routes).map(([operation, route]) => ({ ...route, operation }));
}

/** Calls `find`, `read` and `act`, in the order of rule E-6. A write and its answer are one call (E-5). */
export function runRoute(
  route: Route,
  address: Address,
  unread: UnreadRequest,
): RawReply | Promise<RawReply> {
  const { engine } = address;
  const run = (): RawReply | Promise<RawReply> => {
    const target = route.find(address);
    const request = route.read(unread, engine.profile);
    return route.act(target, { ...address, ...request });
  };
  return route.reads ? run() : Engine.contextOf(engine).call(run, "one");
}

const OF_WORKSPACE = /^(?:\/_twinbase)?\/(?:dbs?|cluster|file)\//;

export function defineRoute<
  const At extends string,
  T = Address,
  P extends Schema = Schema<object>,
  S extends Schema = Schema<RequestBody>,
>(definition: Definition<At, T, P, S>): UnnamedRoute {
  const { at, find, act, reply, keepsNulls, body, reads = false, ...rest } = definition;
  const { answers, usesRecords = false, takesContent } = rest;
  const parameters = reading<unknown>(rest.parameters ?? NO_KEYS, { what: "query string" });
  const [method, path = ""] = at.split(" ");
  const [status = 0] = Object.keys(answers).map(Number);
  const replyWith = (body: unknown): Reply => {
    if (answers[status] === null) return { status };
    return { status, body: answers[status] === DONE ? { status: "completed" } : body };
  };
  return {
    ...rest,
    method: method as Method, // a known method
    path,
    plane: OF_WORKSPACE.test(path) ? "workspace" : "control",
    usesRecords,
    reads: reads || method === "GET",
    parameters,
    ...(body !== undefined && { body }),
    find: find ?? ((address) => address),
    read: ({ search, body: text }, profile) => {
      const values = readParameters(parameters, search, profile);
      if (takesContent || body === undefined) return { parameters: values, body: text };
      const isWhole = !profile.lenient || keepsNulls;
      const whole = text as RequestBody; // the route takes JSON
      return {
        parameters: values,
        body: readBySchema(body, isWhole ? whole : withoutNulls(whole)),
      };
    },
    act: (found, given) => {
      // The results of `find` and `read` above.
      const [target, input] = [found as T, given as RouteInput<TypeOf<P>, TypeOf<S>, NamesIn<At>>];
      const answer = reply?.(target, input) ?? replyWith(act?.(target, input));
      return answer instanceof Promise ? answer.then(writeReply) : writeReply(answer);
    },
  };
}

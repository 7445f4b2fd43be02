import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Memory } from "../engine/memory.js";

/** Bytes of a request that waits for an earlier one of its connection. */
const REQUEST_BYTES = 24 * 1024;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Pipeline {
  current: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Returns a function that answers the requests of each connection one after another, each when the
 * client has received the answer before. Until then it does not read on. A connection is closed if the account has
 * no room for its request.
 */
export function createPipelines(answer: Answer, memory: Memory): Answer {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const charge = memory.charge("requests that wait");
  let waiting = 0;
  const wait = (more: number): boolean => {
    try {
      charge.set((waiting + more) * REQUEST_BYTES);
      waiting += more;
      return true;
    } catch {
      return false;
    }
  };
  const start = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.current = response;
    answer(request, response);
  };
  const next = (socket: Socket, pipeline: Pipeline): void => {
    const pair = socket.destroyed ? undefined : pipeline.waiting.shift();
    if (pair === undefined) {
      wait(-pipeline.waiting.length);
      pipeline.waiting.length = 0;
      return;
    }
    wait(-1);
    socket.setTimeout(0); // it limited the time to read the answer before
    if (pipeline.waiting.length === 0) socket.resume();
    else {
      // `node:http` may have resumed it.
      socket.pause();
      pair[1].once("close", () => next(socket, pipeline));
    }
    start(pipeline, ...pair);
  };
  return (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      pipelines.set(socket, { current: response, waiting: [] });
      answer(request, response);
    } else if (pipeline.waiting.length === 0 && pipeline.current.closed) {
      start(pipeline, request, response);
    } else if (!wait(1)) socket.destroy();
    else {
      socket.pause();
      if (pipeline.waiting.push([request, response]) === 1) {
        pipeline.current.once("close", () => next(socket, pipeline));
      }
    }
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait for an earlier one of their connection, on all connections together. */
const MAX_PIPELINED = 10_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Pipeline {
  current: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Returns a function that answers the requests of each connection one after another, each when the
 * client has received the answer before. Until then it does not read on. A connection that would
 * exceed {@link MAX_PIPELINED} is closed.
 */
export function createPipelines(answer: Answer): Answer {
  const pipelines = new WeakMap<Socket, Pipeline>();
  let waiting = 0;
  const start = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.current = response;
    answer(request, response);
  };
  const next = (socket: Socket, pipeline: Pipeline): void => {
    const pair = socket.destroyed ? undefined : pipeline.waiting.shift();
    if (pair === undefined) {
      waiting -= pipeline.waiting.length;
      pipeline.waiting.length = 0;
      return;
    }
    waiting--;
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
    } else if (waiting >= MAX_PIPELINED) {
      socket.destroy();
    } else {
      waiting++;
      socket.pause();
      if (pipeline.waiting.push([request, response]) === 1) {
        pipeline.current.once("close", () => next(socket, pipeline));
      }
    }
  };
}

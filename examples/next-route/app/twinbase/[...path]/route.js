import { handle } from "../../../engine.js";

const answer = (request) => handle(request);

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };

/** Sends the requests of the curl commands in a text, in order. */
export async function runPrinted(text: string): Promise<Response[]> {
  const answers: Response[] = [];
  for (const [, command = ""] of text.matchAll(/^ {2}curl -s (.*)$/gm)) {
    answers.push(await runCurl(command));
  }
  return answers;
}

function runCurl(command: string): Promise<Response> {
  const match = /^(?:-X (\w+) )?(\S+)(?: -d '([^']*)')?$/.exec(command);
  if (match === null) throw new Error(`unknown command: curl -s ${command}`);
  const [, method, url = "", body] = match;
  return fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    ...(body !== undefined && { body }),
  });
}

/** A list as PostgreSQL writes an array of one dimension. */
export function formatArray(members: readonly string[]): string {
  return `{${members.map((member) => `"${member.replace(QUOTED, "\\$&")}"`).join(",")}}`;
}

const QUOTED = /["\\]/g;

/** The members of an array of one dimension without nulls, as PostgreSQL writes it. */
export function parseArray(text: string): string[] {
  const members: string[] = [];
  for (let at = 1; at < text.length - 1; ) {
    const isQuoted = text[at] === '"';
    let end = isQuoted ? at + 1 : at;
    let hasEscapes = false;
    while (end < text.length - 1 && text[end] !== (isQuoted ? '"' : ",")) {
      if (text[end] === "\\") {
        hasEscapes = true;
        end++;
      }
      end++;
    }
    const member = text.slice(isQuoted ? at + 1 : at, end);
    members.push(hasEscapes ? member.replace(ESCAPED, "$1") : member);
    at = isQuoted ? end + 2 : end + 1;
  }
  return members;
}

const ESCAPED = /\\(.)/gs;

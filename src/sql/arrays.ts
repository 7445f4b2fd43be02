/** Formats a PostgreSQL array; `isPlain`: no member needs quotes. */
export function formatArray(members: readonly (string | null)[], isPlain = false): string {
  if (isPlain) return `{${members.map((member) => member ?? "NULL").join(",")}}`;
  return `{${members.map(formatMember).join(",")}}`;
}

function formatMember(member: string | null): string {
  if (member === null) return "NULL";
  return `"${member.search(QUOTED) < 0 ? member : member.replace(QUOTED, "\\$&")}"`;
}

const QUOTED = /["\\]/g;

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

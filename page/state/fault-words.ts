/** A fault with its trigger count. */
export interface AddedFault {
  readonly id: string;
  readonly strikes: number;
  readonly rule: Readonly<Record<string, unknown>>;
}

/** Describes a fault: `The next queryTable on cities responds with status 503.` */
export function describeFault({ rule, strikes }: AddedFault): string {
  const { on, times = 1 } = rule as { on?: Readonly<Record<string, unknown>>; times?: unknown };
  const { operation, table, ...others } = on ?? {};
  const more = Object.entries(others).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const whose = [
    typeof table === "string" ? ` on ${table}` : "",
    more.length > 0 ? ` with ${more.join(", ")}` : "",
  ].join("");
  const call = typeof operation === "string" ? operation : "call";
  const effect = effectOf(rule);
  if (times === "always") return `Every ${call}${whose} ${effect}.`;
  const left = Number(times) - strikes;
  if (left <= 0) return `Done: ${times === 1 ? "one" : times} ${call}${whose} ${effect}.`;
  if (left === 1) return `The next ${call}${whose} ${effect}.`;
  return `Each of the next ${left} ${call} calls${whose} ${effect}.`.replace("call calls", "calls");
}

function effectOf(rule: Readonly<Record<string, unknown>>): string {
  const { answer, delay, drop, truncate } = rule;
  if (answer !== undefined) {
    return `responds with status ${String((answer as { status?: unknown }).status ?? 503)}`;
  }
  if (delay !== undefined) {
    return `waits ${typeof delay === "number" ? `${delay} ms` : JSON.stringify(delay)}`;
  }
  if (drop === "request") return "is dropped before it is executed";
  if (drop === "answer") return "is executed, but its response is lost";
  if (truncate !== undefined) return `is cut off after ${String(truncate)} bytes of the response`;
  return `follows ${JSON.stringify(rule)}`;
}

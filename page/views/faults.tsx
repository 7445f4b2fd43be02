import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { findNearest } from "../../src/value/nearest.js";
import { Choice, Fault } from "../parts/field.jsx";
import { Shown } from "../parts/value.jsx";
import { control, service } from "../state/api.js";
import { counts } from "../state/catalog.js";
import { type AddedFault, describeFault } from "../state/fault-words.js";
import { useLoad } from "../state/load.js";
import { cutText, showValue } from "../state/text.js";
import { readTime } from "../state/time-input.js";

/** Poll interval of the trigger counts, in milliseconds. */
const LOOK_MS = 1500;

/** Injected faults and the engine's clock. */
export function FaultsView(): VNode {
  return (
    <div class="stack">
      <Clock />
      <Faults />
    </div>
  );
}

const UNREAD =
  "Not a time: write 2031-05-05, 2031-05-05 14:30, tomorrow 9:00, next monday or +3 days";
const STEPS: readonly (readonly [string, number])[] = [
  ["1 minute", 60_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
];

function Clock(): VNode {
  const { value, error, reload } = useLoad<{ now: string }>(
    (signal) => control("GET", "clock", { signal }),
    [],
  );
  const [text, setText] = useState("");
  const [fault, setFault] = useState<Error | undefined>(undefined);
  const now = value === undefined ? Date.now() : Date.parse(value.now);
  const read = readTime(text, now);
  const isUnread = text.trim() !== "" && read === undefined;
  const send = async (method: string, path: string, body: object): Promise<void> => {
    try {
      await control(method, path, { body });
      setFault(undefined);
      setText("");
    } catch (wrong) {
      setFault(wrong as Error);
    }
    reload();
  };
  return (
    <section class="card">
      <h2>Clock</h2>
      <p class="time" role="status" aria-label="The engine's time">
        {value?.now ?? ""}
      </p>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          if (read === undefined) setFault(new Error(UNREAD));
          else void send("PUT", "clock", { now: new Date(read).toISOString() });
        }}
      >
        <input
          aria-label="New time"
          aria-invalid={fault !== undefined}
          aria-describedby="time-read"
          class="time-input"
          placeholder="tomorrow, 2031-05-05, +3 days"
          required
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setFault(undefined);
          }}
        />
        <button type="submit">Set clock</button>
        {STEPS.map(([name, ms]) => (
          <button
            key={name}
            type="button"
            onClick={() => void send("POST", "clock/advance", { ms })}
          >
            + {name}
          </button>
        ))}
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </form>
      <p id="time-read" class="faint" role="status">
        {text.trim() === ""
          ? "Times are UTC. Setting the clock freezes it."
          : isUnread
            ? "Not a time yet"
            : `→ ${new Date(read!).toISOString().replace(".000", "")}`}
      </p>
      <Fault error={fault ?? error} />
    </section>
  );
}

type Kind = "answer" | "delay" | "request" | "answer-lost" | "truncate";

function Faults(): VNode {
  const { value, error, reload } = useLoad<{ faults: AddedFault[] }>(
    (signal) => control("GET", "faults", { signal }),
    [],
  );
  const operations = useLoad<readonly string[]>(async () => {
    const { paths } = await service<{
      paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
    }>(undefined, "GET", "openapi.json");
    const names = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    return names.sort();
  }, []);
  const [operation, setOperation] = useState("");
  const [table, setTable] = useState("");
  const [kind, setKind] = useState<Kind>("answer");
  const [amount, setAmount] = useState("503");
  const [times, setTimes] = useState("1");
  const [fault, setFault] = useState<Error | undefined>(undefined);
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    try {
      await control(method, path, { body });
      setFault(undefined);
    } catch (wrong) {
      setFault(wrong as Error);
    }
    reload();
  };
  // Requests of others trigger faults, without notice to this page.
  useEffect(() => {
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const names = [...new Set([...counts.value.keys()].map((key) => tableOf(key)))].sort();
  const add = async (): Promise<void> => {
    if (table !== "" && !names.includes(table)) {
      const nearest = findNearest(table, names);
      const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
      setFault(new Error(`Unknown table ${table}.${hint}`));
      return;
    }
    const on = { ...(operation !== "" && { operation }), ...(table !== "" && { table }) };
    const wrong = {
      answer: { answer: { status: Number(amount) } },
      delay: { delay: Number(amount) },
      request: { drop: "request" },
      "answer-lost": { drop: "answer" },
      truncate: { truncate: Number(amount) },
    }[kind];
    const often = times === "always" ? { times } : { times: Number(times) };
    return send("POST", "faults", {
      ...(Object.keys(on).length > 0 && { on }),
      ...wrong,
      ...often,
    });
  };
  const amounts: Readonly<Partial<Record<Kind, readonly [label: string, value: string]>>> = {
    answer: ["Status", "503"],
    delay: ["Milliseconds", "1000"],
    truncate: ["Bytes", "10"],
  };
  const asked = amounts[kind];
  return (
    <section class="card">
      <h2>Faults</h2>
      <form
        class="toolbar bottom fault-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Choice
          label="Operation"
          value={operation}
          options={[["", "any"], ...(operations.value ?? [])]}
          onChange={setOperation}
        />
        <div class="field">
          <label for="fault-table">Table</label>
          <input
            id="fault-table"
            list="fault-tables"
            placeholder="any"
            value={table}
            onInput={(event) => setTable(event.currentTarget.value.trim())}
          />
          <datalist id="fault-tables">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <Choice
          label="Effect"
          value={kind}
          options={[
            ["answer", "respond with a status"],
            ["delay", "delay"],
            ["request", "drop the request"],
            ["answer-lost", "execute, then lose the response"],
            ["truncate", "cut off the response"],
          ]}
          onChange={(next) => {
            setKind(next as Kind);
            setAmount(amounts[next as Kind]?.[1] ?? "");
          }}
        />
        {asked !== undefined && (
          <div class="field narrow">
            <label for="fault-amount">{asked[0]}</label>
            <input
              id="fault-amount"
              inputmode="numeric"
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </div>
        )}
        <Choice
          label="Times"
          value={times}
          options={[
            ["1", "once"],
            ["2", "twice"],
            ["5", "5 times"],
            ["always", "always"],
          ]}
          onChange={setTimes}
        />
        <button type="submit" class="primary">
          Add fault
        </button>
      </form>
      <Fault error={fault ?? error} />
      {(value?.faults ?? []).length === 0 ? (
        <p class="faint">No active faults. Requests are answered as usual.</p>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">Active rules</th>
                <th scope="col" class="number">
                  Times triggered
                </th>
                <th scope="col">
                  <span class="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value?.faults.map(({ id, strikes, rule }) => (
                <tr key={id}>
                  <th scope="row">
                    <Shown text={describeFault({ id, strikes, rule })} />
                    <div class="faint code">
                      <Shown text={cutText(showValue(rule), 200)} />
                    </div>
                  </th>
                  <td class="number">
                    {strikes}
                    {isOver(rule, strikes) ? " · done" : ""}
                  </td>
                  <td class="number">
                    <button
                      type="button"
                      class="small"
                      aria-label={`Remove fault ${id}`}
                      onClick={() => void send("DELETE", `faults/${id}`)}
                    >
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <button type="button" onClick={() => void send("DELETE", "faults")}>
            Remove all
          </button>
        </>
      )}
    </section>
  );
}

function tableOf(key: string): string {
  return (JSON.parse(key) as string[])[3] ?? "";
}

function isOver({ times = 1 }: AddedFault["rule"], strikes: number): boolean {
  return typeof times === "number" && strikes >= times;
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Choice, Fault } from "../parts/field.jsx";
import { Shown } from "../parts/value.jsx";
import { control, service } from "../state/api.js";
import { useLoad } from "../state/load.js";
import { cutText, showValue } from "../state/text.js";

interface AddedFault {
  readonly id: string;
  readonly strikes: number;
  readonly rule: Readonly<Record<string, unknown>>;
}

/** What goes wrong on purpose, and what time it is. */
export function FaultsView(): VNode {
  return (
    <div class="stack">
      <Clock />
      <Faults />
    </div>
  );
}

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
          void send("PUT", "clock", { now: text });
        }}
      >
        <input
          aria-label="New time"
          aria-invalid={fault !== undefined}
          placeholder="2030-01-01T00:00:00Z"
          required
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Set</button>
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
          Look again
        </button>
      </form>
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
  const add = (): Promise<void> => {
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
    truncate: ["After bytes", "10"],
  };
  const asked = amounts[kind];
  return (
    <section class="card">
      <h2>Faults</h2>
      <form
        class="toolbar bottom"
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
            placeholder="any"
            value={table}
            onInput={(event) => setTable(event.currentTarget.value)}
          />
        </div>
        <Choice
          label="What goes wrong"
          value={kind}
          options={[
            ["answer", "is answered with a status"],
            ["delay", "waits"],
            ["request", "is dropped before it is done"],
            ["answer-lost", "is done, the answer is lost"],
            ["truncate", "ends in the middle of the answer"],
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
          label="How often"
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
        <p class="empty">Nothing goes wrong on purpose.</p>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col" class="number">
                  Has struck
                </th>
                <th scope="col">
                  <span class="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value?.faults.map(({ id, strikes, rule }) => (
                <tr key={id}>
                  <th scope="row" class="code">
                    <Shown text={cutText(showValue(rule), 200)} />
                  </th>
                  <td class="number">
                    {strikes}
                    {isOver(rule, strikes) ? ", over" : ""}
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
          <div class="buttons">
            <button type="button" onClick={() => void send("DELETE", "faults")}>
              Remove all
            </button>
            <button type="button" onClick={reload}>
              Look again
            </button>
          </div>
        </>
      )}
    </section>
  );
}

function isOver({ times = 1 }: AddedFault["rule"], strikes: number): boolean {
  return typeof times === "number" && strikes >= times;
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { key, setKey } from "../state/api.js";

/** The sign-in form; nothing else is shown without a key. */
export function KeyForm(): VNode {
  const [value, setValue] = useState("");
  const wasRefused = key.value !== "";
  return (
    <main class="key-form">
      <h1>Twinbase</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setKey(value);
        }}
      >
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          required
          aria-invalid={wasRefused}
          aria-describedby="key-fault"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p id="key-fault" class="fault" role="alert">
          {wasRefused ? "Unknown key." : ""}
        </p>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}

import { signal } from "@preact/signals";
import type { VNode } from "preact";

type Theme = "auto" | "light" | "dark";

const KEY = "twinbase-theme";
const NEXT: Readonly<Record<Theme, Theme>> = { auto: "dark", dark: "light", light: "auto" };

const theme = signal<Theme>(read());
apply();

/** Switches between the system's, dark and light theme. */
export function ThemeButton(): VNode {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        theme.value = NEXT[theme.value];
        localStorage.setItem(KEY, theme.value);
        apply();
      }}
    >
      Theme: {theme.value}
    </button>
  );
}

function read(): Theme {
  const known = localStorage.getItem(KEY);
  return known === "light" || known === "dark" ? known : "auto";
}

function apply(): void {
  document.documentElement.dataset.theme = theme.value;
}

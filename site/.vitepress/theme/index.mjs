import DefaultTheme from "vitepress/theme";

export default {
  ...DefaultTheme,
  enhanceApp() {
    if (!import.meta.env.SSR) keepTyped();
  },
};

/** Keeps what is typed between the opening of the search and the arrival of its box. */
function keepTyped() {
  let typed;
  const findInput = () => document.querySelector("#localsearch-input");
  const begin = () => {
    if (findInput() === null) typed ??= "";
  };
  addEventListener("click", ({ target }) => target.closest?.("#local-search") && begin(), true);
  addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      const isFar = event.ctrlKey || event.metaKey || event.altKey;
      const isField = target.matches?.("input, select, textarea");
      if (typed === undefined) {
        if ((isFar && key === "k") || (key === "/" && !isField)) begin();
      } else if (key === "Escape") typed = undefined;
      else if (key === "Backspace") typed = typed.slice(0, -1);
      else if (key.length === 1 && !isFar) {
        event.preventDefault();
        event.stopPropagation();
        typed += key;
      }
    },
    true,
  );
  new MutationObserver(() => {
    const input = findInput();
    if (input === null || typed === undefined) return;
    if (typed !== "") {
      input.value = typed;
      input.dispatchEvent(new Event("input"));
    }
    typed = undefined;
  }).observe(document.body, { childList: true, subtree: true });
}

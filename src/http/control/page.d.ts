/** The files of the explorer, as `scripts/build-page.mjs` writes them. */
declare module "#page" {
  export const PAGE: Readonly<
    Record<"" | "app.js" | "app.css" | "icon.svg", { readonly type: string; readonly text: string }>
  >;
}

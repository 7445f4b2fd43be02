import { defineConfig } from "vitepress";

const page = (text, link) => ({ text, link });

// pages.mjs copies the pages of the repository, typedoc writes api/.
export default defineConfig({
  title: "Twinbase",
  description: "An in-memory stand-in for a hosted database service",
  srcDir: "pages",
  outDir: "dist",
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  cacheDir: "node_modules/.cache",
  cleanUrls: true,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      page("Reference", "/docs/reference"),
      page("Rules", "/docs/rules"),
      page("Types", "/api/"),
    ],
    sidebar: [
      {
        text: "By task",
        items: [
          page("Begin", "/"),
          page("Test an application", "/docs/testing"),
          page("Runners", "/docs/runners"),
          page("The query language", "/docs/query-language"),
          page("Embed the engine", "/docs/embed"),
          page("Search", "/docs/search"),
          page("Files", "/docs/files"),
          page("Accounts", "/docs/accounts"),
          page("The history of a schema", "/docs/history"),
          page("Serve", "/docs/serve"),
          page("Data that stay", "/docs/data"),
          page("Look into it with a browser", "/docs/explorer"),
          page("Control from outside", "/docs/control"),
          page("Python", "/docs/python"),
          page("Mount in a framework", "/docs/mounting"),
          page("Examples", "/examples/README"),
          page("Check a service", "/docs/conform"),
          page("PostgreSQL", "/docs/postgres"),
        ],
      },
      {
        text: "To look up",
        items: [
          page("Reference", "/docs/reference"),
          page("Errors and rules", "/docs/rules"),
          page("Types", "/api/"),
          page("How it works", "/docs/how-it-works"),
          page("Figures", "/docs/figures"),
          page("What is attacked, and how", "/docs/trusted"),
          page("Bugs that the conformance kit finds", "/docs/planted-bugs"),
        ],
      },
      {
        text: "Working on it",
        items: [
          page("Contributing", "/CONTRIBUTING"),
          page("Architecture", "/ARCHITECTURE"),
          page("Changes", "/CHANGELOG"),
          page("Security", "/SECURITY"),
        ],
      },
    ],
  },
});

import { defineConfig } from "vitepress";
import { KEYWORDS } from "../keywords.mjs";

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
    search: {
      provider: "local",
      options: {
        // Indexes the keywords of a page with its first section; readers do not see them.
        _render(source, env, markdown) {
          const html = markdown.render(source, env);
          const keywords = KEYWORDS[env.relativePath];
          return keywords === undefined ? html : html.replace("</h1>", `</h1><p>${keywords}</p>`);
        },
        miniSearch: {
          searchOptions: {
            combineWith: "AND",
            // VitePress runs the text of this function in the browser: it can refer to nothing outside.
            boostDocument: (id) => (id.startsWith("/api/") ? 0.05 : id.includes("#") ? 1 : 2),
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      page("Reference", "/docs/reference"),
      page("Rules", "/docs/rules"),
      page("Types", "/api/"),
      // Not a page of the site: the link leaves its router.
      { ...page("Playground", "/playground/"), target: "_self" },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          page("Twinbase", "/"),
          page("Choose a tool", "/docs/which-tool"),
          page("Fidelity", "/docs/fidelity"),
          page("Troubleshooting", "/docs/troubleshooting"),
          page("Examples", "/examples/README"),
        ],
      },
      {
        text: "Test",
        items: [
          page("Test an application", "/docs/testing"),
          page("A generated client", "/docs/generated-client"),
          page("vitest, jest, node:test", "/docs/runners"),
          page("Fake timers", "/docs/fake-timers"),
          page("Retries and 429", "/docs/retries"),
        ],
      },
      {
        text: "Query",
        items: [
          page("The query language", "/docs/query-language"),
          page("Pagination", "/docs/pagination"),
          page("Live queries", "/docs/live"),
          page("Search", "/docs/search"),
          page("Files", "/docs/files"),
          page("Schema history", "/docs/history"),
          page("Users and keys", "/docs/accounts"),
        ],
      },
      {
        text: "Run",
        items: [
          page("Embed the engine", "/docs/embed"),
          page("Mount in a framework", "/docs/mounting"),
          page("Serve", "/docs/serve"),
          page("Docker and CI", "/docs/docker-and-ci"),
          page("Windows", "/docs/windows"),
          page("The explorer", "/docs/explorer"),
          page("Control a server", "/docs/control"),
          page("Python", "/docs/python"),
          page("Keep data in a folder", "/docs/data"),
          page("PostgreSQL", "/docs/postgres"),
          page("Many servers", "/docs/capacity"),
          page("Check a service", "/docs/conform"),
        ],
      },
      {
        text: "Look up",
        items: [
          page("Reference", "/docs/reference"),
          page("Errors and rules", "/docs/rules"),
          page("Types", "/api/"),
          page("Performance", "/docs/figures"),
          page("How it works", "/docs/how-it-works"),
          page("How it is tested", "/docs/tested"),
        ],
      },
      {
        text: "Contribute",
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

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

/**
 * The address of the local Worker (`wrangler dev`). Vite's proxy forwards API requests to this
 * address, so the dashboard and the API have one origin, as in production.
 */
const API = process.env["API"] ?? "http://localhost:8787";
const WORKER_PATHS = [
  "/api",
  "/v3",
  "/swagger-ui.html",
  "/vendor",
  "/docs",
  // What `wrangler dev` offers to tests.
  "/cdn-cgi",
];
const proxy = Object.fromEntries(WORKER_PATHS.map((at) => [at, API]));

/** The headers of all files in `public/_headers`, which the platform adds in production. */
const headers = Object.fromEntries(
  [
    ...readFileSync(new URL("public/_headers", import.meta.url), "utf8")
      .replace(/^\/assets[^]*/m, "")
      .matchAll(/^ {2}(\S+): (.+)$/gm),
  ].map(([, name = "", value = ""]) => [name, value]),
);

/**
 * The files of Swagger UI that the Worker's API reference page loads
 * (src/api-docs/reference-page.ts).
 */
const SWAGGER_UI = {
  "swagger-ui.css": import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
  "swagger-ui-bundle.js": import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
};
const swaggerUi: Plugin = {
  name: "swagger-ui",
  generateBundle() {
    for (const [file, url] of Object.entries(SWAGGER_UI))
      this.emitFile({
        type: "asset",
        fileName: `vendor/swagger-ui-dist/${file}`,
        source: readFileSync(fileURLToPath(url)),
      });
  },
};

/**
 * The documents to which the dashboard links. Each is served below `/docs/`, by its file name.
 * Browsers show it as text.
 */
const DOCS = [
  "docs/use/ci.md",
  "docs/use/migrate.md",
  "docs/use/migrate-from-unleash.md",
  "docs/use/openfeature.md",
  "docs/use/safe-production.md",
  "docs/build/performance.md",
  "docs/run/sign-on.md",
  "docs/use/webhooks.md",
];
const docs: Plugin = {
  name: "docs",
  generateBundle() {
    for (const document of DOCS) {
      const source = readFileSync(new URL(`../${document}`, import.meta.url));
      this.emitFile({ type: "asset", fileName: `docs/${path.basename(document)}`, source });
    }
  },
};

const SIGN_IN = fileURLToPath(new URL("src/features/session/SignInPage.tsx", import.meta.url));
const SIGNED_IN = fileURLToPath(new URL("src/app/SignedInApp.tsx", import.meta.url));

/** The ids of the modules that the sign-in form imports, directly or through other modules. */
let signInModules: Set<string> | undefined;

function isOfSignIn(id: string, context: Rolldown.ChunkingContext): boolean {
  signInModules ??= modulesFrom(SIGN_IN, context);
  return signInModules.has(id);
}

function modulesFrom(entry: string, context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([entry]);
  // A set that grows while it is iterated also yields its new members.
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * The files with the code of several pages: `base` has what the sign-in form needs, `app` what the
 * list of flags needs besides, and the files `shared` what several other pages need. Without them there
 * would be a file for each set of pages that import the same module, and a page would load 200 files.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  {
    name: (id, context) => (isOfSignIn(id, context) || id.endsWith("/index.html") ? "base" : null),
    debugName: "base",
    // The modules that the entries import statically.
    tags: ["$initial"],
    priority: 2,
  },
  { name: "app", tags: ["$initial"], priority: 1 },
  // In a file `shared`, pages that do not need YAML would load it.
  { name: "yaml", test: /\/node_modules\/yaml\//, priority: 1 },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 60_000 },
];

export default defineConfig({
  base: "/",
  plugins: [react(), swaggerUi, docs],
  build: {
    outDir: "dist",
    // The content security policy forbids data: URLs, so Vite must not inline assets.
    assetsInlineLimit: 0,
    // Every browser in Vite's default target supports module preloading, so no polyfill is needed.
    modulePreload: { polyfill: false },
    // Vite warns at 500 kB by default. test/process/entry-weight.test.ts limits the compressed size
    // instead.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The sign-in form and the list of flags are entries only because of the tag `$initial`.
      input: ["index.html", SIGN_IN, SIGNED_IN],
      output: {
        // The files `shared` import each other in circles. Without this option, a page that loads them in
        // another order uses a module before it has run.
        strictExecutionOrder: true,
        codeSplitting: { groups },
        // A name has the names of all pages that share the file, separated by `~`.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
      },
    },
  },
  server: { proxy },
  preview: { proxy, headers },
});

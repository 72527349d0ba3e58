import { readFileSync } from "node:fs";
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
  "/assets/swagger-ui-dist",
  "/docs",
  // What `wrangler dev` offers to tests.
  "/cdn-cgi",
];
const proxy = Object.fromEntries(WORKER_PATHS.map((path) => [path, API]));

/** The headers in `public/_headers`, which the platform adds in production. */
const headers = Object.fromEntries(
  [
    ...readFileSync(new URL("public/_headers", import.meta.url), "utf8").matchAll(
      /^ {2}(\S+): (.+)$/gm,
    ),
  ].map(([, name = "", value = ""]) => [name, value]),
);

/** Packages that are large and that only a few pages need. They are in no shared chunk. */
const FEW_PAGES = /re2js|packages\/evaluation|ipaddr|semver/;

/** The packages that the pages before sign-in and the list of flags need. */
const BASE_PACKAGES =
  /\/node_modules\/(?:react|react-dom|scheduler|clsx|@mantine\/core\/esm\/(?:core|components\/(?:ActionIcon|Alert|Button|CloseButton|CopyButton|Group|Loader|Paper|Stack|Text|Title|Transition|UnstyledButton))|@mantine\/hooks\/esm\/(?:use-clipboard|use-did-update|use-id|use-isomorphic-effect|use-media-query|use-reduced-motion|use-uncontrolled|use-window-event|utils\/random-id))\//;

/** The packages that only the pages before sign-in and a few others need. */
const SIGN_IN_PACKAGES =
  /@mantine\/core\/esm\/components\/(?:Input|InputBase|PasswordInput|TextInput)\//;

type ChunkingContext = Rolldown.ChunkingContext;

const SOURCES = fileURLToPath(new URL("src/", import.meta.url));
const reached = new Map<string, ReadonlySet<string>>();

/** Returns the modules of the dashboard that `entry` needs before it runs, without packages. */
function reachedFrom(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const known = reached.get(entry);
  if (known) return known;
  const found = new Set([SOURCES + entry]);
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? [])
      if (imported.startsWith(SOURCES)) found.add(imported);
  reached.set(entry, found);
  return found;
}

const preloadChunk = (id: string, context: ChunkingContext) =>
  id.includes("preload-helper") || reachedFrom("preload.ts", context).has(id) ? "preload" : null;

const SIGN_IN = "features/session/SignInPage.tsx";

const baseChunk = (id: string, context: ChunkingContext) =>
  id.endsWith("/index.html") ||
  BASE_PACKAGES.test(id) ||
  reachedFrom("main.tsx", context).has(id) ||
  (reachedFrom(SIGN_IN, context).has(id) && reachedFrom("app/SignedInApp.tsx", context).has(id))
    ? "base"
    : null;

const signInChunk = (id: string, context: ChunkingContext) =>
  SIGN_IN_PACKAGES.test(id) || reachedFrom(SIGN_IN, context).has(id) ? "sign-in" : null;

/**
 * The shared chunks: `preload` with the small script that starts the downloads, `base` with what the
 * sign-in form and the list of flags need, `sign-in` and `app` with what only the form or only the
 * shell and the list need, `icons` with the icons that several other chunks import, and `common` with
 * the modules that at least four other chunks import.
 */
const INITIAL = ["$initial" as const];
const CHUNKS = [
  { name: preloadChunk, debugName: "preload", tags: INITIAL, priority: 3 },
  { name: baseChunk, debugName: "base", tags: INITIAL, priority: 2 },
  { name: signInChunk, debugName: "sign-in", priority: 2 },
  { name: "app", tags: INITIAL, priority: 1 },
  { name: "icons", test: /@tabler\/icons-react/, minShareCount: 2 },
  { name: "common", minShareCount: 4, test: (id: string) => !FEW_PAGES.test(id) },
];

/**
 * Leaves out the components with which MantineProvider writes `style` elements. App.tsx turns them
 * off, because the dashboard's style sheets have these styles.
 */
const STYLE_WRITERS = /\/@mantine\/core\/esm\/core\/.*\/(MantineClasses|MantineCssVariables)\.mjs$/;
const withoutStyleWriters: Plugin = {
  name: "without-style-writers",
  enforce: "pre",
  apply: "build",
  load(id) {
    const name = STYLE_WRITERS.exec(id)?.[1];
    return name === undefined ? null : `export const ${name} = () => null;`;
  },
};

/** Adds the script `src/preload.ts` to index.html. */
const preload: Plugin = {
  name: "preload",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const found = Object.values(bundle ?? {}).find(({ name }) => name === "preload");
      if (!found) throw new Error("The build has no chunk `preload`");
      const script = { type: "module", async: true, src: `/${found.fileName}` };
      return [{ tag: "script", attrs: script, injectTo: "head" as const }];
    },
  },
};

/**
 * The files of Swagger UI that the Worker's API reference page loads
 * (src/operations/api-docs/reference-page.ts).
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
        fileName: `assets/swagger-ui-dist/${file}`,
        source: readFileSync(fileURLToPath(url)),
      });
  },
};

/** The documents to which the dashboard links. Browsers show them as text. */
const DOCS = ["docs/openfeature.md", "docs/performance.md", "docs/webhooks.md"];
const docs: Plugin = {
  name: "docs",
  generateBundle() {
    for (const fileName of DOCS) {
      const source = readFileSync(new URL(`../${fileName}`, import.meta.url));
      this.emitFile({ type: "asset", fileName, source });
    }
  },
};

export default defineConfig({
  base: "/",
  plugins: [react(), withoutStyleWriters, preload, swaggerUi, docs],
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
      input: { index: "index.html", preload: "src/preload.ts", app: "src/app/SignedInApp.tsx" },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  server: { proxy },
  preview: { proxy, headers },
});

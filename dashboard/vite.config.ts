import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The Worker under `wrangler dev`. The proxy gives the dashboard one origin, as in production. */
const API = process.env["API"] ?? "http://localhost:8787";
const WORKER_PATHS = ["/api", "/v3", "/swagger-ui.html", "/assets/swagger-ui-dist"];
const proxy = Object.fromEntries(WORKER_PATHS.map((path) => [path, API]));

/** The headers in `public/_headers`, which the platform adds in production. */
const headers = Object.fromEntries(
  [
    ...readFileSync(new URL("public/_headers", import.meta.url), "utf8").matchAll(
      /^ {2}(\S+): (.+)$/gm,
    ),
  ].map(([, name = "", value = ""]) => [name, value]),
);

/** The evaluator and its regular expressions are large, and only a few pages need them. */
const isShared = (id: string): boolean => !/re2js|packages\/evaluation/.test(id);

/**
 * Two chunks: the modules that every page needs, and the modules that at least four chunks share.
 * By default, each icon would be a file.
 */
const CHUNKS = [
  { name: "base", tags: ["$initial" as const], test: isShared, priority: 1 },
  { name: "common", minShareCount: 4, test: isShared },
];

/** The files that the Worker's API reference page loads (src/operations/api-docs/reference-page.ts). */
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

export default defineConfig({
  base: "/",
  plugins: [react(), swaggerUi],
  build: {
    outDir: "dist",
    // The content security policy allows no data: URLs, so every asset stays a file.
    assetsInlineLimit: 0,
    // Every browser in Vite's default target supports module preloading.
    modulePreload: { polyfill: false },
    // Larger than Vite's default of 500 kB: test/process/entry-weight.test.ts limits the compressed size.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  server: { proxy },
  preview: { proxy, headers },
});

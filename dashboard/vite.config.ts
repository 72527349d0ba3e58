import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The Worker under `wrangler dev`, so that the dashboard sees one origin as in production. */
const API = process.env["API"] ?? "http://localhost:8787";
const proxy = { "/api": API, "/v3": API };

/** Those of `public/_headers`, which the platform reads. */
const headers = Object.fromEntries(
  [
    ...readFileSync(new URL("public/_headers", import.meta.url), "utf8").matchAll(
      /^ {2}(\S+): (.+)$/gm,
    ),
  ].map(([, name = "", value = ""]) => [name, value]),
);

/** Those have a page of their own, or are large and for few pages: regular expressions of the core. */
const isShared = (id: string): boolean => !/swagger|api-page|re2js|\/src\/core\//.test(id);

/** What every page needs, and what many do. Left to itself, the build makes a file of each icon. */
const CHUNKS = [
  { name: "base", tags: ["$initial" as const], test: isShared, priority: 1 },
  { name: "common", minShareCount: 4, test: isShared },
];

export default defineConfig({
  base: "/",
  plugins: [react()],
  build: {
    outDir: "dist",
    // The content security policy allows no data: URLs, so every asset stays a file.
    assetsInlineLimit: 0,
    // Every browser of Vite's default target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "swagger-ui.html"],
      output: { codeSplitting: { groups: CHUNKS } },
    },
    // The API page is one large package, on a page that few people open.
    chunkSizeWarningLimit: 2000,
  },
  server: { proxy },
  preview: { proxy, headers },
});

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  plugins: [react()],
  build: {
    outDir: "dist",
    // The content security policy allows no data: URLs, so every asset stays a file.
    assetsInlineLimit: 0,
    // Every browser of Vite's default target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "swagger-ui.html"] },
    // The API page is one large package, on a page that few people open.
    chunkSizeWarningLimit: 2000,
  },
  server: {
    // The Worker under `wrangler dev`, so that the dashboard sees one origin as in production.
    proxy: { "/api": "http://localhost:8787", "/v3": "http://localhost:8787" },
  },
});

import { defineConfig } from "tsdown";

/**
 * Builds the published package, which contains its libraries. Each command is a separate chunk, so
 * that the program loads only the command that it runs.
 */
export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  minify: true,
  deps: { onlyBundle: ["commander", "eventsource-parser", "re2js", "semver"] },
});

import path from "node:path";
import { defineConfig } from "tsdown";

/** The modules of `yaml` for browsers. Those for Node are CommonJS, of which no part can be left out. */
const YAML = path.resolve(import.meta.dirname, "../../node_modules/yaml/browser/dist/index.js");

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
  // Names without hashes make the imports of the chunks shorter.
  hash: false,
  alias: { yaml: YAML },
  outputOptions: { comments: false },
  deps: { onlyBundle: ["re2js", "semver", "yaml"] },
});

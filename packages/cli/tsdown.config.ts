import path from "node:path";
import { defineConfig } from "tsdown";

/** The modules of `yaml` for browsers. Those for Node are CommonJS, of which no part can be left out. */
const YAML = path.resolve(import.meta.dirname, "../../node_modules/yaml/browser/dist/index.js");

/**
 * Replaces the list of all schemas of `yaml` by that of YAML 1.2. `loadFile` refuses files that ask for
 * another one, and the other schemas take 10 KB.
 */
const onlyCoreSchema = {
  name: "only-core-schema",
  load: (id: string) =>
    id.endsWith("/yaml/browser/dist/schema/tags.js")
      ? `import { schema } from "./core/schema.js";
         export const coreKnownTags = {};
         export const getTags = () => schema.slice();`
      : undefined,
};

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
  plugins: [onlyCoreSchema],
  outputOptions: { comments: false },
  deps: { onlyBundle: ["re2js", "semver", "yaml"] },
});

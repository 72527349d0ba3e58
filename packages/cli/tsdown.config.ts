import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { defineConfig } from "tsdown";

/** The modules of `yaml` for browsers. Those for Node are CommonJS, of which no part can be left out. */
const YAML = path.resolve(import.meta.dirname, "../../node_modules/yaml/browser/dist/index.js");

/**
 * Replaces the list of all schemas of `yaml`: what is read follows YAML 1.2, and of YAML 1.1 only the
 * scalars stay, so that texts such as `on` are quoted for readers of YAML 1.1 (`yamlOf`). `loadFile`
 * refuses files that ask for another schema.
 */
const onlyCoreSchema = {
  name: "only-core-schema",
  load: (id: string) =>
    id.endsWith("/yaml/browser/dist/schema/tags.js")
      ? `import { schema } from "./core/schema.js";
         import { falseTag, trueTag } from "./yaml-1.1/bool.js";
         import { float, floatExp, floatNaN } from "./yaml-1.1/float.js";
         import { int, intBin, intHex, intOct } from "./yaml-1.1/int.js";
         import { floatTime, intTime, timestamp } from "./yaml-1.1/timestamp.js";
         const scalars = [trueTag, falseTag, intBin, intOct, int, intHex, floatNaN, floatExp, float,
           intTime, floatTime, timestamp];
         export const coreKnownTags = {};
         export const getTags = (custom, name) => name === "yaml-1.1" ? scalars : schema.slice();`
      : undefined,
};

/** Compresses the long Unicode tables of re2js, to a third of their size. They are read with the chunk. */
const compressedTables = {
  name: "compressed-tables",
  transform(code: string, id: string) {
    if (!id.endsWith("/re2js/build/index.js")) return undefined;
    const tables: string[] = [];
    const rest = code.replaceAll(
      /"([A-Za-z0-9+-]{100,})"/g,
      (_, table: string) => `TABLES[${tables.push(table) - 1}]`,
    );
    const packed = brotliCompressSync(tables.join(" ")).toString("base64");
    return `import { brotliDecompressSync } from "node:zlib";
      const TABLES = brotliDecompressSync(Buffer.from("${packed}", "base64")).toString().split(" ");
      ${rest}`;
  },
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
  plugins: [onlyCoreSchema, compressedTables],
  outputOptions: { comments: false },
  // Leaves out the classes of re2js that nothing uses: their static fields only read constants.
  treeshake: { propertyReadSideEffects: false },
  deps: { onlyBundle: ["re2js", "yaml", "zod"] },
});

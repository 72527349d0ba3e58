import { defineConfig } from "tsdown";

/**
 * Builds the published package. The package contains the evaluator and the libraries. The engine
 * for regular expressions is a separate chunk, because the SDK loads it only when a rule needs it.
 */
export default defineConfig({
  entry: ["src/index.ts", "src/openfeature.ts", "src/binding.ts"],
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "node20",
  dts: { tsconfig: "../tsconfig.json" },
  minify: true,
  inputOptions: { resolve: { mainFields: ["module", "main"] } },
  deps: { onlyBundle: ["eventsource-parser", "re2js"] },
});

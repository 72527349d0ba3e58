import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { buildIfChanged } from "./build-if-changed.ts";
import { ROOT } from "./processes.ts";

/** The packages that are published, with a file that their build writes. */
const OUTPUTS = { sdk: "index.js", cli: "main.mjs" } as const;

/** Builds a package that is published, unless it was built from the same sources. */
export function buildPackage(name: keyof typeof OUTPUTS): Promise<void> {
  const folder = path.join(ROOT, "packages", name);
  const dist = path.join(folder, "dist");
  return buildIfChanged({
    output: path.join(dist, OUTPUTS[name]),
    // The package contains the evaluation.
    sources: [folder, path.join(ROOT, "packages/evaluation")],
    build: async () => {
      rmSync(dist, { recursive: true, force: true });
      const build = ["run", "--silent", "build", "--workspace", folder];
      execFileSync("npm", build, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    },
  });
}

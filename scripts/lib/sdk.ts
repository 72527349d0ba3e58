import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { buildIfChanged } from "./build-if-changed.ts";
import { ROOT } from "./processes.ts";

const SDK = path.join(ROOT, "packages/sdk");
const DIST = path.join(SDK, "dist");

/** Builds the package of the SDK, unless it was built from the same sources. */
export const buildSdk = (): Promise<void> =>
  buildIfChanged({
    output: path.join(DIST, "index.js"),
    // The package contains the evaluation.
    sources: [SDK, path.join(ROOT, "packages/evaluation")],
    build: async () => {
      rmSync(DIST, { recursive: true, force: true });
      const build = ["run", "--silent", "build", "--workspace", "packages/sdk"];
      execFileSync("npm", build, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    },
  });

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { buildIfChanged } from "./build-if-changed.ts";
import { ROOT } from "./processes.ts";

/** The packages that are published, with a file that their build writes. */
const OUTPUTS = { sdk: "index.js", cli: "main.mjs" } as const;

/** The packages that a published package contains. */
const LIBRARIES = {
  sdk: ["evaluation"],
  cli: ["client-api", "convert", "evaluation", "file"],
} as const;

/** Builds a package that is published, unless it was built from the same sources. */
export function buildPackage(name: keyof typeof OUTPUTS): Promise<void> {
  const folder = path.join(ROOT, "packages", name);
  const dist = path.join(folder, "dist");
  return buildIfChanged({
    output: path.join(dist, OUTPUTS[name]),
    sources: [folder, ...LIBRARIES[name].map((library) => path.join(ROOT, "packages", library))],
    build: async () => {
      rmSync(dist, { recursive: true, force: true });
      const build = ["run", "--silent", "build", "--workspace", folder];
      execFileSync("npm", build, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    },
  });
}

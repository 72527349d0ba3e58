import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { buildDashboard } from "../../../scripts/lib/dashboard.ts";
import { ROOT } from "../../../scripts/lib/processes.ts";

/**
 * Builds the dashboard and the package of the SDK once for all test files, so that no file builds
 * into a folder that another file reads. Builds the SDK as `npm pack` does in a fresh clone.
 */
export default async function setup(): Promise<void> {
  await buildDashboard();
  rmSync(path.join(ROOT, "packages/sdk/dist"), { recursive: true, force: true });
  const pack = ["pack", "--silent", "--dry-run", "--workspace", "packages/sdk"];
  execFileSync("npm", pack, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}

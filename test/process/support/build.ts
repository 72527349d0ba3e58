import { execFileSync } from "node:child_process";
import { buildDashboard } from "../../../scripts/lib/dashboard.ts";
import { ROOT } from "../../../scripts/lib/processes.ts";

/**
 * Builds the dashboard and the package of the SDK once for all test files, so that no file builds
 * into a folder that another file reads.
 */
export default async function setup(): Promise<void> {
  await buildDashboard();
  execFileSync("npm", ["run", "--silent", "build", "--workspace", "packages/sdk"], { cwd: ROOT });
}

import { buildPackage } from "../../../scripts/lib/built-package.ts";
import { buildDashboard } from "../../../scripts/lib/dashboard.ts";
import { buildWorker } from "./bundle.ts";

/**
 * Builds the dashboard, the bundle of the Worker and the published packages once for all test files,
 * so that no file builds into a folder that another file reads.
 */
export default async function setup(): Promise<void> {
  await Promise.all([buildDashboard(), buildWorker()]);
  await buildPackage("sdk");
  await buildPackage("cli");
}

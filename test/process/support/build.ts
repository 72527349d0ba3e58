import { buildDashboard } from "../../../scripts/lib/dashboard.ts";
import { buildSdk } from "../../../scripts/lib/sdk.ts";
import { buildWorker } from "./bundle.ts";

/**
 * Builds the dashboard, the bundle of the Worker and the package of the SDK once for all test files,
 * so that no file builds into a folder that another file reads.
 */
export default async function setup(): Promise<void> {
  await Promise.all([buildDashboard(), buildWorker()]);
  await buildSdk();
}

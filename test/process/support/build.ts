import { buildDashboard } from "../../../scripts/lib/dashboard.ts";
import { buildSdk } from "../../../scripts/lib/sdk.ts";

/**
 * Builds the dashboard and the package of the SDK once for all test files, so that no file builds
 * into a folder that another file reads.
 */
export default async function setup(): Promise<void> {
  await buildDashboard();
  await buildSdk();
}

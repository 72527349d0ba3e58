import { buildDashboard } from "../scripts/lib/dashboard.ts";

/**
 * Builds the dashboard before the Worker tests. The Worker serves the dashboard's files, and a
 * fresh clone has none.
 */
export default function setup(): Promise<void> {
  return buildDashboard();
}

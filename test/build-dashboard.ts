import { buildDashboard } from "../scripts/lib/dashboard.ts";

/** Before the tests of the Worker, which serves the dashboard's files: a fresh clone has none. */
export default function setup(): Promise<void> {
  return buildDashboard();
}

import { buildDashboard } from "../scripts/lib/dashboard.ts";

/** Runs before the Worker tests, because the Worker serves the dashboard's files and a fresh clone has none. */
export default function setup(): Promise<void> {
  return buildDashboard();
}

import { run } from "../../../scripts/lib/processes.ts";
import { wrangler } from "../../../scripts/lib/wrangler.ts";

/** Whether tests can write to the service's database directly. */
export const hasDatabase = (): boolean => process.env["E2E_DATA"] !== undefined;

/** Runs SQL, for test data that would take minutes to create through the API. */
export async function execute(sql: string): Promise<void> {
  const data = process.env["E2E_DATA"] ?? "";
  const args = ["d1", "execute", "DB", "--local", "--persist-to", data, "--command", sql];
  await run(wrangler(args, { CI: "true" }));
}

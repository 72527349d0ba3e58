import { run } from "../../../scripts/lib/processes.ts";
import { wrangler } from "../../../scripts/lib/wrangler.ts";

/** Whether the database is one that a test can write into, past the service. */
export const hasDatabase = (): boolean => process.env["E2E_DATA"] !== undefined;

/** For what would take minutes over the API. */
export async function execute(sql: string): Promise<void> {
  const data = process.env["E2E_DATA"] ?? "";
  const args = ["d1", "execute", "DB", "--local", "--persist-to", data, "--command", sql];
  await run(wrangler(args, { CI: "true" }));
}

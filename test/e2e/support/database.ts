import { run } from "../../../scripts/lib/processes.ts";
import { wrangler } from "../../../scripts/lib/wrangler.ts";

/** Whether tests can write to the service's database directly. */
export const hasDatabase = (): boolean => process.env["E2E_DATA"] !== undefined;

const ATTEMPTS = 3;

/**
 * Runs SQL, for test data that would take minutes to create through the API. Tries again when it
 * fails, because the database is locked while the service writes for another test.
 */
export async function execute(sql: string): Promise<void> {
  const data = process.env["E2E_DATA"] ?? "";
  const args = ["d1", "execute", "DB", "--local", "--persist-to", data, "--command", sql];
  for (let attempt = 1; ; attempt++)
    try {
      await run(wrangler(args, { CI: "true" }));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
}

import process from "node:process";
import { run } from "./processes.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

/**
 * The base URL of Cloudflare's API. Its documentation: developers.cloudflare.com/api, `PUT
 * /accounts/{account_id}/d1/database/{database_id}`.
 */
const API = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";
const WANTED = JSON.stringify({ read_replication: { mode: "auto" } });

interface Info {
  readonly uuid: string;
  readonly read_replication?: { readonly mode: string };
}

type Credentials =
  | { readonly type: "api_token" | "oauth"; readonly token: string }
  | { readonly type: "api_key"; readonly key: string; readonly email: string };

/**
 * Turns on read replication of a D1 database, so that replicas serve SDKs. Neither `wrangler.toml`
 * nor a wrangler command can do this. The service works without replicas, so an error is printed
 * and not thrown.
 */
export async function ensureReplication(target: Target, database: string): Promise<void> {
  const { where } = target;
  try {
    const { uuid, read_replication: current } = JSON.parse(
      await run(wrangler(["d1", "info", database, "--json", ...where])),
    ) as Info;
    if (current?.mode === "auto") return;
    const url = `${API}/accounts/${await accountOf(target)}/d1/database/${uuid}`;
    const headers = { ...(await authorization(where)), "Content-Type": "application/json" };
    const response = await fetch(url, { method: "PUT", headers, body: WANTED });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    console.log(`Turned on read replication of ${database}`);
  } catch (error) {
    console.warn(
      `Read replication of ${database} is off, and could not be turned on: ${String(error)}\n` +
        "Turn it on in the Cloudflare dashboard (D1, the database, Settings), or deploy again.",
    );
  }
}

/**
 * Returns the id of the Cloudflare account. Throws: an Error when there are several accounts and
 * neither CLOUDFLARE_ACCOUNT_ID nor wrangler.toml names one.
 */
async function accountOf({ config }: Target): Promise<string> {
  const known = process.env["CLOUDFLARE_ACCOUNT_ID"] ?? config.account_id;
  if (known !== undefined) return known;
  const { accounts } = JSON.parse(await run(wrangler(["whoami", "--json"]))) as {
    accounts: readonly { readonly id: string }[];
  };
  const [account, ...others] = accounts;
  if (!account || others.length > 0)
    throw new Error("set CLOUDFLARE_ACCOUNT_ID to the id of one account");
  return account.id;
}

async function authorization(where: readonly string[]): Promise<Record<string, string>> {
  const given = JSON.parse(
    await run(wrangler(["auth", "token", "--json", ...where])),
  ) as Credentials;
  return given.type === "api_key"
    ? { "X-Auth-Key": given.key, "X-Auth-Email": given.email }
    : { Authorization: `Bearer ${given.token}` };
}

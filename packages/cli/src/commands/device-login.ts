import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Api } from "../api.ts";
import { Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** How much longer to wait between two requests after `SLOW_DOWN`, seconds (RFC 8628, 3.5). */
const SLOWER = 5;

const REFUSALS: Readonly<Record<string, string>> = {
  ACCESS_DENIED: "The sign-in was denied in the browser",
  EXPIRED_TOKEN: "The code has expired",
};

/**
 * Shows a code that the user confirms in the browser, and waits for the token. Throws: a Failure when
 * the user denies it, when the code expires, and when the service does not respond.
 */
export async function tokenFromDevice(
  api: Api,
  terminal: Terminal,
  sleep: (seconds: number) => Promise<unknown> = (seconds) => wait(seconds * 1000),
): Promise<string> {
  const body = { clientName: `flags on ${hostname()}` };
  const start = await api.post("/auth/device", { body });
  terminal.hide(start.deviceCode);
  terminal.message(`Open ${start.verificationUriComplete}`);
  terminal.message(`and confirm the code ${terminal.style("bold", start.userCode)}. Waiting ...`);
  let { interval } = start;
  for (let waited = 0; waited < start.expiresIn;) {
    await sleep(interval);
    waited += interval;
    const result = await poll(api, start.deviceCode);
    if ("token" in result) return result.token;
    if (result.isTooFast) interval += SLOWER;
  }
  throw refused("EXPIRED_TOKEN");
}

async function poll(
  api: Api,
  deviceCode: string,
): Promise<{ readonly token: string } | { readonly isTooFast: boolean }> {
  try {
    return await api.post("/auth/device/token", {
      body: { deviceCode },
    });
  } catch (error) {
    const { code = "", exit } = error as Partial<Failure>;
    if (code in REFUSALS) throw refused(code);
    // A lost request is repeated, too: the code is still valid.
    const isWaiting = ["AUTHORIZATION_PENDING", "SLOW_DOWN"].includes(code);
    if (isWaiting || exit === "unreachable") return { isTooFast: code !== "AUTHORIZATION_PENDING" };
    throw error;
  }
}

const refused = (code: string): Failure =>
  new Failure("access", REFUSALS[code] ?? code, { code, remedy: "Run flags login again." });

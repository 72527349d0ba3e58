import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Returns the text of the newest mail to `address`, once that text contains `page`. `wrangler dev`
 * logs the file of each mail.
 * Throws: Error if no such mail arrives within 5 seconds.
 */
export async function lastMailTo(address: string, page = ""): Promise<string> {
  const log = process.env["E2E_LOG"] ?? "";
  for (let attempt = 0; attempt < 50; attempt++) {
    // oxlint-disable-next-line no-control-regex -- colours of the terminal
    const lines = readFileSync(log, "utf8").replaceAll(/\u001B\[[\d;]*m/g, "");
    const mails = lines.split("send_email binding called").slice(1);
    const mail = mails.findLast((text) => text.includes(`To: ${address}\n`));
    const file = mail === undefined ? undefined : /^Text: (.+)$/m.exec(mail)?.[1];
    const text = file === undefined ? undefined : readFileSync(file, "utf8");
    if (text?.includes(page)) return text;
    await wait(100);
  }
  throw new Error(`No mail to ${address} arrived within 5 seconds`);
}

/** Returns the first link in the newest mail to `address` that contains `page`. */
export async function linkMailedTo(
  address: string,
  page: "/accept-invite" | "/reset-password",
): Promise<URL> {
  const link = /https?:\/\/\S+/.exec(await lastMailTo(address, page))?.[0];
  if (link === undefined) throw new Error(`The mail to ${address} has no link`);
  return new URL(link);
}

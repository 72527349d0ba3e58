import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits until the newest mail to `address` contains `page`, and returns the text of the mail. The
 * log of `wrangler dev` names the file of each mail.
 * Throws: Error if no such mail arrives within a minute.
 */
export async function lastMailTo(address: string, page = ""): Promise<string> {
  const log = process.env["E2E_LOG"] ?? "";
  for (let attempt = 0; attempt < 600; attempt++) {
    // oxlint-disable-next-line no-control-regex -- removes terminal colours
    const lines = readFileSync(log, "utf8").replaceAll(/\u001B\[[\d;]*m/g, "");
    const mails = lines.split("send_email binding called").slice(1);
    const mail = mails.findLast((text) => text.includes(`To: ${address}\n`));
    const file = mail === undefined ? undefined : /^Text: (.+)$/m.exec(mail)?.[1];
    const text = file === undefined ? undefined : readFileSync(file, "utf8");
    if (text?.includes(page)) return text;
    await wait(100);
  }
  throw new Error(`No mail to ${address} arrived within a minute`);
}

/** Waits until the newest mail to `address` contains `page`, and returns its first link. */
export async function linkMailedTo(
  address: string,
  page: "/accept-invite" | "/reset-password",
): Promise<URL> {
  const link = /https?:\/\/\S+/.exec(await lastMailTo(address, page))?.[0];
  if (link === undefined) throw new Error(`The mail to ${address} has no link`);
  return new URL(link);
}

import type { Mailer } from "../management/mail.ts";
import { withTimeout } from "./timeout.ts";

/** The timeout of sending one mail: an invitation waits for it, to report whether it was sent. */
const SEND_TIMEOUT_MS = 10_000;

/** Sends mail through Cloudflare's Email Service. `wrangler dev` writes each mail to a file. */
export function mailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text, html }, traceId) {
      const headers = { "X-B3-TraceId": traceId };
      const message = { from, to, subject, text, html, headers };
      await withTimeout(SEND_TIMEOUT_MS, () => binding.send(message));
    },
  };
}

import type { Mailer } from "../../access/ports/mailer.ts";
import { withTimeout } from "../runtime/timeout.ts";

/**
 * The timeout for sending one e-mail, in milliseconds. The response to an invitation says whether
 * the e-mail was sent, so the response waits for the e-mail.
 */
const SEND_TIMEOUT_MS = 10_000;

/**
 * Returns a mailer that uses Cloudflare's Email Service. `wrangler dev` writes each e-mail to a
 * file instead. `send` throws the errors of the Email Service, or `TimeoutError`.
 */
export function mailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text, html }, traceId) {
      const headers = { "X-B3-TraceId": traceId };
      const message = { from, to, subject, text, html, headers };
      await withTimeout(SEND_TIMEOUT_MS, () => binding.send(message));
    },
  };
}

import type { Mailer } from "../management/mail.ts";
import { withTimeout } from "./timeout.ts";

/**
 * The timeout of sending one e-mail, milliseconds. The response to an invitation waits for its
 * e-mail, because the response says whether the e-mail was sent.
 */
const SEND_TIMEOUT_MS = 10_000;

/**
 * Returns a mailer that uses Cloudflare's Email Service. `wrangler dev` writes each e-mail to a
 * file instead. `send` throws what the service throws, or `TimeoutError`.
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

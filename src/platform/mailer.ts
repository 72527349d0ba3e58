import type { Mailer } from "../management/mail.ts";
import { withTimeout } from "./timeout.ts";

/** Whoever invites waits to hear whether the mail has left. */
const MAIL_BOUND_MS = 10_000;

/** Mail through Cloudflare's Email Service; `wrangler dev` writes each message to a file instead. */
export function mailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text, html }, traceId) {
      const headers = { "X-B3-TraceId": traceId };
      const letter = { from, to, subject, text, html, headers };
      await withTimeout(MAIL_BOUND_MS, () => binding.send(letter));
    },
  };
}

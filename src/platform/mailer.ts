import type { Mailer } from "../management/mail.ts";

/** Mail through Cloudflare's Email Service; `wrangler dev` writes each message to a file instead. */
export function mailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text, html }) {
      await binding.send({ from, to, subject, text, html });
    },
  };
}

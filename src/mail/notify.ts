import { logError } from "../http/log.ts";
import type { Call } from "../access/call.ts";
import { type Notice, noticeMail } from "./mails.ts";

/**
 * Sends a notice by e-mail after the response. An e-mail that cannot be sent is logged, and the others
 * are sent.
 */
export function notify(
  { request, later, mailer, publicUrl }: Call,
  findAddresses: () => Promise<readonly { readonly email: string }[]>,
  notice: Notice,
): void {
  if (!request || !later || !mailer) return;
  const { traceId } = request;
  const what = `The e-mail could not be sent: ${notice.subject}`;
  const send = (email: string) =>
    mailer
      .send(noticeMail(email, publicUrl, notice), traceId)
      .catch((error: unknown) => logError("WARN", "app.mail", { traceId, what, error }));
  later(
    (async () => {
      for (const { email } of await findAddresses()) await send(email);
    })(),
  );
}

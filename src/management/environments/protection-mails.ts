import type { Restricted } from "../../core/protection/policy.ts";
import { actorName } from "../../db/audit.ts";
import type { ReadDb } from "../../db/database.ts";
import { logError } from "../../http/log.ts";
import type { Call } from "../context.ts";
import { bypassedMail, type Mail, weakenedMail } from "../mail.ts";
import { emailsOfAdministrators, emailsOfApprovers } from "./protection-queries.ts";

/** Tells those who may approve that an actor has bypassed their approval. */
export function mailBypass(
  call: Call,
  db: ReadDb,
  bypassed: readonly Pick<Restricted, "environmentId" | "name">[],
): void {
  if (bypassed.length === 0) return;
  const environments = bypassed.map(({ name }) => name).join(", ");
  const ids = bypassed.map(({ environmentId }) => environmentId);
  sendAfter(call, () => emailsOfApprovers(db, ids), { mailTo: bypassedMail, environments });
}

/** Tells the administrators that the protection of an environment is weaker. */
export const mailWeakening = (call: Call, db: ReadDb, { name }: { readonly name: string }): void =>
  sendAfter(call, () => emailsOfAdministrators(db), { mailTo: weakenedMail, environments: name });

interface Message {
  readonly mailTo: typeof bypassedMail;
  readonly environments: string;
}

/** Sends e-mails after the response. One that cannot be sent is logged, and the others are sent. */
function sendAfter(
  { actor, request, later, mailer, publicUrl }: Call,
  findAddresses: () => Promise<readonly { readonly email: string }[]>,
  { mailTo, environments }: Message,
): void {
  if (!request || !later || !mailer) return;
  const { traceId, reason = "" } = request;
  const what = "An e-mail about the protection of an environment could not be sent";
  const send = (mail: Mail) =>
    mailer
      .send(mail, traceId)
      .catch((error: unknown) => logError("WARN", "app.mail", { traceId, what, error }));
  later(
    (async () => {
      for (const { email } of await findAddresses())
        await send(mailTo(email, publicUrl, { by: actorName(actor), environments, reason }));
    })(),
  );
}

import type { Restricted } from "../core/protection/policy.ts";
import { actorName } from "../db/audit.ts";
import type { ReadDb } from "../db/database.ts";
import type { Call } from "../access/call.ts";
import { notify } from "./notify.ts";
import {
  emailsOfAdministrators,
  emailsOfApprovers,
} from "../model/environments/protection-queries.ts";

const reasonOf = ({ request }: Call): string => `The reason: ${request?.reason ?? ""}`;

/** Tells those who may approve that an actor has bypassed their approval. */
export function mailBypass(
  call: Call,
  db: ReadDb,
  bypassed: readonly Pick<Restricted, "environmentId" | "name">[],
): void {
  if (bypassed.length === 0) return;
  const environments = bypassed.map(({ name }) => name).join(", ");
  const ids = bypassed.map(({ environmentId }) => environmentId);
  const by = actorName(call.actor);
  notify(call, () => emailsOfApprovers(db, ids), {
    subject: `Approval bypassed in ${environments}`,
    what: `${by} has changed rules in ${environments} without the approval that is required there.`,
    path: "/audit",
    more: reasonOf(call),
  });
}

/** Tells the administrators that the protection of an environment is weaker. */
export const mailWeakening = (call: Call, db: ReadDb, { name }: { readonly name: string }): void =>
  notify(call, () => emailsOfAdministrators(db), {
    subject: `The protection of ${name} is weaker`,
    what: `${actorName(call.actor)} has weakened the protection of the environment ${name}.`,
    path: "/audit",
    more: reasonOf(call),
  });

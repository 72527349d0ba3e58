import type { Actor } from "@feature-flags/permissions/permissions";
import type { Change, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { Origin } from "../db/origin.ts";
import type { Quotas } from "../db/quota.ts";
import type { HttpVariables, RequestLimits } from "../http/context.ts";
import type { KeyRegistry } from "./api-keys/ports.ts";
import type { FamilyStore } from "./auth/ports.ts";
import type { TokenSettings } from "./auth/jwt.ts";
import type { Mailer } from "./mail.ts";
import type { Vault } from "./vault.ts";
import type { WebhookPort } from "./integrations/ports.ts";

/** Everything outside the process that a management verb may use. `platform/` implements it. */
export interface ManagementDeps {
  readonly db: ReadDb;
  /** Writes one change in one transaction, audited as made by `actor`. Verbs use `ctx.commit`. */
  readonly commit: (actor: Actor, change: Change) => Promise<readonly Revision[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly request: Omit<Origin, "actor"> & { readonly userAgent: string | undefined };
  /** Runs work after the response is sent. Errors are logged. */
  readonly later: (work: Promise<unknown>) => void;
  readonly quotas: Quotas;
  readonly limits: RequestLimits;
  readonly keys: KeyRegistry;
  readonly families: FamilyStore;
  readonly tokens: TokenSettings;
  readonly vault: Vault;
  readonly webhooks: WebhookPort;
  readonly mailer: Mailer;
  /** The base URL of the dashboard, for links in mails. */
  readonly publicUrl: string;
  /** The first administrator (docs/decisions.md, 3.10). Undefined: not configured. */
  readonly bootstrap: { readonly email: string; readonly password: string } | undefined;
}

export interface ManagementEnv {
  Variables: HttpVariables & { deps: ManagementDeps };
}

import type { Actor } from "@feature-flags/permissions/permissions";
import type { Change, Committed } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { Origin } from "../db/origin.ts";
import type { Quotas } from "../db/quota.ts";
import type { Unaudited } from "../db/unaudited.ts";
import type { HttpVariables, RequestLimits } from "../http/context.ts";
import type { KeyRegistry } from "./ports/api-keys.ts";
import type { FamilyStore } from "./ports/sessions.ts";
import type { TokenSettings } from "./jwt.ts";
import type { DeriveKey } from "./password.ts";
import type { Mailer } from "./ports/mailer.ts";
import type { Vault } from "./ports/vault.ts";
import type { UsageReadPort } from "./ports/usage.ts";
import type { WebhookPort } from "./ports/webhooks.ts";
import type { ProjectStreamPort } from "./ports/project-streams.ts";
import type { SignOnPort } from "./ports/sign-on.ts";
import type { RulesPort } from "./ports/rules.ts";

/**
 * The dependencies of one request to the management API: the request's data, the settings, and
 * everything outside the process. `src/platform/` creates them.
 */
export interface Deps {
  readonly db: ReadDb;
  /**
   * Writes one change in one transaction. The audit records of the change name `actor`. Verbs use
   * `commit` of what `writes` returns, which passes the actor of the call.
   */
  readonly commit: (actor: Actor, change: Change) => Promise<Committed>;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  readonly request: Omit<Origin, "actor"> & {
    readonly userAgent: string | undefined;
    /** Whether the header `X-Approval-Bypass` asks to bypass the approval. */
    readonly bypass: boolean;
  };
  /** Lets the work continue after the response is sent. An error of the work is logged as a fault. */
  readonly later: (work: Promise<unknown>) => void;
  readonly quotas: Quotas;
  readonly limits: RequestLimits;
  readonly keys: KeyRegistry;
  readonly families: FamilyStore;
  /**
   * Executes statements in one transaction, without an audit record. Only statements that `src/model`
   * marks as unaudited have this type. Returns the rows of each statement.
   */
  readonly record: <Row>(statements: readonly Unaudited[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * Runs work that hashes passwords with the given function. `userId` is the user for whom the
   * caller has a link of an e-mail, an access token, or a device that has signed in before; a flood
   * of strangers does not keep this caller out. `userId` is undefined for a stranger. Throws: 429 or
   * 503 if too many such works run at a time, 503 if the hash fails, and the errors of `work`.
   */
  readonly hashing: <T>(
    userId: number | undefined,
    work: (derive: DeriveKey) => Promise<T>,
  ) => Promise<T>;
  readonly tokens: TokenSettings;
  readonly vault: Vault;
  readonly webhooks: WebhookPort;
  readonly mailer: Mailer;
  readonly projectStreams: ProjectStreamPort;
  readonly usage: UsageReadPort;
  readonly rules: RulesPort;
  readonly signOn: SignOnPort;
  /** The base URL of the dashboard, for links in e-mails; undefined if it is unknown. */
  readonly publicUrl: string | undefined;
  /**
   * The e-mail address and password that create the first administrator (docs/build/decisions.md,
   * 3.10). Undefined if they are not configured.
   */
  readonly bootstrap: { readonly email: string; readonly password: string } | undefined;
}

export interface ManagementEnv {
  Variables: HttpVariables & { deps: Deps };
}

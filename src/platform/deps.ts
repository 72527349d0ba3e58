import { MAX_LEASE_MS } from "../client/leases.ts";
import { Edge } from "../client/edge.ts";
import type { ClientPorts } from "../client/ports.ts";
import { readEnvironmentRules } from "../client/queries.ts";
import { buildSnapshot } from "../core/ruleset.ts";
import { commit, type Revision } from "../db/commit.ts";
import { readDb } from "../db/database.ts";
import { log } from "../http/log.ts";
import { isRevokedKey, recordRefusedKey } from "../management/api-keys/refused.ts";
import type { ManagementDeps } from "../management/deps.ts";
import { edgeStore } from "./edge-store.ts";
import { familyStore } from "./families.ts";
import { mailer } from "./mailer.ts";
import { readSettings, type Settings } from "./settings.ts";
import { vault } from "./vault.ts";

/** This isolate's memory of rules and keys; it outlives the requests. */
export const edge = new Edge();

let settingsOf: { readonly env: Env; readonly settings: Settings } | undefined;

/** The checked settings, read once per environment object. Errors: `SettingsError`. */
export function settings(env: Env): Settings {
  if (settingsOf?.env !== env) settingsOf = { env, settings: readSettings(env) };
  return settingsOf.settings;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const now = () => Date.now();

export function clientPorts(env: Env, ctx: Background, request: () => Request): ClientPorts {
  return {
    reportRefused: async (hash) => {
      const session = env.DB.withSession("first-unconstrained");
      // Most wrong keys never were one: they must not cost the primary a transaction.
      if (!(await isRevokedKey(readDb(session), hash))) return;
      await recordRefusedKey(managementDeps(env, ctx, request(), "", undefined).deps, hash);
    },
    now,
    wait,
    openSession: (from) => env.DB.withSession(from),
    store: edgeStore(env.EDGE),
    later: background(ctx),
    fault,
  };
}

type Background = Pick<ExecutionContext, "waitUntil">;

const background = (ctx: Background) => (work: Promise<unknown>) =>
  ctx.waitUntil(work.catch((error: unknown) => fault("later", error)));

export type Request = ManagementDeps["request"];

/** One request's outside world; `bookmark` is what the management API answers with. */
export function managementDeps(
  env: Env,
  ctx: Background,
  request: Request,
  origin: string,
  bookmark: string | undefined,
): { readonly deps: ManagementDeps; readonly bookmark: () => string | null } {
  const session = env.DB.withSession(bookmark ?? "first-primary");
  const store = edgeStore(env.EDGE);
  const later = background(ctx);
  const { tokens, quotas, bootstrap, encryptionKey, mailFrom, publicUrl } = settings(env);
  const deps: ManagementDeps = {
    db: readDb(session),
    commit: async (actor, change) => {
      const revisions = await commit(session, { actor, ...request }, now(), change);
      edge.leases.expire(new Set(revisions.map((revision) => revision.environmentId)));
      later(publish(env, revisions));
      return revisions;
    },
    now,
    later,
    vault: vault(encryptionKey),
    mailer: mailer(env.MAIL, mailFrom),
    publicUrl: publicUrl ?? origin,
    request,
    quotas,
    keys: {
      announce: (hash, key) => later(store.putKey(hash, key)),
      retire: async (hash) => {
        edge.leases.forget(hash);
        await Promise.all([
          store.deleteKey(hash).catch((error: unknown) => fault("key store", error)),
          wait(MAX_LEASE_MS),
        ]);
      },
    },
    families: familyStore(env),
    tokens,
    bootstrap,
  };
  return { deps, bookmark: () => session.getBookmark() };
}

/** Puts the new snapshots where every location finds them; the answers do not depend on it. */
async function publish(env: Env, revisions: readonly Revision[]): Promise<void> {
  const session = env.DB.withSession("first-primary");
  const store = edgeStore(env.EDGE);
  for (const { environmentId } of revisions) {
    // One at a time: a project may have 50 environments of 5,000 flags, an isolate 128 MB.
    const rules = await readEnvironmentRules(session, environmentId, now());
    if (rules) await store.putSnapshot(buildSnapshot(rules));
  }
}

function fault(what: string, error: unknown): void {
  log("WARN", "edge", `${what}: ${error instanceof Error ? error.message : String(error)}`);
}

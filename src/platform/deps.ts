import type { ClientRule } from "@feature-flags/evaluation/rule";
import { MAX_LEASE_MS } from "../client/keys/leases.ts";
import { buildRules } from "../client/rules/rule-loader.ts";
import { commit, record } from "../db/commit.ts";
import { loopbackOrigin } from "../core/lib/public-url.ts";
import { readDb } from "../db/database.ts";
import { beginDeliveries } from "../jobs/webhooks/deliver.ts";
import { relay } from "../jobs/webhooks/relay.ts";
import { recordRevokedKeyUse } from "../management/api-keys/revoked-key-use.ts";
import { callBy } from "../access/call.ts";
import type { Deps } from "../access/deps.ts";
import { afterCommit } from "./after-commit.ts";
import { background, type Background, type Request } from "./background.ts";
import { now, wait } from "./runtime/clock.ts";
import { openSession, QUERY_TIMEOUT_MS } from "./bindings/database.ts";
import { edge } from "./edge.ts";
import { edgeStore } from "./bindings/edge-store.ts";
import { projectStreams } from "./objects/project-streams.ts";
import { refreshFamilies } from "./objects/refresh-families.ts";
import { requestFaultReporter } from "./runtime/fault.ts";
import { mailer } from "./bindings/mailer.ts";
import { hashing } from "./objects/password-hashers.ts";
import { jobDeps } from "./jobs.ts";
import { clientMetrics, countHeld, countChange, observeQuery } from "./runtime/metrics.ts";
import { withRetries } from "../core/lib/kv-retries.ts";
import { auditQuota, requestLimits } from "./caller-limits.ts";
import { settings } from "./runtime/settings.ts";
import { signOnSettings } from "./sign-on.ts";
import { closeStreamsOfKey } from "./objects/streams.ts";
import { usageReadPort } from "./objects/usage-objects.ts";
import { vault } from "./runtime/vault.ts";

/** How long after the start of a management request its database queries may run, milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

interface Incoming {
  readonly request: Request;
  /**
   * The URL of the request. Without `PUBLIC_URL`, links in e-mails use its origin if its host is
   * this machine. Undefined if the request sends no e-mail.
   */
  readonly url?: string | undefined;
  /**
   * The D1 bookmark in the request header `X-D1-Bookmark`. Without a bookmark, reads start at the primary.
   */
  readonly bookmark?: string | undefined;
}

/**
 * Returns the dependencies of one management request, and a function that returns the D1 bookmark
 * for the response. Throws: `SettingsError`; `UnavailableError` when D1 opens no session.
 */
export function managementDeps(
  env: Env,
  ctx: Background,
  { request, url, bookmark }: Incoming,
): { readonly deps: Deps; readonly bookmark: () => string | null } {
  const end = now() + REQUEST_TIMEOUT_MS;
  const timeoutMs = () => Math.min(QUERY_TIMEOUT_MS, end - now());
  const session = openSession(env.DB, bookmark ?? "first-primary", observeQuery, timeoutMs);
  const store = edgeStore(env.EDGE);
  const later = background(env, ctx, () => request);
  const changes = changeDeps(env, { request, later, session });
  const { tokens, quotas, bootstrap, encryptionKeys, mailFrom, publicUrl, webhooks } =
    settings(env);
  const signOn = signOnSettings(env);
  const relayEvents = relayOf(env);
  const fault = requestFaultReporter(() => request);
  const ports = { now, later, fault };
  const deps: Deps = {
    ...changes,
    limits: requestLimits(env, ports, request.ip),
    later,
    vault: vault(encryptionKeys),
    webhooks: {
      allowHttp: webhooks.allowHttp,
      relay: () => later(relayEvents()),
      attempt: async (id) => (await beginDeliveries(jobDeps(env, session), [id]))(),
    },
    mailer: mailer(env.MAIL, mailFrom),
    publicUrl: publicUrl ?? (url === undefined ? undefined : loopbackOrigin(url)),
    request,
    quotas,
    keys: {
      announce: (hash, key) => later(store.putKey(hash, key)),
      retire: async (hash, key) => {
        edge.leases.forget(hash);
        later(withRetries("key store", { wait, fault }, () => store.deleteKey(hash)));
        await Promise.all([closeStreamsOfKey(env, key, fault), wait(MAX_LEASE_MS)]);
      },
    },
    families: refreshFamilies(env),
    projectStreams: projectStreams(env, { fault, later }),
    rules: {
      read: async (environmentId) => {
        const snapshot = await buildRules(clientMetrics.builds, now, session, environmentId);
        return snapshot && (JSON.parse(snapshot.body) as ClientRule[]);
      },
    },
    signOn,
    record: (statements) => record(session, statements),
    hashing: hashing(env, request.ip, later),
    tokens,
    bootstrap,
  };
  return { deps, bookmark: () => session.getBookmark() };
}

/** The actor in the audit records about the use of revoked API keys. */
const CLIENT = { kind: "system", name: "client" } as const;

/** Records the use of a revoked API key. Returns whether it wrote a record. */
export function recordRevoked(
  env: Env,
  ctx: Background,
  { request, hash }: { readonly request: Request; readonly hash: string },
): Promise<boolean> {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const later = background(env, ctx, () => request);
  return recordRevokedKeyUse(callBy(changeDeps(env, { request, later, session }), CLIENT), {
    hash,
  });
}

/** Returns a function that hands the stored webhook events to the queue. */
const relayOf = (env: Env) => async () => relay(jobDeps(env));

interface ChangePorts {
  readonly request: Request;
  readonly later: Deps["later"];
  readonly session: ReturnType<typeof openSession>;
}

/** Returns what a change by a request needs: it is committed, and its work afterwards is done later. */
function changeDeps(env: Env, { request, later, session }: ChangePorts) {
  const fault = requestFaultReporter(() => request);
  const relayEvents = relayOf(env);
  const commitAs: Deps["commit"] = async (actor, change) => {
    const { quotas } = settings(env);
    const origin = { actor, ...request };
    const writer = { client: session, origin, now, quotas, auditQuota, countHeld };
    const committed = await commit(writer, change);
    countChange(change);
    for (const work of afterCommit(env, { committed, relay: relayEvents, fault })) later(work);
    return committed;
  };
  return { db: readDb(session), now, commit: commitAs, usage: usageReadPort(env, fault) };
}

import { MAX_LEASE_MS } from "../client/leases.ts";
import type { ClientPorts } from "../client/ports.ts";
import { commit } from "../db/commit.ts";
import { readDb } from "../db/database.ts";
import { beginDeliveries } from "../jobs/webhooks/deliver.ts";
import { relay } from "../jobs/webhooks/relay.ts";
import { isRevokedKey, recordRevokedKeyUse } from "../management/api-keys/revoked-key-use.ts";
import { actAs } from "../management/context.ts";
import type { ManagementDeps } from "../management/deps.ts";
import { afterCommit } from "./after-commit.ts";
import { now, wait } from "./clock.ts";
import { openSession, QUESTION_BOUND_MS } from "./database.ts";
import { edge } from "./edge.ts";
import { edgeStore } from "./edge-store.ts";
import { refreshFamilies } from "./refresh-families.ts";
import { requestFaultReporter } from "./fault.ts";
import { mailer } from "./mailer.ts";
import { jobDeps } from "./jobs.ts";
import { countHeld, observeQuery } from "./metrics.ts";
import { reportMetricsSoon } from "./metrics-report.ts";
import { failureLimit, requestLimits } from "./rate-limits.ts";
import { settings } from "./settings.ts";
import { sendUsage } from "./usage-queue.ts";
import { vault } from "./vault.ts";

/** Writes audit records about the use of revoked keys. */
const CLIENT = { kind: "system", name: "client" } as const;

export function clientPorts(env: Env, ctx: Background, request: () => Request): ClientPorts {
  const ports: ClientPorts = {
    reportRefused: async (hash) => {
      const session = openSession(env.DB, "first-unconstrained", observeQuery);
      // Most wrong keys never were one: they must not cost the primary a transaction.
      if (!(await isRevokedKey(readDb(session), hash))) return;
      const { deps } = managementDeps(env, ctx, { request: request(), origin: "" });
      // Once an hour: what its deletion may not have reached must not revive it in an outage.
      if (await recordRevokedKeyUse(actAs(deps, CLIENT), { hash }))
        await edgeStore(env.EDGE).deleteKey(hash);
    },
    now,
    wait,
    openSession: (from) => openSession(env.DB, from, observeQuery),
    store: edgeStore(env.EDGE),
    sendUsage: (messages) => sendUsage(env.USAGE, messages),
    later: background(env, ctx, request),
    fault: requestFaultReporter(request),
    rates: { key: env.CLIENT_KEY_RATE, browser: env.CLIENT_BROWSER_RATE },
    failures: () => failureLimit(env, ports, request().ip),
  };
  return ports;
}

/** Nobody waits longer for a slow database, however many questions it takes to answer. */
const REQUEST_BOUND_MS = 20_000;

type Background = Pick<ExecutionContext, "waitUntil">;

const background =
  (env: Env, ctx: Background, request: () => Request) => (work: Promise<unknown>) => {
    const spared = work.catch((error: unknown) => requestFaultReporter(request)("later", error));
    ctx.waitUntil(spared.then(() => reportMetricsSoon(env, ctx)));
  };

export type Request = ManagementDeps["request"];

interface Incoming {
  readonly request: Request;
  /** Of the request's URL: the base of links when `PUBLIC_URL` is not set. */
  readonly origin: string;
  /** The D1 bookmark that the request came with. Default: reads start at the primary. */
  readonly bookmark?: string | undefined;
}

/** Wires the dependencies of one management request, and returns the bookmark to respond with. */
export function managementDeps(
  env: Env,
  ctx: Background,
  { request, origin, bookmark }: Incoming,
): { readonly deps: ManagementDeps; readonly bookmark: () => string | null } {
  const end = now() + REQUEST_BOUND_MS;
  const bound = () => Math.min(QUESTION_BOUND_MS, end - now());
  const session = openSession(env.DB, bookmark ?? "first-primary", observeQuery, bound);
  const store = edgeStore(env.EDGE);
  const later = background(env, ctx, () => request);
  const { tokens, quotas, bootstrap, encryptionKeys, mailFrom, publicUrl, webhooks } =
    settings(env);
  const relayEvents = async () => relay(jobDeps(env));
  const fault = requestFaultReporter(() => request);
  const ports = { now, later, fault };
  const deps: ManagementDeps = {
    db: readDb(session),
    limits: requestLimits(env, ports, request.ip),
    commit: async (actor, change) => {
      const writer = { client: session, origin: { actor, ...request }, now, quotas, countHeld };
      const revisions = await commit(writer, change);
      for (const work of afterCommit(env, { change, revisions, relay: relayEvents, fault }))
        later(work);
      return revisions;
    },
    now,
    later,
    vault: vault(encryptionKeys),
    webhooks: {
      allowHttp: webhooks.allowHttp,
      relay: () => later(relayEvents()),
      attempt: async (id) => (await beginDeliveries(jobDeps(env, session), [id]))(),
    },
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
    families: refreshFamilies(env),
    tokens,
    bootstrap,
  };
  return { deps, bookmark: () => session.getBookmark() };
}

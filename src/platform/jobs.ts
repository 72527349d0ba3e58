import type { Actor } from "@feature-flags/permissions/permissions";
import { type Change, commit, record } from "../db/commit.ts";
import { readDb } from "../db/database.ts";
import { callBy } from "../access/call.ts";
import type { JobDeps } from "../jobs/deps.ts";
import { relay } from "../jobs/webhooks/relay.ts";
import { afterCommit } from "./after-commit.ts";
import { now } from "./runtime/clock.ts";
import { openSession } from "./bindings/database.ts";
import { deleteSnapshot, listSnapshots } from "./bindings/edge-store.ts";
import { reportJobFault } from "./runtime/fault.ts";
import { mailer } from "./bindings/mailer.ts";
import { auditQuota } from "./caller-limits.ts";
import {
  observeQuery,
  countDeliveries,
  countHeld,
  countChange,
  observeScheduleLag,
} from "./runtime/metrics.ts";
import { notifyProject } from "./objects/project-streams.ts";
import { queueProducer } from "./bindings/queue-producer.ts";
import { runScheduler } from "./objects/schedulers.ts";
import { settings } from "./runtime/settings.ts";
import { closeStreamsOfKey, notifyStreams } from "./objects/streams.ts";
import { usageObjects, usageReadPort } from "./objects/usage-objects.ts";
import { vault } from "./runtime/vault.ts";

/** The actor in the audit records of changes that a job makes. */
const SERVICE = { kind: "system", name: "service" } as const;

type Session = ReturnType<typeof openSession>;

/**
 * Returns the dependencies of one job. If a request passes its database session as `session`, later reads of
 * the request see the job's writes. Throws: `SettingsError`; `UnavailableError` when D1 opens no session.
 */
export function jobDeps(
  env: Env,
  session: Session = openSession(env.DB, "first-primary", observeQuery),
): JobDeps {
  const { tokens, quotas, auditRetentionMs, encryptionKeys, mailFrom, publicUrl, webhooks } =
    settings(env);
  const limit = quotas.WEBHOOK_DELIVERIES;
  const db = readDb(session);
  /** Makes a call by `actor`, whose changes are those of the service. */
  const callOf = (traceId: string, actor: Actor, onBehalfOf?: Actor) => {
    const commitAs = async (_: Actor, change: Change) => {
      const origin = { actor: SERVICE, onBehalfOf, traceId, ip: undefined, reason: undefined };
      const writer = { client: session, origin, now, quotas, auditQuota, countHeld };
      const committed = await commit(writer, change);
      countChange(change);
      const fault = (what: string, error: unknown) => reportJobFault(what, error, traceId);
      const work = afterCommit(env, { committed, relay: () => relay(deps), fault });
      await Promise.all(work.map((done) => done.catch((error) => fault("later", error))));
      return committed;
    };
    const usage = usageReadPort(env, (what, error) => reportJobFault(what, error, traceId));
    return callBy({ db, now, commit: commitAs, usage }, actor);
  };
  const deps: JobDeps = {
    db,
    record: (statements) => record(session, statements),
    systemCall: (traceId) => callOf(traceId, SERVICE),
    plannedCall: (traceId, onBehalfOf) => callOf(traceId, onBehalfOf, onBehalfOf),
    now,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    vault: vault(encryptionKeys),
    mailer: mailer(env.MAIL, mailFrom),
    publicUrl,
    refreshTtlMs: tokens.refreshTtlMs,
    webhooks: {
      ...webhooks,
      limit,
      queue: queueProducer(env.WEBHOOKS),
      dead: queueProducer(env.WEBHOOKS_DEAD),
      count: countDeliveries,
    },
    auditRetentionMs,
    snapshots: {
      list: () => listSnapshots(env.EDGE),
      delete: (name) => deleteSnapshot(env.EDGE, name),
    },
    usage: usageObjects(env),
    notifyStreams: (change) => notifyStreams(env, change, reportJobFault),
    notifyProject: (change) => notifyProject(env, change, reportJobFault),
    closeStreamsOfKey: (key) => closeStreamsOfKey(env, key, reportJobFault),
    runScheduler: (projectId) => runScheduler(env, projectId),
    observeScheduleLag,
    fault: reportJobFault,
  };
  return deps;
}

import { env } from "cloudflare:workers";
import { call } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { enrolled, signedInWithPassword, withSecondFactor } from "../support/factors.ts";
import { newLink } from "../support/links.ts";
import { endedDelivery, receiver } from "../support/receiver.ts";
import { ADMIN, person } from "../support/people.ts";
import { newSession, signedIn } from "../support/sessions.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import {
  newContext,
  newEnvironment,
  newFlag,
  newIntegration,
  newKey,
  newProject,
  newSegment,
  newTag,
  newValue,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

/** The resources and tokens with which each route can be called successfully. */
export type Known = Awaited<ReturnType<typeof everything>>;

/**
 * Creates two resources of each kind: one to use and one to delete. Also creates the users and
 * tokens that a single route uses up.
 */
export async function everything() {
  const { projectId, environmentId, keyId, apiKey } = await newWorld();
  const administrator = await signedIn("ADMIN");
  receiver();
  const integration = await newIntegration(projectId);
  const [flag, other] = [await newFlag(projectId), await newFlag(projectId)];
  return {
    projectId,
    environmentId,
    keyId,
    apiKey,
    flagId: flag.id as number,
    flagKey: flag.key as string,
    otherFlagId: other.id as number,
    otherFlagKey: other.key as string,
    segmentId: (await newSegment(projectId, [])).id as number,
    tagId: (await newTag(projectId)).id as number,
    contextId: (await newContext(projectId)).id as number,
    // This value belongs to a second context definition, because another route replaces all values
    // of the first one, `contextId`.
    valueId: (await newValue((await newContext(projectId)).id)).id as number,
    integrationId: integration.id as number,
    deliveryId: await endedDelivery(integration as { id: number; projectId: number }),
    userId: await colleague(),
    invitedId: (await newLink("INVITE")).id,
    ...(await doomedAndCopied(projectId, environmentId, administrator.id)),
    ...(await links()),
    login: ADMIN,
    token: administrator.token,
    // This refresh token belongs to a second session, because a test that sends it twice ends its
    // session.
    refreshToken: (await signedIn("ADMIN")).refreshToken,
    reverted: await reverted(projectId, environmentId),
    requests: await changeRequests(projectId, environmentId),
    ramps: await ramps(projectId, environmentId),
    serviceAccountId: await newServiceAccount("DEVELOPER", projectId),
    unique: unique("known"),
  };
}

/** A change request with the hash that routes need. */
interface KnownRequest {
  readonly id: number;
  readonly hash: string;
}

/** Opens change requests of a developer, each about a flag of its own, for different routes. */
async function changeRequests(projectId: number, environmentId: number) {
  const { token } = await person("DEVELOPER");
  const open = async (): Promise<KnownRequest> => {
    const { id: flagId } = await newFlag(projectId);
    const operations = [
      { kind: "strategy.set", target: { flagId, environmentId }, input: { percentage: 50 } },
    ];
    const body = { projectId, title: "More users", operations };
    return (await call<KnownRequest>("POST", "/api/v1/change-requests", { token, body })).body;
  };
  const outdated = await open();
  const { operations } = (await asAdmin("GET", `/api/v1/change-requests/${outdated.id}`)).body;
  await setStrategy(operations[0].targetId, { environmentId, hashKey: "other" });
  return {
    outdated,
    edited: await open(),
    reviewed: await open(),
    applied: await open(),
    closed: await open(),
  };
}

/** Starts ramps, each of a flag of its own, for different routes. */
async function ramps(projectId: number, environmentId: number) {
  const start = async (holdMinutes: number | null) => {
    const { id: flagId } = await newFlag(projectId);
    const steps = [
      { exactPercentage: 10, holdMinutes },
      { exactPercentage: 20, holdMinutes: 60 },
    ];
    const stop = { action: "pause" };
    const { body } = await asAdmin("POST", "/api/v1/ramps", { flagId, environmentId, steps, stop });
    return body as { id: number; stopUrl: string };
  };
  const paused = await start(60);
  await asAdmin("POST", `/api/v1/ramps/${paused.id}/pause`);
  return {
    running: (await start(60)).id,
    paused: paused.id,
    waiting: (await start(null)).id,
    aborted: (await start(60)).id,
    stopToken: (await start(60)).stopUrl.split("/").at(-1) ?? "",
  };
}

/** Creates an active user whose password no test knows. */
async function colleague(): Promise<number> {
  const { id } = await person("VIEWER");
  await env.DB.prepare("UPDATE users SET password_hash = 'unknown' WHERE id = ?").bind(id).run();
  return id;
}

/** Creates a flag and a segment with one audit record each that a route can revert. */
async function reverted(projectId: number, environmentId: number) {
  const flag = await newFlag(projectId);
  const segment = await newSegment(projectId, []);
  await setStrategy(flag.id, { environmentId, enabled: true });
  await asAdmin("PUT", `/api/v1/flags/${flag.id}`, { name: "Renamed" });
  await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { description: "Changed" });
  const recordOf = async (action: string, id: number): Promise<number> =>
    (await asAdmin("GET", `/api/v1/audit?action=${action}&entityId=${id}`)).body.items[0].id;
  return {
    flagId: flag.id as number,
    segmentId: segment.id as number,
    flagUpdate: await recordOf("flag.updated", flag.id),
    strategyUpdate: await recordOf("strategy.updated", flag.id),
    segmentUpdate: await recordOf("segment.updated", segment.id),
  };
}

/**
 * Creates the resources that routes delete. One of them is a flag with a strategy in the
 * environment that a route deletes.
 */
async function doomedAndCopied(projectId: number, environmentId: number, administratorId: number) {
  const all = await doomed(projectId, environmentId, administratorId);
  const { id: flagId } = (await newFlag(projectId)) as { id: number };
  await setStrategy(flagId, { environmentId, percentage: 5 });
  await setStrategy(flagId, { environmentId: all.environmentId, percentage: 10 });
  return { doomed: all, copied: { flagId, fromEnvironmentId: all.environmentId } };
}

async function tokenOfService(projectId: number): Promise<number> {
  const serviceAccountId = await newServiceAccount("DEVELOPER", projectId);
  return (await newToken({ serviceAccountId, scopes: ["read"] })).id;
}

async function doomed(projectId: number, environmentId: number, administratorId: number) {
  const flag = await newFlag(projectId);
  await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
  return {
    projectId: (await newProject()).id as number,
    environmentId: (await newEnvironment(projectId)).id as number,
    flagId: flag.id as number,
    segmentId: (await newSegment(projectId, [])).id as number,
    keyId: (await newKey(environmentId)).id as number,
    serviceAccountId: await newServiceAccount("DEVELOPER", projectId),
    /** The id of a token of another service account. */
    tokenId: await tokenOfService(projectId),
    tagId: (await newTag(projectId)).id as number,
    contextId: (await newContext(projectId)).id as number,
    valueId: (await newValue((await newContext(projectId)).id)).id as number,
    integrationId: (await newIntegration(projectId)).id as number,
    userId: (await person("VIEWER")).id,
    /** The id of a user whose second factor a route deletes. */
    protectedId: (await withSecondFactor()).id,
    sessionId: (await newSession(administratorId)).familyId,
  };
}

/** Creates a user for the logout, and for each route that uses up a link token or a code. */
async function links() {
  return {
    leaving: await signedIn("VIEWER"),
    invitation: (await newLink("INVITE")).token,
    unusedInvitation: (await newLink("INVITE")).token,
    reset: (await newLink("RESET")).token,
    unprotected: await signedInWithPassword(),
    maker: await signedInWithPassword(),
    enrolled: await enrolled(),
    firstStep: await withSecondFactor(),
    forgetful: await withSecondFactor(),
    tired: await withSecondFactor(),
  };
}

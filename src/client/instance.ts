import { MAX_NAME } from "../core/usage/message-types.ts";
import type { ClientCall, ClientEnv } from "./answer.ts";
import type { Instance } from "./sightings.ts";

/** What an SDK says of itself; each may be missing. */
type SelfDescription = Partial<
  Readonly<Record<"appName" | "instanceId" | "sdkVersion", string | undefined>>
>;

/**
 * The instance that calls, as the body and then the headers name it. Undefined when neither does,
 * and for a FRONTEND key: published, it could make up any number of them.
 */
export function instanceOf<E extends ClientEnv>(
  { c, served }: Pick<ClientCall<E>, "c" | "served">,
  said?: SelfDescription,
): Instance | undefined {
  if (served.key.keyType !== "SERVER") return undefined;
  const { headers } = c.req.raw;
  const instanceId = said?.instanceId ?? named(headers, "X-Instance-Id");
  if (instanceId === undefined) return undefined;
  return {
    environmentId: served.key.environmentId,
    appName: said?.appName ?? named(headers, "X-App-Name") ?? "",
    instanceId,
    sdkVersion: said?.sdkVersion ?? named(headers, "X-Sdk-Version") ?? null,
  };
}

/** Marks the instance that calls as seen, and as holding the rules that it is being served. */
export function seeInstance<E extends ClientEnv>(call: ClientCall<E>): void {
  const instance = instanceOf(call);
  if (!instance) return;
  call.edge.sightings.instance(call.ports, instance, call.served.set.snapshot.revision);
}

/** A header is no reason to refuse a poll: what is empty, too long or ill-formed counts as none. */
function named(headers: Headers, name: string): string | undefined {
  const text = headers.get(name);
  if (text === null || text === "" || text.length > MAX_NAME || !text.isWellFormed())
    return undefined;
  return text;
}

import type { UsagePorts } from "../../client/sources/ports.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import type { UndeliveredBatch } from "../../core/usage/usage-batch.ts";
import type { DeletedFlags } from "../../core/usage/usage-entries.ts";
import { mostRecentFirst, type SeenInstance } from "../../core/usage/presence.ts";
import type { Reach } from "../../core/usage/propagation.ts";
import type { FlagHour, UnwrittenHour } from "../../core/usage/usage-state.ts";
import type { DeletedFlag } from "../../db/commit.ts";
import type { UsageReadPort } from "../../access/ports/usage.ts";
import { queueProducer } from "../bindings/queue-producer.ts";
import { now } from "../runtime/clock.ts";
import { settings } from "../runtime/settings.ts";
import { withTimeout } from "../runtime/timeout.ts";

/**
 * The timeout of adding batches, milliseconds. An object stores batches every
 * 2 × `USAGE_FLUSH_SECONDS`. Together with the flush interval and the call of the queue, this must
 * stay below the 30 s that work after a response may take.
 */
const ADD_TIMEOUT_MS = 16_000;

/** The timeout of a read, milliseconds. */
const READ_TIMEOUT_MS = 5_000;

/**
 * The maximum number of messages in one `sendBatch`, and their maximum size in bytes of JSON.
 * Cloudflare Queues allows 100 messages, and 256 KB including metadata.
 */
const CALL_LIMITS = { count: 100, size: 240_000 };

const objectOf = (env: Env, name: string) => env.USAGE_OBJECTS.getByName(name);

/**
 * Returns the name of the usage object of an environment. The environments of a project are spread
 * over `USAGE_SHARDS` objects.
 */
function nameOf(shards: number, projectId: number, environmentId: number): string {
  return shards === 1 ? String(projectId) : `${projectId}-${environmentId % shards}`;
}

/** Returns the id of the project from the name of a usage object. */
export const projectOf = (name: string): number => Number.parseInt(name, 10);

export function usageObjects(env: Env): Pick<UsagePorts, "objectOf" | "add"> {
  return {
    objectOf: (projectId, environmentId) =>
      nameOf(settings(env).usage.shards, projectId, environmentId),
    add: async (name, batches) => {
      await withTimeout(ADD_TIMEOUT_MS, async () => objectOf(env, name).add(batches));
    },
  };
}

export function usagePorts(env: Env): UsagePorts {
  return {
    ...usageObjects(env),
    flushMs: settings(env).usage.flushMs,
    reportSeconds: settings(env).usage.reportSeconds,
    enqueue: (batches) => enqueue(env, batches),
  };
}

async function enqueue(env: Env, batches: readonly UndeliveredBatch[]): Promise<void> {
  const queue = queueProducer<UndeliveredBatch>(env.USAGE);
  for (const some of chunked(batches, jsonBytes, CALL_LIMITS))
    await queue.send(some.map((body) => ({ body })));
}

/**
 * Makes the usage objects forget the usage of deleted flags. If an object does not respond, the
 * usage queue tells it later. Throws the errors of the queue.
 */
export async function forgetUsage(env: Env, deleted: readonly DeletedFlag[]): Promise<void> {
  const at = now();
  const { shards } = settings(env).usage;
  const messages = Array.from(
    Map.groupBy(deleted, ({ projectId }) => projectId),
    ([projectId, flags]) => {
      const entry: DeletedFlags = { kind: "deleted", flags: flags.map(({ key }) => [key, at]) };
      const body = JSON.stringify(entry);
      return Array.from({ length: shards }, (_, n): UndeliveredBatch => ({
        kind: "batch",
        object: nameOf(shards, projectId, n),
        body,
      }));
    },
  ).flat();
  const objects = usageObjects(env);
  const undelivered = await Promise.all(
    messages.map((message) =>
      objects.add(message.object, [message.body]).then(
        () => [],
        () => [message],
      ),
    ),
  );
  await enqueue(env, undelivered.flat());
}

export function usageReadPort(
  env: Env,
  fault: (what: string, error: unknown) => void,
): UsageReadPort {
  const { shards, reportSeconds } = settings(env).usage;

  /**
   * Calls each object that has some of the environments, with the ids of these environments. The
   * caller names the type `T`, because the types of a call to an object turn tuples into lists.
   */
  const readEach = async <T>(
    projectId: number,
    environmentIds: readonly number[],
    read: (object: ReturnType<typeof objectOf>, environmentIds: number[]) => Promise<unknown>,
  ): Promise<T[]> => {
    const byObject = Map.groupBy(environmentIds, (id) => nameOf(shards, projectId, id));
    try {
      const found = await withTimeout(READ_TIMEOUT_MS, () =>
        Promise.all(Array.from(byObject, ([name, ids]) => read(objectOf(env, name), ids))),
      );
      return found as T[];
    } catch (error) {
      fault("usage", error);
      throw new ApiError(
        "SERVICE_UNAVAILABLE",
        "The usage of the last hour is unavailable at the moment; try again in 5 seconds",
      );
    }
  };

  return {
    reportSeconds,
    unwritten: async (projectId, filter) => {
      const found = await readEach<UnwrittenHour[]>(
        projectId,
        filter.environmentIds,
        (object, environmentIds) => object.unwritten({ ...filter, environmentIds }),
      );
      return found.flat();
    },
    instanceUsage: async (projectId, filter) => {
      const found = await readEach<FlagHour[]>(
        projectId,
        filter.environmentIds,
        (object, environmentIds) => object.instanceUsage({ ...filter, environmentIds }),
      );
      return found.flat();
    },
    instances: async (projectId, filter, limit) => {
      const found = await readEach<SeenInstance[]>(
        projectId,
        filter.environmentIds,
        (object, environmentIds) => object.instances({ ...filter, environmentIds }, limit),
      );
      return found.flat().toSorted(mostRecentFirst).slice(0, limit);
    },
    reach: async (projectId, propagated, limit) => {
      const [reach] = await readEach<Reach>(projectId, [propagated.environmentId], (object) =>
        object.reach(propagated, limit),
      );
      return reach!;
    },
  };
}

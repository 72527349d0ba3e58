import type { UndeliveredBatch } from "../../core/usage/usage-batch.ts";
import type { JobDeps } from "../deps.ts";

/**
 * The consumer of the usage queue. Delivers the batches that the isolates could not deliver to the
 * usage objects. An object counts each batch once. Throws the errors of the objects; the queue then
 * delivers the messages again.
 */
export async function deliverUsage(
  deps: JobDeps,
  batches: readonly UndeliveredBatch[],
): Promise<void> {
  const byObject = Map.groupBy(batches, ({ object }) => object);
  await Promise.all(
    Array.from(byObject, ([object, some]) =>
      deps.usage.add(
        object,
        some.map(({ body }) => body),
      ),
    ),
  );
}

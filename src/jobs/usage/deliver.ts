import type { EarlierMessage } from "../../core/usage/message-types.ts";
import type { UndeliveredBatch } from "../../core/usage/usage-batch.ts";
import type { JobDeps } from "../deps.ts";
import { batchesOfReports } from "./earlier-messages.ts";

/**
 * The consumer of the usage queue. Delivers to the usage objects what the isolates could not deliver.
 * An object counts each batch once. Throws the errors of the objects and of the database; the queue
 * then delivers the messages again.
 */
export async function deliverUsage(
  deps: JobDeps,
  messages: readonly (UndeliveredBatch | EarlierMessage)[],
): Promise<void> {
  const isBatch = (message: UndeliveredBatch | EarlierMessage) => message.kind === "batch";
  const batches = messages.filter(isBatch);
  const earlier = messages.filter((message) => !isBatch(message)) as readonly EarlierMessage[];
  batches.push(...(await batchesOfReports(deps, earlier)));
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

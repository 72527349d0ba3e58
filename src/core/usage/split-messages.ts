import { chunked, jsonBytes } from "../lib/chunks.ts";
import type { InstanceMark, LastSeenMarks, UsageReport } from "./message-types.ts";

/**
 * The maximum size of the lists in one queue message, in bytes of JSON. Cloudflare Queues limits a
 * message to 128 KB, including its metadata. So at least 28 KB remain for the metadata and the
 * other fields.
 */
export const MAX_LIST_BYTES = 100_000;

/** Returns the size of an item in a JSON list, in bytes, with the comma after the item. */
const sizeOf = (item: unknown) => jsonBytes(item) + 1;

const split = <T>(items: readonly T[]) => chunked(items, sizeOf, { size: MAX_LIST_BYTES });

/**
 * Splits a usage report into queue messages, each with its own id. Returns no message when the
 * report has no evaluations.
 */
export function reportMessages(
  report: Omit<UsageReport, "kind" | "id">,
  newId: () => string,
): UsageReport[] {
  return split(report.evaluations).map((evaluations) => ({
    kind: "report",
    id: newId(),
    environmentId: report.environmentId,
    at: report.at,
    instance: report.instance,
    evaluations,
  }));
}

/**
 * Splits last-seen marks into queue messages. The lists of a message have at most `MAX_LIST_BYTES`.
 */
export function lastSeenMessages(
  keys: LastSeenMarks["keys"],
  instances: readonly InstanceMark[],
): LastSeenMarks[] {
  // Usually the lists of keys and instances are short, so both fit into one message.
  if (sizeOf(keys) + sizeOf(instances) <= MAX_LIST_BYTES)
    return [{ kind: "sightings", keys, instances }];
  return [
    ...split(keys).map((part): LastSeenMarks => ({ kind: "sightings", keys: part, instances: [] })),
    ...split(instances).map((part): LastSeenMarks => ({
      kind: "sightings",
      keys: [],
      instances: part,
    })),
  ];
}

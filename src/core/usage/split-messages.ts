import { chunked, jsonBytes } from "../lib/chunks.ts";
import type { InstanceMark, LastSeenMarks, UsageReport } from "./message-types.ts";

/**
 * The most bytes of lists in one message. Cloudflare Queues limits a message to 128 KB, including its
 * metadata; the rest is room for the other fields.
 */
export const MAX_LIST_BYTES = 100_000;

/** One more byte for the comma between two items. */
const sizeOf = (item: unknown) => jsonBytes(item) + 1;

const split = <T>(items: readonly T[]) => chunked(items, sizeOf, { size: MAX_LIST_BYTES });

/** Splits a report into messages with an id each. Returns none when nothing was evaluated. */
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

/** Splits last-seen marks into messages. */
export function lastSeenMessages(
  keys: LastSeenMarks["keys"],
  instances: readonly InstanceMark[],
): LastSeenMarks[] {
  // Usually both lists are short and fit into one message.
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

import { chunked, jsonBytes } from "../lib/chunks.ts";
import type { InstanceMark, LastSeenMarks, UsageReport } from "./message-types.ts";

/**
 * The most bytes that the lists in one queue message may take as JSON. Cloudflare Queues limits a
 * message to 128 KB, including its metadata; the rest is for the other fields.
 */
export const MAX_LIST_BYTES = 100_000;

/** Returns the bytes that an item takes in a JSON list, with the comma after it. */
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

/** Splits last-seen marks into queue messages of the allowed size. */
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

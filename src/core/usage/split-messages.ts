import { chunked, jsonBytes } from "../lib/chunks.ts";
import type { InstanceMark, LastSeenMarks, UsageReport } from "./message-types.ts";

/**
 * The bytes that lists take in one message. A queue takes 128 KB with some hundred bytes of its own;
 * the rest is for what stands beside the lists.
 */
export const MAX_LIST_BYTES = 100_000;

/** In JSON a comma stands between two items. */
const sizeOf = (item: unknown) => jsonBytes(item) + 1;

const split = <T>(items: readonly T[]) => chunked(items, sizeOf, { size: MAX_LIST_BYTES });

/** A report as messages, each with an id of its own; none when nothing was evaluated. */
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

/** Signs of life as messages. */
export function lastSeenMessages(
  keys: LastSeenMarks["keys"],
  instances: readonly InstanceMark[],
): LastSeenMarks[] {
  // Most often both lists are short, and go together.
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

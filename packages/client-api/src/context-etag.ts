import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { hash64 } from "./hash.ts";

const encoder = new TextEncoder();

/**
 * Returns the ETag of a bulk evaluation: the ETag of the rules with a hash of the context and of
 * the stream token. The web provider of OpenFeature keeps its ETag when another field than
 * `targetingKey` changes, so the service may respond with 304 only if the whole context is the
 * same. A client that gets 304 keeps the URL of its stream, so the token must be the same, too. The
 * token changes when its secret is rotated.
 *
 * Only scalar values count, because an evaluation ignores all others. The order of the fields does
 * not matter.
 */
export function contextEtag(
  rulesEtag: string,
  context: EvaluationContext,
  streamToken = "",
): string {
  const fields = Object.entries(context)
    .filter(([, value]) => value !== null && typeof value !== "object")
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = hash64(encoder.encode(JSON.stringify(fields) + streamToken));
  return `${rulesEtag.slice(0, -1)}-${hash}"`;
}

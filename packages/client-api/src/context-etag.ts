import { murmur3 } from "@feature-flags/evaluation/murmur3";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";

const encoder = new TextEncoder();

/** The seeds of the two hashes, which together have 64 bits. */
const SEEDS = [0, 0x9747b28c] as const;

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
  const bytes = encoder.encode(JSON.stringify(fields) + streamToken);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const hash = SEEDS.map((seed) => hex(murmur3(view, bytes.length, seed))).join("");
  return `${rulesEtag.slice(0, -1)}-${hash}"`;
}

const hex = (hash: number): string => hash.toString(16).padStart(8, "0");

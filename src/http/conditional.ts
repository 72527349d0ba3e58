import type { Context } from "hono";
import { ApiError } from "../core/errors/api-error.ts";

/** Returns the ETag of a row that users edit. The ETag is the version of the row. */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * Returns the versions in the header `If-Match`; undefined when the header is absent or `*`. Entity
 * tags that are not versions are ignored. If no version remains, the write fails with 412 (RFC 9110
 * section 13.1.1).
 * Throws: 400 when a part between commas is not an entity tag.
 */
export function ifMatchVersions(c: Context): readonly number[] | undefined {
  const header = c.req.header("If-Match");
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = header.split(",").map((tag) => tag.trim());
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag)))
    throw new ApiError("BAD_REQUEST", `If-Match must be * or a list of entity tags, such as "3"`);
  // Ignores weak tags such as `W/"3"`, because `If-Match` requires strong comparison.
  return tags.flatMap((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1] ?? []).map(Number);
}

/**
 * Whether the header `If-None-Match` is `*` or contains the ETag, by weak comparison (RFC 9110
 * section 13.1.2).
 */
export function matchesNone(header: string, etag: string): boolean {
  if (header === etag) return true;
  if (header.trim() === "*") return true;
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

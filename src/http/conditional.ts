import type { Context } from "hono";
import { ApiError } from "../core/errors/api-error.ts";

/** Returns the ETag of what users edit: the version of a row, or the hash of a change request. */
export const etagOf = (version: number | string): string => `"${version}"`;

const MALFORMED = `If-Match must be * or a list of entity tags, such as "3"`;

/**
 * Returns the texts of the entity tags in a header `If-Match`. A weak tag counts as the strong tag with
 * its text: a proxy that compresses a response, such as Cloudflare, sends `W/"3"` for `"3"`. The text
 * still names one version exactly. Throws: 400 when a part is not an entity tag.
 */
const tagsOf = (header: string): string[] =>
  header.split(",").map((tag) => {
    const text = /^(?:W\/)?"([^"]*)"$/.exec(tag.trim())?.[1];
    if (text === undefined) throw new ApiError("BAD_REQUEST", MALFORMED);
    return text;
  });

/**
 * Returns the texts in the header `If-Match`, which a request must have here.
 * Throws: 400 without the header, or when a part between commas is not an entity tag.
 */
export function ifMatchTags(c: Context): readonly string[] {
  const header = c.req.header("If-Match");
  if (header === undefined)
    throw new ApiError("BAD_REQUEST", "If-Match must have the entity tag of what you have seen");
  return tagsOf(header);
}

/**
 * Returns the versions in the header `If-Match`; undefined when the header is absent or `*`. Entity tags that
 * are not versions are ignored. If no version remains, the write fails with 412 (RFC 9110 section 13.1.1).
 * Throws: 400 when a part between commas is not an entity tag.
 */
export function ifMatchVersions(c: Context): readonly number[] | undefined {
  const header = c.req.header("If-Match");
  if (header === undefined || header.trim() === "*") return undefined;
  return tagsOf(header)
    .filter((text) => /^\d{1,15}$/.test(text))
    .map(Number);
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

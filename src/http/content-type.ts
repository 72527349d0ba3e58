export const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Returns the media type of a header `Content-Type`, in small letters and without its parameters. White
 * space around a semicolon and empty parameters are allowed (RFC 9110 section 5.6.6).
 */
const mediaTypeOf = (header: string | null | undefined): string =>
  /^[ \t]*([^;]*?)[ \t]*(?:;|$)/.exec(header ?? "")?.[1]?.toLowerCase() ?? "";

/** Whether a body with this header is JSON, also with a suffix, such as `application/merge-patch+json`. */
export const hasJsonType = (header: string | null | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(header));

/** Whether a body with this header is a form whose fields are in a query string. */
export const hasFormType = (header: string | null | undefined): boolean =>
  mediaTypeOf(header) === FORM_TYPE;

const isPlain = (header: string): boolean =>
  /^application\/[a-z-]+(?:; ?charset=utf-8)?$/i.test(header);

/**
 * Returns the request, or a copy with `Content-Type` in its shortest form: Hono's validator does not know
 * all forms of the header. The body must have been read, because the copy has none.
 */
export function withKnownType(request: Request): Request {
  const header = request.headers.get("Content-Type");
  if (header === null || isPlain(header)) return request;
  const type = hasJsonType(header) ? JSON_TYPE : hasFormType(header) ? FORM_TYPE : undefined;
  if (type === undefined) return request;
  const { method, url, signal } = request;
  const headers = new Headers(request.headers);
  headers.set("Content-Type", type);
  return new Request(url, { method, headers, signal });
}

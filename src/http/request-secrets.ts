import { secretsIn } from "../core/logging/secret-names.ts";

/**
 * The headers whose values the log masks. They contain secrets, or free text into which a caller
 * may have put a secret.
 */
const FREE_HEADERS = ["Authorization", "X-API-Key", "Cookie", "User-Agent", "X-Change-Reason"];

/** Matches a path with a secret: the token of a stop URL. */
const SECRET_IN_PATH = /^\/api\/v1\/ramp-stops\/(?<secret>[^/]+)/;

/** The part of a Hono request that `secretsOfRequest` reads. */
export interface SecretBearingRequest {
  readonly raw: Request;
  valid(target: never): unknown;
}

/**
 * Returns the values of a request that may be secret although they do not look like secrets: the
 * headers `FREE_HEADERS`, the token in the path, the values in the query, and the sensitive fields of the
 * validated body. An error may repeat these values, so the log masks them.
 */
export function secretsOfRequest(request: SecretBearingRequest): readonly string[] {
  const { headers, url } = request.raw;
  const { pathname, searchParams } = new URL(url);
  return [
    ...FREE_HEADERS.flatMap((name) => headers.get(name) ?? []),
    ...(SECRET_IN_PATH.exec(pathname)?.slice(1) ?? []),
    ...searchParams.values(),
    ...secretsIn(request.valid("json" as never)),
    ...secretsIn(request.valid("form" as never)),
  ];
}

/** The maximum age of an early response, milliseconds. An older one could be outdated. */
const MAX_AGE_MS = 10_000;

interface EarlyRequest {
  readonly sentAt: number;
  readonly authorization: string;
  readonly response: Promise<Response>;
}

/** The GET requests that are sent but not used yet, by their path with its query. */
const requests = new Map<string, EarlyRequest>();

/**
 * Sends GET requests to the API before the code that needs their responses has loaded, so that the
 * responses arrive while the code loads.
 */
export function sendEarly(paths: readonly string[], accessToken: string): void {
  const authorization = `Bearer ${accessToken}`;
  for (const path of paths) {
    const response = fetch(path, { headers: { Authorization: authorization } });
    // The request is sent again later, and then the error is handled.
    response.catch(() => requests.delete(path));
    requests.set(path, { sentAt: performance.now(), authorization, response });
  }
}

/**
 * Returns the response if the same user has sent the same request with `sendEarly` in the last 10
 * seconds. Returns it only once. Undefined if there is none, or if no response arrived.
 */
export async function takeEarlyResponse(request: Request): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const early = requests.get(path);
  if (!early || request.method !== "GET") return undefined;
  requests.delete(path);
  const isFresh = performance.now() - early.sentAt < MAX_AGE_MS;
  const isSameUser = request.headers.get("Authorization") === early.authorization;
  return isFresh && isSameUser ? early.response.catch(() => undefined) : undefined;
}

/** How much of a refused body is read, bytes: twice the largest body that the service accepts. */
const MAX_DROPPED_BYTES = 16 * 1_048_576;

/** After how long a body that still arrives is given up, milliseconds. */
const MAX_DROP_MS = 5_000;

/**
 * Reads and drops the rest of a request body. Without it, a response that is sent before the body has
 * arrived closes the connection, and a client or proxy that is still sending sees an error instead of
 * the response (RFC 9112 section 9.6).
 */
async function dropBody({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), MAX_DROP_MS);
  try {
    for (let size = 0; size < MAX_DROPPED_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
    }
  } catch {
    // The body cannot be read: the client has left, or somebody has read the body before.
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the response after the rest of the body has arrived, if the response is an error. */
export async function afterBody(
  request: Request,
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer;
  if (response.status >= 400) await dropBody(request);
  return response;
}

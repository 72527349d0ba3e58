import { callWith, watchedDatabase } from "./call-with.ts";
import type { CallOptions } from "./client.ts";

/**
 * Sends a request. Returns its response, and the number of D1 statements of the request and of the
 * work that the Worker does after the response.
 */
export async function countedCall(method: string, path: string, options: CallOptions) {
  let statements = 0;
  const DB = watchedDatabase((count) => {
    statements += count;
  });
  const answer = await callWith({ DB }, method, path, options);
  return { answer, statements };
}

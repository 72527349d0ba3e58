import { env } from "cloudflare:workers";
import { callWith, watchedDatabase } from "./call-with.ts";
import type { CallOptions } from "./client.ts";

/** The real D1 database, and the number of statements that ran since the test set it to 0. */
export function countedDatabase() {
  const counted = { statements: 0, DB: env.DB };
  counted.DB = watchedDatabase((count) => {
    counted.statements += count;
  });
  return counted;
}

/**
 * Sends a request. Returns its response, and the number of D1 statements of the request and of the
 * work that the Worker does after the response.
 */
export async function countedCall(method: string, path: string, options: CallOptions) {
  const counted = countedDatabase();
  const answer = await callWith({ DB: counted.DB }, method, path, options);
  return { answer, statements: counted.statements };
}

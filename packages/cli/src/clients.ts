import { Failure } from "./failure.ts";
import type { Flag } from "./types.ts";

/** Which clients can get a flag: all, or only servers. */
export const CLIENTS = ["all", "server"] as const satisfies readonly Flag["clients"][];

/** Returns which clients an argument names. Throws: a Failure for another word. */
export function clientsIn(text: string): Flag["clients"] {
  const found = CLIENTS.find((one) => one === text);
  if (found !== undefined) return found;
  throw new Failure("usage", `'${text}' is none of ${CLIENTS.join(", ")}`);
}

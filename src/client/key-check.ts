import type { ClientPorts } from "./ports.ts";
import { findKey, type KeyRow } from "./queries.ts";

export interface CheckedKey {
  /** undefined: there is no such key. */
  readonly key: KeyRow | undefined;
  /** A session that starts here is at least as new as the revision of the key. */
  readonly bookmark: string | undefined;
}

/** Asks the database for a key. Errors: the database's. */
export async function askForKey(ports: ClientPorts, hash: string): Promise<CheckedKey> {
  const near = ports.openSession("first-unconstrained");
  const found = await findKey(near, hash);
  if (found) return { key: found, bookmark: near.getBookmark() ?? undefined };
  // A replica may not have heard of a new key yet: only the primary's no is a no.
  const primary = ports.openSession("first-primary");
  const key = (await findKey(primary, hash)) ?? undefined;
  return { key, bookmark: primary.getBookmark() ?? undefined };
}

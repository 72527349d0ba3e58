import {
  createRemoteJWKSet,
  customFetch,
  type ExportedJWKSCache,
  type JWKSCacheInput,
  jwksCache,
} from "jose";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { outgoing } from "./outgoing.ts";
import { keep, kept } from "./text-cache.ts";

/** An unknown key id causes at most one reload of the keys in this time, milliseconds. */
const RELOAD_MS = MINUTE_MS;

/**
 * Calls `use` with the public keys at a URL, which are used again for `maxAgeMs` milliseconds. The
 * keys that `use` has loaded are kept as a text.
 */
export async function withKeys<T>(
  {
    uri,
    allowHttp,
    maxAgeMs,
    now,
  }: {
    readonly uri: string;
    readonly allowHttp: boolean;
    readonly maxAgeMs: number;
    readonly now: number;
  },
  use: (keys: ReturnType<typeof createRemoteJWKSet>) => Promise<T>,
): Promise<T> {
  const key = `key set ${uri}`;
  const cache: JWKSCacheInput = (kept(key, now) as ExportedJWKSCache | undefined) ?? {};
  const keys = createRemoteJWKSet(new URL(uri), {
    [customFetch]: outgoing(allowHttp),
    [jwksCache]: cache,
    cacheMaxAge: maxAgeMs,
    cooldownDuration: RELOAD_MS,
  });
  try {
    return await use(keys);
  } finally {
    if ("uat" in cache && typeof cache.uat === "number") keep(key, cache, cache.uat + maxAgeMs);
  }
}

import { Buffer } from "node:buffer";
import { QUOTAS, type Quotas } from "../management/deps.ts";
import type { TokenSettings } from "../management/auth/tokens.ts";
import { normalizeEmail } from "../management/auth/queries.ts";

/** RFC 7518 section 3.2: a key for HS256 is at least as long as its hash. */
const MIN_SECRET_BYTES = 32;

const ENCRYPTION_KEY_BYTES = 32;

const MINUTE_S = 60;
const DAY_MS = 86_400_000;

export interface Settings {
  readonly tokens: TokenSettings;
  readonly quotas: Quotas;
  readonly bootstrap: { readonly email: string; readonly password: string } | undefined;
  readonly dashboardOrigins: readonly string[];
  /** 32 bytes: AES-256. */
  readonly encryptionKey: Uint8Array<ArrayBuffer>;
  readonly mailFrom: string;
  /** Where the dashboard is; undefined: where the request came to. */
  readonly publicUrl: string | undefined;
}

/** The service must not serve with such settings; the message says why, and names no secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Reads and checks the variables. Errors: `SettingsError`. */
export function readSettings(env: Env): Settings {
  // Wrangler checks the required secrets at a deploy; at run time they may still be missing.
  const secrets: Partial<Env> = env;
  const secret = new TextEncoder().encode(secrets.SERVICE_JWT_SECRET ?? "");
  if (secret.length < MIN_SECRET_BYTES)
    throw new SettingsError(`SERVICE_JWT_SECRET must have at least ${MIN_SECRET_BYTES} bytes`);
  const encryptionKey = new Uint8Array(Buffer.from(secrets.SERVICE_ENCRYPTION_KEY ?? "", "base64"));
  if (encryptionKey.length !== ENCRYPTION_KEY_BYTES)
    throw new SettingsError(
      `SERVICE_ENCRYPTION_KEY must be ${ENCRYPTION_KEY_BYTES} bytes in base64`,
    );
  const email = normalizeEmail(secrets.BOOTSTRAP_ADMIN_EMAIL ?? "");
  const password = secrets.BOOTSTRAP_ADMIN_PASSWORD ?? "";
  return {
    tokens: {
      secret,
      accessTtlSeconds: positive(env, "SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES") * MINUTE_S,
      refreshTtlMs: positive(env, "SERVICE_JWT_REFRESH_TOKEN_TTL_DAYS") * DAY_MS,
    },
    quotas: Object.fromEntries(
      Object.entries(QUOTAS).map(([name, standard]) => [name, quota(env, name, standard)]),
    ) as Quotas,
    bootstrap: email !== "" && password !== "" ? { email, password } : undefined,
    encryptionKey,
    mailFrom: env.MAIL_FROM,
    publicUrl: env.PUBLIC_URL === "" ? undefined : env.PUBLIC_URL,
    dashboardOrigins: env.DASHBOARD_ORIGINS.split(",").flatMap((origin) => origin.trim() || []),
  };
}

function positive(env: Env, name: keyof Env): number {
  const value = Number(env[name]);
  if (!(value > 0)) throw new SettingsError(`${name} must be a positive number`);
  return value;
}

function quota(env: Env, name: string, standard: number): number {
  const text = (env as unknown as Record<string, unknown>)[`QUOTA_${name}`];
  const value = text === undefined ? standard : Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new SettingsError(`QUOTA_${name} must be a whole number`);
  return value;
}

import { Buffer } from "node:buffer";
import { ApiError } from "../../core/errors/api-error.ts";
import { publicUrlError } from "../../core/lib/public-url.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { QUOTAS, type Quotas } from "../../db/quota.ts";
import { type LogSettings, readThreshold, type Threshold } from "../../http/log.ts";
import type { TokenSettings } from "../../access/jwt.ts";
import type { EncryptionKeys } from "./vault.ts";
import { normalizeEmail } from "../../core/lib/email.ts";

/**
 * The minimum size of the JWT secret in bytes. A key for HS256 must be at least as long as the hash
 * (RFC 7518 section 3.2).
 */
const MIN_SECRET_BYTES = 32;

const ENCRYPTION_KEY_BYTES = 32;

/** The issuer of tokens when `PUBLIC_URL` is not set, as on a developer's machine. */
const DEFAULT_ISSUER = "feature-flags";

const MINUTE_S = 60;

/** The most WebSockets that the platform lets a Durable Object hold. */
const MAX_STREAMS_PER_LEAF = 32_768;

/** The least time between two writes of a usage object to its storage, in flush intervals. */
const SAVE_FLUSHES = 2;

/**
 * How long isolates may add usage up at most, seconds. Work after a response ends after 30 s, and
 * within this time the isolate collects usage and a usage object stores it.
 */
const MAX_USAGE_FLUSH_SECONDS = 5;
const MAX_USAGE_SHARDS = 64;

/** The limits of the interval that the service tells SDKs, seconds. SDKs accept no others. */
const USAGE_REPORT_SECONDS = { least: 10, most: 3_600 };

export interface Settings {
  readonly tokens: TokenSettings;
  readonly quotas: Quotas;
  /** How long audit records are kept, milliseconds; undefined: without limit. */
  readonly auditRetentionMs: number | undefined;
  readonly bootstrap: { readonly email: string; readonly password: string } | undefined;
  readonly dashboardOrigins: readonly string[];
  /** The encryption keys. The first key encrypts; all keys decrypt. */
  readonly encryptionKeys: EncryptionKeys;
  readonly mailFrom: string;
  /**
   * The base URL of the dashboard for links in e-mails. Undefined when `PUBLIC_URL` is not set: the links
   * then use the origin of the request if its host is this machine, and the e-mail of a job has no link.
   */
  readonly publicUrl: string | undefined;
  readonly webhooks: {
    /** The delay before the second attempt at a webhook delivery, seconds. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
  };
  /** The most event streams that a leaf holds; 0: the service offers no streams. */
  readonly streamsPerLeaf: number;
  readonly usage: {
    /** How long an isolate adds usage up before it sends it, milliseconds. */
    readonly flushMs: number;
    /** The least time between two writes of a usage object to its storage, milliseconds. */
    readonly saveMs: number;
    /** Over how many usage objects the environments of a project are spread. */
    readonly shards: number;
    /** How often an SDK with an open stream reports usage, seconds. */
    readonly reportSeconds: number;
  };
  readonly logs: Pick<LogSettings, "app" | "root">;
  /** The share of traces to sample when the caller makes no sampling decision, 0 to 1. */
  readonly samplingProbability: number;
}

/**
 * The error for invalid settings. Requests to the management API and the client API then get a 503.
 * The message names the invalid variable, not its value.
 */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

let settingsOf: { readonly env: Env; readonly settings: Settings } | undefined;

/**
 * Returns the checked settings, which are read once per environment object. Throws:
 * `SettingsError`.
 */
export function settings(env: Env): Settings {
  if (settingsOf?.env !== env) settingsOf = { env, settings: readSettings(env) };
  return settingsOf.settings;
}

/**
 * Checks the settings that `read` reads; by default, those of every part of the service. Throws: 503
 * when a setting is invalid, for example when a secret is missing.
 */
export function assertConfigured(env: Env, read: (env: Env) => unknown = settings): void {
  try {
    read(env);
  } catch (error) {
    if (error instanceof SettingsError) throw new ApiError("SERVICE_UNAVAILABLE", error.message);
    throw error;
  }
}

/** Reads and checks the variables of the Worker. Throws: `SettingsError`. */
function readSettings(env: Env): Settings {
  // Reads required secrets as optional: Wrangler checks them when it deploys, but they may be
  // missing at run time.
  const secrets: Secrets = env as Secrets;
  const email = normalizeEmail(secrets.BOOTSTRAP_ADMIN_EMAIL ?? "");
  const password = secrets.BOOTSTRAP_ADMIN_PASSWORD ?? "";
  return {
    tokens: {
      secrets: withPrevious(jwtSecret, secrets, "SERVICE_JWT_SECRET"),
      issuer: publicUrl(env) ?? DEFAULT_ISSUER,
      accessTtlSeconds: positive(env, "SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES") * MINUTE_S,
      refreshTtlMs: positive(env, "SERVICE_JWT_REFRESH_TOKEN_TTL_DAYS") * DAY_MS,
    },
    quotas: Object.fromEntries(
      Object.entries(QUOTAS).map(([name, limit]) => [name, quota(env, name, limit)]),
    ) as Quotas,
    auditRetentionMs: auditRetention(env),
    bootstrap: email !== "" && password !== "" ? { email, password } : undefined,
    encryptionKeys: withPrevious(encryptionKey, secrets, "SERVICE_ENCRYPTION_KEY"),
    mailFrom: env.MAIL_FROM,
    publicUrl: publicUrl(env),
    webhooks: {
      retryBaseSeconds: atLeast(0, env, "WEBHOOK_RETRY_BASE_SECONDS"),
      allowHttp: env.WEBHOOK_ALLOW_HTTP === "true",
    },
    streamsPerLeaf: streamsPerLeaf(env),
    usage: usage(env),
    logs: {
      app: threshold(env, "LOGGING_LEVEL_APP"),
      root: threshold(env, "LOGGING_LEVEL_ROOT"),
    },
    samplingProbability: probability(env, "MANAGEMENT_TRACING_SAMPLING_PROBABILITY"),
    dashboardOrigins: env.DASHBOARD_ORIGINS.split(",").flatMap((origin) => origin.trim() || []),
  };
}

/** The variables of the Worker together with the optional secrets, which Wrangler's types lack. */
type Secrets = Partial<Env> & { readonly [name: `${string}_PREVIOUS`]: string | undefined };

/**
 * Returns the value of a secret, followed by the previous value when `<name>_PREVIOUS` is set.
 * Throws: `SettingsError` for a value that `read` rejects.
 */
function withPrevious<T>(
  read: (name: string, text: string) => T,
  secrets: Secrets,
  name: "SERVICE_JWT_SECRET" | "SERVICE_ENCRYPTION_KEY",
): readonly [T, ...T[]] {
  const previous = secrets[`${name}_PREVIOUS`] ?? "";
  const current = read(name, secrets[name] ?? "");
  return previous === "" ? [current] : [current, read(`${name}_PREVIOUS`, previous)];
}

function jwtSecret(name: string, text: string): Uint8Array {
  const secret = new TextEncoder().encode(text);
  if (secret.length < MIN_SECRET_BYTES)
    throw new SettingsError(`${name} must have at least ${MIN_SECRET_BYTES} bytes`);
  return secret;
}

function encryptionKey(name: string, text: string): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(Buffer.from(text, "base64"));
  if (key.length !== ENCRYPTION_KEY_BYTES)
    throw new SettingsError(`${name} must be ${ENCRYPTION_KEY_BYTES} bytes in base64`);
  return key;
}

function publicUrl({ PUBLIC_URL: text }: Env): string | undefined {
  if (text === "") return undefined;
  const error = publicUrlError(text);
  if (error !== undefined) throw new SettingsError(`PUBLIC_URL ${error}`);
  return text;
}

function positive(env: Env, name: keyof Env): number {
  const value = Number(env[name]);
  if (!(value > 0)) throw new SettingsError(`${name} must be a positive number`);
  return value;
}

function atLeast(least: number, env: Env, name: keyof Env): number {
  const value = Number(env[name]);
  if (!(value >= least)) throw new SettingsError(`${name} must be a number of at least ${least}`);
  return value;
}

/**
 * Returns the value of a variable, or `fallback` when the variable is missing. A deployment with
 * its own wrangler.toml may lack the log levels and the sampling probability.
 */
export const variable = (env: Env, name: keyof Env, fallback: string): string =>
  (env as unknown as Partial<Record<keyof Env, string>>)[name] ?? fallback;

function auditRetention(env: Env): number | undefined {
  const days = Number(variable(env, "AUDIT_RETENTION_DAYS", "0"));
  if (!Number.isInteger(days) || days < 0)
    throw new SettingsError(
      "AUDIT_RETENTION_DAYS must be a whole number of days; 0 keeps all records",
    );
  return days === 0 ? undefined : days * DAY_MS;
}

function streamsPerLeaf(env: Env): number {
  const limit = Number(variable(env, "STREAMS_PER_LEAF", "5000"));
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_STREAMS_PER_LEAF)
    throw new SettingsError(
      `STREAMS_PER_LEAF must be a whole number up to ${MAX_STREAMS_PER_LEAF}; 0 turns streams off`,
    );
  return limit;
}

function usage(env: Env): Settings["usage"] {
  const flushMs = usageFlushSeconds(env) * 1000;
  const reportSeconds = usageReportSeconds(env);
  return { flushMs, saveMs: SAVE_FLUSHES * flushMs, shards: usageShards(env), reportSeconds };
}

function usageReportSeconds(env: Env): number {
  const seconds = Number(variable(env, "USAGE_REPORT_SECONDS", "300"));
  const { least, most } = USAGE_REPORT_SECONDS;
  if (!Number.isInteger(seconds) || seconds < least || seconds > most)
    throw new SettingsError(`USAGE_REPORT_SECONDS must be a whole number from ${least} to ${most}`);
  return seconds;
}

function usageFlushSeconds(env: Env): number {
  const seconds = Number(variable(env, "USAGE_FLUSH_SECONDS", "5"));
  if (!(seconds > 0 && seconds <= MAX_USAGE_FLUSH_SECONDS))
    throw new SettingsError(
      `USAGE_FLUSH_SECONDS must be a number above 0 and up to ${MAX_USAGE_FLUSH_SECONDS}`,
    );
  return seconds;
}

function usageShards(env: Env): number {
  const shards = Number(variable(env, "USAGE_SHARDS", "1"));
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_USAGE_SHARDS)
    throw new SettingsError(`USAGE_SHARDS must be a whole number from 1 to ${MAX_USAGE_SHARDS}`);
  return shards;
}

function threshold(env: Env, name: keyof Env): Threshold {
  const read = readThreshold(variable(env, name, "INFO"));
  if (!read) throw new SettingsError(`${name} must be DEBUG, INFO, WARN, ERROR or OFF`);
  return read;
}

function probability(env: Env, name: keyof Env): number {
  const text = variable(env, name, "1.0").trim();
  const value = Number(text);
  if (text === "" || !(value >= 0 && value <= 1))
    throw new SettingsError(`${name} must be a number from 0.0 to 1.0`);
  return value;
}

function quota(env: Env, name: string, fallback: number): number {
  const text = (env as unknown as Record<string, unknown>)[`QUOTA_${name}`];
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new SettingsError(`QUOTA_${name} must be a whole number`);
  return value;
}

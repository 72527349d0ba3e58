import { Secret, TOTP } from "otpauth";

const ISSUER = "Feature Flags";

/** The parameters of time-based one-time passwords (RFC 6238) that authenticator apps use by default. */
const PERIOD_SECONDS = 30;
const PARAMETERS = { issuer: ISSUER, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS };

/**
 * The number of time steps before and after the current one whose codes are also accepted, because
 * clocks differ (RFC 6238 section 5.2).
 */
const WINDOW_STEPS = 1;

const RECOVERY_CODES = 10;

const totp = (secret: string, label: string) =>
  new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });

/** Returns 160 random bits in base32: the length of a secret that RFC 4226 section 4 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the `otpauth` URL, which an authenticator app reads from a QR code. */
export const otpauthUrl = (secret: string, email: string): string => totp(secret, email).toString();

/**
 * Returns the time step of a valid code of the authenticator app; undefined for an invalid code.
 * `now` is in epoch milliseconds.
 */
export function matchedStep(secret: string, code: string, now: number): number | undefined {
  const delta = totp(secret, "").validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  const current = Math.floor(now / 1000 / PERIOD_SECONDS);
  return delta === null ? undefined : current + delta;
}

/** Returns ten recovery codes of 60 random bits each, formatted as `xxxx-xxxx-xxxx` in base32. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: 10 }).base32
      .slice(0, 12)
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, "$1-"),
  );

/** Returns a typed code or recovery code in lower case, without spaces and dashes. */
export const normalizeCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, "");

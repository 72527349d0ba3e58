import { Secret, TOTP } from "otpauth";

const ISSUER = "Feature Flags";

/** RFC 6238 as authenticator apps expect it. */
const PERIOD_SECONDS = 30;
const PARAMETERS = { issuer: ISSUER, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS };

/** One step to either side, for clocks that are off (RFC 6238 section 5.2). */
const WINDOW_STEPS = 1;

const RECOVERY_CODES = 10;

const totp = (secret: string, label: string) =>
  new TOTP({ ...PARAMETERS, label, secret: Secret.fromBase32(secret) });

/** 160 random bits, base32: RFC 4226 section 4 recommends that length. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** What an authenticator app scans. */
export const otpauthUrl = (secret: string, email: string): string => totp(secret, email).toString();

/** The time step that the code belongs to; undefined when it is wrong. `now` in epoch milliseconds. */
export function matchedStep(secret: string, code: string, now: number): number | undefined {
  const delta = totp(secret, "").validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  const current = Math.floor(now / 1000 / PERIOD_SECONDS);
  return delta === null ? undefined : current + delta;
}

/** Ten codes of 60 random bits, `xxxx-xxxx-xxxx` in base32. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: 10 }).base32
      .slice(0, 12)
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, "$1-"),
  );

/** One spelling for what people type: lower case, no blanks or dashes. */
export const normalizeCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, "");

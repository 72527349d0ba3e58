import { loadCode } from "../load-code.ts";

/** Whether the browser can make and use passkeys. It cannot on pages without TLS. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** Loads the code that passes passkeys between the browser and the service. Throws: ApiError. */
export const loadPasskeys = () => loadCode(() => import("@simplewebauthn/browser"));

const hasName = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** Whether the user has closed the dialog of the browser, or has waited too long. */
export const isCancelled = (error: unknown): boolean =>
  hasName(error, "NotAllowedError", "AbortError");

/** Whether the authenticator already has a passkey of the user. */
export const isKnownToAuthenticator = (error: unknown): boolean =>
  hasName(error, "InvalidStateError");

/** Whether the browser makes no passkeys for the address of the page, such as an IP address. */
export const isWrongAddress = (error: unknown): boolean => hasName(error, "SecurityError");

/**
 * The key of the device token in localStorage. The token stays when the user signs out: with it,
 * the service recognises this browser, and wrong passwords of strangers do not lock the user out
 * here. The token opens nothing. The browser keeps the token of its last user.
 */
const KEY = "feature-flags.device";

/** Returns the stored device token as a part of the body of a login; empty if there is none. */
export function storedDevice(): { deviceToken?: string } {
  const deviceToken = localStorage.getItem(KEY);
  return deviceToken === null ? {} : { deviceToken };
}

/** Stores the device token in the response to a sign-in or a password reset. */
export function storeDevice({ deviceToken }: { deviceToken?: string | undefined }): void {
  if (deviceToken !== undefined) localStorage.setItem(KEY, deviceToken);
}

/** Returns the request header with the reason for a change; nothing for an empty reason. */
export const reasonHeader = (reason: string): { "X-Change-Reason"?: string } =>
  reason.trim() === "" ? {} : { "X-Change-Reason": headerText(reason.trim()) };

/**
 * Encodes a text for a request header: each UTF-8 byte becomes one character, because `fetch`
 * rejects header characters beyond Latin-1.
 */
const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

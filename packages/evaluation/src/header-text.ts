/**
 * Encodes a text for a request header: each UTF-8 byte becomes one character, because `fetch` rejects
 * header characters beyond Latin-1.
 */
export const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

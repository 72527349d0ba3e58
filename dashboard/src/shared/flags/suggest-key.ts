/** The pattern that the API requires of flag keys. */
export const FLAG_KEY = /^[A-Za-z0-9._:-]{1,128}$/;
const MAX_LENGTH = 128;

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/**
 * Derives a flag key from a name. For example, `Größe, neu` becomes `grosse-neu`. A name in another
 * script becomes a key such as `flag-1c0wmh`, which is always the same for the name. Empty if the
 * name has no letter and no digit.
 */
export function suggestKey(name: string): string {
  const key = name
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, "");
  return key === "" && /[\p{Letter}\p{Number}]/u.test(name) ? `flag-${hash(name.trim())}` : key;
}

/** The 32-bit FNV-1a hash of a text, in base 36. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(36);
}

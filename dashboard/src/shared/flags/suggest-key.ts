/** The pattern that the API requires of flag keys. */
export const FLAG_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;
const MAX_LENGTH = 128;

const ASCII = /^[\0-\x7F]*$/;

/**
 * Derives a flag key from a name. For example, `Größe, neu` becomes `groesse-neu`, and `Новая
 * корзина` becomes `novaya-korzina`. A name in a script without known transliteration becomes a key
 * such as `flag-1c0wmh`, which is always the same for the name. Empty if the name has no letter and
 * no digit.
 */
export async function suggestKey(name: string): Promise<string> {
  const key = (await inLatinLetters(name))
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, "");
  return key === "" && /[\p{Letter}\p{Number}]/u.test(name) ? `flag-${hash(name.trim())}` : key;
}

/** The transliteration loads when a name needs it. The name stays as it is if that fails. */
async function inLatinLetters(name: string): Promise<string> {
  if (ASCII.test(name)) return name;
  try {
    return (await import("@sindresorhus/transliterate")).default(name);
  } catch {
    return name;
  }
}

/** The 32-bit FNV-1a hash of a text, in base 36. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(36);
}

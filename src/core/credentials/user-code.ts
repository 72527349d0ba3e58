/**
 * The letters of user codes (RFC 8628, section 6.1): consonants, so that no code is a word. The 20
 * letters give 25.6 billion codes.
 */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

const FORM = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** The least byte that no letter gets, so that all letters are equally likely. */
const END_OF_BYTES = 256 - (256 % LETTERS.length);

/** Returns a random user code of 8 letters, without the dash. */
export function newUserCode(): string {
  let code = "";
  while (code.length < LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < END_OF_BYTES && code.length < LENGTH) code += LETTERS[byte % LETTERS.length];
  return code;
}

/** Returns a user code as people read it, such as `WDJB-MJHT`. */
export const shownUserCode = (code: string): string =>
  `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/**
 * Returns the user code that somebody has typed, in capital letters and without the dash and spaces;
 * undefined for a text that is no user code.
 */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[-–\s]/g, "");
  return FORM.test(code) ? code : undefined;
}

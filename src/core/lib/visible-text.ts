/**
 * Characters that nobody sees: control characters, line separators, and what Unicode calls default
 * ignorable, such as a zero-width space, a soft hyphen, a Hangul filler, a tag character or an
 * override of the text's direction. U+2800 is a blank Braille pattern.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The scripts in which a joiner or non-joiner changes how a word is written, by ISO 15924 code. */
const SCRIPTS = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr";
const LETTER = `[[\\p{L}\\p{M}]&&[${SCRIPTS.replaceAll(/(\w+) ?/g, String.raw`\p{scx=$1}`)}]]`;

/**
 * What changes how the characters before it look: the parts of an emoji that people can choose, a
 * joiner or non-joiner after a letter, a variation selector after a Han character, and U+FE0E, which
 * asks for an emoji as text. Digits are emojis, too, but look the same with it.
 */
const NEEDED = new RegExp(
  [
    String.raw`\p{RGI_Emoji}`,
    `(?<=${LETTER})[\\u200c\\u200d]`,
    String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=[\p{Emoji}--\p{ASCII}])\ufe0e`,
  ].join("|"),
  "gv",
);

/**
 * Returns whether a text has a character that nobody sees, and that no emoji and no script needs. Two
 * such texts can look the same.
 */
export const hasInvisible = (text: string): boolean =>
  INVISIBLE.test(text) && INVISIBLE.test(text.replaceAll(NEEDED, ""));

/** What `NEEDED` describes, or else one character that nobody sees. */
const NEEDED_OR_INVISIBLE = new RegExp(
  `(${NEEDED.source})|(?![\\t\\n\\r])${INVISIBLE.source}`,
  "gv",
);

/**
 * Returns a text without the characters that nobody sees and that no emoji and no script needs. Tabs and
 * line breaks stay.
 */
export const withoutInvisible = (text: string): string =>
  INVISIBLE.test(text)
    ? text.replaceAll(NEEDED_OR_INVISIBLE, (_, needed?: string) => needed ?? "")
    : text;

import { describe, expect, it } from "vitest";
import { hasInvisible } from "../../../src/core/lib/visible-text.ts";

describe("hasInvisible", () => {
  it.each([
    ["NUL", "a\0b"],
    ["a line separator", "a\u2028b"],
    ["a right-to-left override", "a\u202eb"],
    ["a zero-width space", "a\u200bb"],
    ["a soft hyphen", "a\u00adb"],
    ["a word joiner", "a\u2060b"],
    ["a Hangul filler", "a\u3164b"],
    ["a half-width Hangul filler", "\uffa0"],
    ["a Khmer inherent vowel", "a\u17b4"],
    ["a Mongolian variation selector", "a\u180bb"],
    ["a byte order mark", "\ufeffa"],
    ["a blank Braille pattern", "\u2800"],
    ["a tag character", "a\u{e0061}b"],
    ["tag characters that are no flag", "\u{1f3f4}\u{e0078}\u{e0079}\u{e007f}"],
    ["a variation selector after a letter", "a\ufe0fb"],
    ["a variation selector supplement", "a\u{e0100}b"],
    ["a joiner between Latin letters", "a\u200db"],
    ["a joiner between emojis that form none", "😀\u200d😀"],
    ["a non-joiner at the start", "\u200cمی"],
    ["two non-joiners", "می\u200c\u200cخواهم"],
    ["a joiner after an emoji that follows a letter", "क😀\u200d"],
    ["two variation selectors after a Han character", "葛\u{e0100}\u{e0101}"],
    ["a text presentation of a digit", "1\ufe0e"],
    ["a text presentation of a letter", "a\ufe0e"],
  ])("returns true for %s", (_, text) => {
    expect(hasInvisible(text)).toBe(true);
  });

  it.each([
    ["Latin letters with accents", "Café crème — n° 5"],
    ["an accent of its own", "cafe\u0301"],
    ["a no-break space", "a\u00a0b"],
    ["Persian with a non-joiner", "می\u200cخواهم"],
    ["Persian with a joiner at the end of a word", "ه\u200d.ق"],
    ["Malayalam with a joiner at the end", "അവന്\u200d"],
    ["a Han character with a variation selector", "葛\u{e0100}城"],
    ["a telephone as text", "☎\ufe0e 110"],
    ["Sinhala with a joiner", "ශ්\u200dරී"],
    ["Hindi with a non-joiner", "क्\u200cष"],
    ["a family", "👨\u200d👩\u200d👧"],
    ["a heart with its variation selector", "❤\ufe0f launch"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["the flag of England", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
    ["a skin tone", "👍🏽"],
  ])("returns false for %s", (_, text) => {
    expect(hasInvisible(text)).toBe(false);
  });
});

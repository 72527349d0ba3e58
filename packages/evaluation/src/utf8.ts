/** A text in UTF-8. */
export interface Utf8 {
  /** The bytes of the text, and then at least four zeros: the last bytes can be read as a word. */
  readonly view: DataView;
  /** The number of bytes of the text. */
  readonly length: number;
}

const encoder = new TextEncoder();

/** The longest text that fits into the first buffer, in characters: longer than usual ids. */
const USUAL_LENGTH = 80;

/** The longest text that is kept, in characters: the longest value of a context in a request. */
const LONGEST_KEPT = 4096;

/** The most bytes in UTF-8 of one character of a JavaScript text. */
const CHARACTER_BYTES = 3;

const PADDING = 4;

/** The newest text, and its bytes in a buffer that all texts share. */
let newest = "";
let bytes = new Uint8Array(USUAL_LENGTH * CHARACTER_BYTES + PADDING);
let utf8 = { view: new DataView(bytes.buffer), length: 0 };

/**
 * Returns a text in UTF-8. The result is valid until the next call. A lone surrogate becomes U+FFFD,
 * because `TextEncoder` encodes it so. The same text as in the last call is not encoded again: the
 * flags that are checked for one user hash the same id.
 */
export function utf8Of(text: string): Utf8 {
  if (text.length > LONGEST_KEPT) return encoded(text);
  if (text !== newest) {
    reserve(text.length * CHARACTER_BYTES + PADDING);
    utf8.length = writeAscii(text) ? text.length : encoder.encodeInto(text, bytes).written;
    utf8.view.setInt32(utf8.length, 0);
    newest = text;
  }
  return utf8;
}

/** Encodes a text into a buffer of its own, so that no long text stays in memory. */
function encoded(text: string): Utf8 {
  const whole = new Uint8Array(text.length * CHARACTER_BYTES + PADDING);
  const { written: length } = encoder.encodeInto(text, whole);
  return { view: new DataView(whole.buffer), length };
}

function reserve(length: number): void {
  if (length <= bytes.length) return;
  bytes = new Uint8Array(length);
  utf8 = { view: new DataView(bytes.buffer), length: 0 };
}

/**
 * Writes an ASCII text, which most ids are, four characters at a time. Returns false for another text.
 * In Workers, `encodeInto` takes three times as long.
 */
function writeAscii(text: string): boolean {
  const { view } = utf8;
  const { length } = text;
  const tailAt = length & ~3;
  let seen = 0;
  for (let i = 0; i < tailAt; i += 4) {
    const first = text.charCodeAt(i);
    const second = text.charCodeAt(i + 1);
    const third = text.charCodeAt(i + 2);
    const fourth = text.charCodeAt(i + 3);
    seen |= first | second | third | fourth;
    view.setInt32(i, first | (second << 8) | (third << 16) | (fourth << 24), true);
  }
  for (let i = tailAt; i < length; i++) {
    const code = text.charCodeAt(i);
    seen |= code;
    view.setUint8(i, code);
  }
  return seen < 0x80;
}

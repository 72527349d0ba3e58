/**
 * A decimal number: a double, or an exact number that no double holds. A double stands for its shortest
 * decimal text, so a double holds 0.1, and none holds 9007199254740993.
 */
export type Decimal = number | ExactDecimal;

/** A number as `digits × 10^exponent`. `digits` has no zero at its start and its end; of zero, "". */
interface Parts {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

interface ExactDecimal {
  /** The nearest double. */
  readonly nearest: number;
  readonly parts: Parts;
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** As `DECIMAL`, with groups, which take time. */
const PARTS = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A double holds every decimal number with this many digits, unless it is subnormal (IEEE 754). */
const SAFE_LENGTH = 15;
const SMALLEST_NORMAL = 2.3e-308;

/**
 * Reads a decimal text, such as `-1.5e3`. Returns undefined for another text, and for a number above
 * the largest double. Takes linear time.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const nearest = Number(text);
  if (!Number.isFinite(nearest)) return undefined;
  if (text.length <= SAFE_LENGTH && Math.abs(nearest) >= SMALLEST_NORMAL) return nearest;
  const parts = partsOf(text);
  return keyOf(parts) === keyOf(partsOf(String(nearest))) ? nearest : { nearest, parts };
}

/** Returns a value that is the same for all texts of a number, and different for other numbers. */
export const decimalKey = (decimal: Decimal): number | string =>
  typeof decimal === "number" ? decimal : keyOf(decimal.parts);

/** Compares two numbers as in `Array.prototype.sort`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  // Rounding keeps the order, so only numbers with the same nearest double need their digits.
  return nearestOf(a) - nearestOf(b) || compareParts(exactOf(a), exactOf(b));
}

/** Returns the nearest double. */
export const nearestOf = (decimal: Decimal): number =>
  typeof decimal === "number" ? decimal : decimal.nearest;

const exactOf = (decimal: Decimal): Parts =>
  typeof decimal === "number" ? partsOf(String(decimal)) : decimal.parts;

/** `text`: matches `DECIMAL`. */
function partsOf(text: string): Parts {
  const [, sign, whole = "", fraction = "", exponent = "0"] = PARTS.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = withoutZerosAtEnd(all);
  return {
    isNegative: sign === "-" && digits !== "",
    digits,
    exponent: digits === "" ? 0 : Number(exponent) - fraction.length + all.length - digits.length,
  };
}

/** A regular expression would take quadratic time for many zeros within the digits. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

const keyOf = ({ isNegative, digits, exponent }: Parts): string =>
  `${isNegative ? "-" : ""}${digits}e${exponent}`;

const signOf = ({ digits, isNegative }: Parts): number => (digits === "" ? 0 : isNegative ? -1 : 1);

function compareParts(a: Parts, b: Parts): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign - signOf(b);
  const byLength = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  return sign * (byLength || textOrder(a.digits, b.digits));
}

/** Compares two texts by their code units, as in `Array.prototype.sort`. */
export const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

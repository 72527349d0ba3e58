import * as fc from "fast-check";
import { isRounded } from "@feature-flags/file/rounded";
import { inexactNumber, parseWithDigits } from "@feature-flags/evaluation/json-numbers";
import { describe, expect, it } from "vitest";

const LONG = "9007199254740993";

describe("a number in a file", () => {
  it.each([LONG, `-${LONG}`, `${LONG}.0`, `.${LONG}123`, "0x20000000000001", "1e-400", "1e400"])(
    "is rounded if no double holds it: %s",
    (source) => expect(isRounded(source)).toBe(true),
  );

  it.each(["1", "-1.50", "+1", ".5", "5.", "5.e3", "0x1F", "0o17", "1e23", ".inf", "-.NaN", "0.0"])(
    "is not rounded if a double holds it: %s",
    (source) => expect(isRounded(source)).toBe(false),
  );
});

describe("a JSON text", () => {
  it.each([
    [`[1, -${LONG}]`, `-${LONG}`],
    [`{"a": ${LONG}e0}`, `${LONG}e0`],
    [`["\\\\", ${LONG}]`, LONG],
    [`["\\"", "${LONG}"]`, undefined],
    [`["\\\\\\" ${LONG}"]`, undefined],
    ['[1e5, 0.1, "2", 12345678901234567890000]', "12345678901234567890000"],
  ])("%s has the rounded number %s", (json, number) => {
    expect(inexactNumber(json)).toBe(number);
  });

  it("is parsed as by JSON.parse if it was made by JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(inexactNumber(json)).toBeUndefined();
        expect(parseWithDigits(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it("keeps the digits of a number as a text, and the key __proto__ as a plain key", () => {
    const parsed = parseWithDigits(`{"__proto__": {"a": ${LONG}}, "b": [1.5]}`);
    expect(JSON.stringify(parsed)).toBe(`{"__proto__":{"a":"${LONG}"},"b":[1.5]}`);
  });
});

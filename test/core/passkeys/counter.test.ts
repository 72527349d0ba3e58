import { expect, it } from "vitest";
import { isCounterRegression } from "../../../src/core/passkeys/counter.ts";

it.each([
  { stored: 0, sent: 0, regresses: false },
  { stored: 0, sent: 1, regresses: false },
  { stored: 5, sent: 6, regresses: false },
  { stored: 5, sent: 5, regresses: true },
  { stored: 5, sent: 4, regresses: true },
  { stored: 5, sent: 0, regresses: true },
])("says whether a counter of $sent after $stored is a regression: $regresses", (one) => {
  expect(isCounterRegression(one.stored, one.sent)).toBe(one.regresses);
});

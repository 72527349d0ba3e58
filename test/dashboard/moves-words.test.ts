import { describe, expect, it } from "vitest";
import { messages } from "../../dashboard/src/shared/i18n/en/index.ts";
import { formatsOf } from "../../dashboard/src/shared/i18n/formats.ts";
import { createTranslation } from "../../dashboard/src/shared/i18n/translate.ts";
import { movesWords } from "../../dashboard/src/shared/strategy/moves-words.ts";
import type {
  RuleSettings,
  StrategyContent,
} from "../../dashboard/src/shared/strategy/settings.ts";

const { t, add } = createTranslation("en", "en");
add(messages);
const words = { t, ...formatsOf("en"), segmentName: () => "Beta testers" };

const EVERYONE: RuleSettings = {
  name: null,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  stickiness: null,
  hashKey: null,
  serve: { variant: "on" },
  splitKey: null,
  splitStickiness: null,
};
const COUNTRY: Partial<RuleSettings> = {
  constraints: [{ field: "country", operator: "in", values: ["DE", "AT"], contextType: "string" }],
};
const strategy = (
  fields: Partial<RuleSettings>,
  ...rules: Partial<RuleSettings>[]
): StrategyContent => ({
  ...EVERYONE,
  ...fields,
  rules: rules.map((rule) => Object.assign({ ...EVERYONE }, rule)),
});

describe("the words for users who get another value", () => {
  const half = { exactPercentage: 50 };
  const beta = { segmentIds: [1], serve: { variant: "off" } };

  it("name a share of those who meet the conditions of the last rule, if only its percentage changes", () => {
    const before = strategy({ ...COUNTRY, exactPercentage: 22.5 });
    expect(movesWords(words, 0.275, before, strategy({ ...COUNTRY, ...half }))).toBe(
      "27.5% of users where country is one of DE, AT get a different value.",
    );
    const rules = strategy({ ...COUNTRY, exactPercentage: 22.5 }, beta);
    expect(movesWords(words, 0.275, rules, strategy({ ...COUNTRY, ...half }, beta))).toBe(
      "At most 27.5% of users where country is one of DE, AT get a different value.",
    );
  });

  it("name the users of a rule that is added or removed", () => {
    const text = "Users who are in Beta testers may get a different value.";
    expect(movesWords(words, 1, strategy({}), strategy({}, beta))).toBe(text);
    expect(movesWords(words, 1, strategy({}, COUNTRY, beta), strategy({}, COUNTRY))).toBe(text);
  });

  it("name no users if the conditions change, or the change also turns the flag on", () => {
    expect(movesWords(words, 1, strategy({}), strategy(COUNTRY))).toBe(
      "Any user may get a different value.",
    );
    const off = { ...strategy({}), enabled: false };
    const on = { ...strategy({}, beta), enabled: true };
    expect(movesWords(words, 0.5, off, on)).toBe("At most 50% of users get a different value.");
  });
});

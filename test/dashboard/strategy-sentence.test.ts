import { describe, expect, it } from "vitest";
import { strategySentence } from "../../dashboard/src/shared/strategy/strategy-sentence.ts";
import { messages as germanMessages } from "../../dashboard/src/shared/i18n/de/index.ts";
import {
  type Messages,
  messages as englishMessages,
} from "../../dashboard/src/shared/i18n/en/index.ts";
import { formatsOf } from "../../dashboard/src/shared/i18n/formats.ts";
import type { Language } from "../../dashboard/src/shared/i18n/language.ts";
import { createTranslation } from "../../dashboard/src/shared/i18n/translate.ts";
import type { RuleWords } from "../../dashboard/src/shared/strategy/rule-words.ts";
import {
  forTexts,
  type RuleSettings,
  type StrategySettings,
} from "../../dashboard/src/shared/strategy/settings.ts";

/** Returns the functions that a sentence in the language needs. */
function words(language: Language, messages: Messages): RuleWords {
  const { t, add } = createTranslation(language, language);
  add(messages);
  return { t, ...formatsOf(language), segmentName: (id) => `segment ${id}` };
}

const english = words("en", englishMessages);
const german = words("de", germanMessages);

const EVERYONE: RuleSettings = {
  name: null,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  ...forTexts(() => null),
  serve: { variant: "on" },
};

const where = (field: string, ...values: string[]): Pick<RuleSettings, "constraints"> => ({
  constraints: [{ field, operator: "in", values, contextType: "string" }],
});

const ruleWith = (fields: Partial<RuleSettings>): RuleSettings => ({ ...EVERYONE, ...fields });

const strategy = (
  settings: Partial<StrategySettings>,
  ...rules: Partial<RuleSettings>[]
): StrategySettings => ({
  ...EVERYONE,
  enabled: true,
  ...settings,
  rules: rules.map(ruleWith),
});

const says = (language: RuleWords, of: StrategySettings) =>
  strategySentence(language, of, new Map());

const SPLIT = { weights: { green: 66.667, red: 33.333, blue: 0 } };

describe("the sentence about a strategy", () => {
  it("says for whom a boolean flag is on", () => {
    expect(says(english, strategy({}))).toBe("On for everyone.");
    expect(says(english, strategy({ exactPercentage: 0.125, stickiness: "userId" }))).toBe(
      "On for 0.125% of users; the same user always gets the same result (by userId).",
    );
    expect(says(english, strategy({ exactPercentage: 25 }))).toBe("On for 25% of users.");
    expect(says(english, strategy({ enabled: false }))).toBe("Off for everyone.");
  });

  it("leaves out a constraint that is half typed", () => {
    expect(says(english, strategy(where("cou")))).toBe("On for users where …");
    expect(says(english, strategy(where("", "DE")))).toBe("On for everyone.");
  });

  it("says what each rule serves, and what the last rule serves to everyone else", () => {
    const rules = strategy(
      { serve: SPLIT },
      { ...where("country", "DE"), exactPercentage: 25, serve: { variant: "blue" } },
      { segmentIds: [7], serve: { variant: "red" } },
    );
    expect(says(english, rules)).toBe(
      "25% of users where country is DE get blue; users who are in segment 7 get red; " +
        "everyone else gets green (66.667%) or red (33.333%).",
    );
    expect(says(german, rules)).toBe(
      "25\u00a0% der Nutzer, für die gilt: country ist DE, bekommen blue; Nutzer, für die gilt: sie gehören " +
        "zu segment 7, bekommen red; alle anderen bekommen green (66,667\u00a0%) oder red (33,333\u00a0%).",
    );
  });

  it("says that rules of a boolean flag switch it on or off", () => {
    const off = strategy({}, { ...where("plan", "free"), serve: { variant: "off" } });
    expect(says(english, off)).toBe("Off for users where plan is free; on for everyone else.");
    expect(says(english, { ...off, enabled: false })).toBe(
      "Off. When turned on: off for users where plan is free; on for everyone else.",
    );
    expect(says(english, { ...off, exactPercentage: 0 })).toBe(
      "Off for users where plan is free; on for nobody else.",
    );
  });

  it("names the field that decides about a split", () => {
    expect(says(english, strategy({ serve: SPLIT, splitStickiness: "tenant" }))).toBe(
      "Everyone gets green (66.667%) or red (33.333%); " +
        "the same tenant always gets the same result.",
    );
  });

  it("only counts the rules if there are more than three", () => {
    const many = strategy({ ...where("country", "DE") }, {}, {}, {}, {});
    expect(says(english, many)).toBe(
      "4 rules decide first; on for other users where country is DE.",
    );
  });
});

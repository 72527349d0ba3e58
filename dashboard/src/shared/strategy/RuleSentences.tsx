import { Text } from "@mantine/core";
import classes from "./RuleSentences.module.css";
import { clause, type RuleWords, sentenceOf } from "./rule-words.ts";
import { type RuleSettings, TEXT_FIELDS } from "./settings.ts";

interface Props {
  rules: readonly RuleSettings[];
  words: RuleWords;
}

/** A read-only list of ordered rules with one sentence for each rule. */
export function RuleSentences({ rules, words }: Props) {
  const { t } = words;
  if (rules.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("common.none")}
      </Text>
    );
  return (
    <ol className={classes.list}>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of the rules does not change while they are shown
        <Text key={index} component="li" size="sm">
          {rule.name !== null && (
            <Text span inherit fw={600}>
              {rule.name}:{" "}
            </Text>
          )}
          <RuleSentence rule={rule} words={words} />
        </Text>
      ))}
    </ol>
  );
}

/** A sentence that says for whom an ordered rule serves what, and its other settings. */
export function RuleSentence({ rule, words }: { rule: RuleSettings; words: RuleWords }) {
  return (
    <>
      {sentenceOf(words, [clause(words, rule)])} <Details rule={rule} words={words} />
    </>
  );
}

/** The settings of a rule that its sentence does not contain and that differ from their defaults. */
function Details({ rule, words: { t } }: { rule: RuleSettings; words: RuleWords }) {
  const set = TEXT_FIELDS.flatMap((field) =>
    rule[field] === null ? [] : [`${t(`strategy.${field}.label`)}: ${rule[field]}`],
  );
  return (
    set.length > 0 && (
      <Text span inherit c="dimmed">
        {set.join(", ")}
      </Text>
    )
  );
}

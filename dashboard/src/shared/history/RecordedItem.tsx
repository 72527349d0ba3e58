import { Text } from "@mantine/core";
import type { Prerequisite } from "@feature-flags/evaluation/rule";
import { prerequisiteText } from "../flags/prerequisite-text.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { RuleSentence } from "../strategy/RuleSentences.tsx";
import type { RuleWords } from "../strategy/rule-words.ts";
import { useRuleWords } from "../strategy/use-rule-words.ts";
import { isRule } from "../strategy/values.ts";
import type { Content, ItemChange, ItemField } from "./field-change.ts";
import { JsonText } from "./JsonText.tsx";
import { itemName } from "./names.ts";
import { exactPart } from "./shortened.ts";
import type { ItemNames } from "./item-names.ts";
import { WithOmitted } from "./WithOmitted.tsx";

interface Props {
  field: ItemField;
  change: ItemChange;
  /** The item as the audit record has it before or after the change. */
  content: Content;
  names: ItemNames;
  /** Whether to leave out the name of a rule, which the page shows elsewhere. Default: false. */
  hidesName?: boolean;
}

/** A variant, an ordered rule or a prerequisite that was added or removed. */
export function RecordedItem({ field, change, content, names, hidesName = false }: Props) {
  if (field === "variants") return <RecordedVariant name={change.key} variant={content} />;
  if (field === "prerequisites") return <RecordedPrerequisite prerequisite={content} />;
  return <RecordedRule change={change} rule={content} names={names} hidesName={hidesName} />;
}

function RecordedVariant({ name, variant }: { name: string; variant: Content }) {
  const { value, description } = variant;
  return (
    <>
      <Text span inherit fw={600}>
        {name}
      </Text>{" "}
      <JsonText recorded={value} />
      {typeof description === "string" && description !== "" && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </>
  );
}

function RecordedPrerequisite({ prerequisite }: { prerequisite: Content }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { value, omitted } = exactPart(prerequisite);
  return (
    <WithOmitted omitted={omitted}>
      {isPrerequisite(value) ? (
        prerequisiteText(t, format, value, value.flagKey)
      ) : (
        <JsonText recorded={value} />
      )}
    </WithOmitted>
  );
}

interface RuleProps {
  change: ItemChange;
  rule: Content;
  names: ItemNames;
  hidesName: boolean;
}

function RecordedRule({ change, rule, names, hidesName }: RuleProps) {
  const { t } = useTranslation();
  const words = useRecordedWords(names);
  const { value, omitted } = exactPart({
    ...rule,
    exactPercentage: rule["exactPercentage"] ?? rule["percentage"],
  });
  return (
    <WithOmitted omitted={omitted}>
      {!hidesName && (
        <Text span inherit fw={600}>
          {itemName(t, "rules", change)}{" "}
        </Text>
      )}
      {isRule(value) ? <RuleSentence rule={value} words={words} /> : <JsonText recorded={value} />}
    </WithOmitted>
  );
}

const isPrerequisite = (value: unknown): value is Prerequisite =>
  typeof value === "object" &&
  value !== null &&
  "flagKey" in value &&
  typeof value.flagKey === "string" &&
  (!("variants" in value) || Array.isArray(value.variants));

export function useRecordedWords(names: ItemNames): RuleWords {
  const { t } = useTranslation();
  return useRuleWords(
    (id) =>
      names.of("segment", id) ??
      t("history.thingWithId", { thing: t("history.things.segment"), id }),
  );
}

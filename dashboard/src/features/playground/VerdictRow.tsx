import { Text } from "@mantine/core";
import { IconChevronDown, IconCircleCheckFilled, IconCircleOff } from "@tabler/icons-react";
import { memo, useId, useState } from "react";
import { explain } from "@feature-flags/evaluation/explain";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import type { Environment } from "../../shared/api/types.ts";
import { VariantLabel } from "../../shared/flags/VariantLabel.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { compactJson } from "../../shared/json/json-text.ts";
import { ExplanationView } from "./ExplanationView.tsx";
import { reasonText } from "./reason-text.ts";
import { rulesToExplain } from "./rules-to-explain.ts";
import type { FlagWithRule, KnownFlags } from "./use-flags-with-rules.ts";
import classes from "./VerdictRow.module.css";

interface Props {
  entry: FlagWithRule;
  /**
   * The flags of the environment, among them the required ones. `NO_FLAGS` for a flag without
   * prerequisites, so that the row stays memoised while more flags load.
   */
  known: KnownFlags;
  context: EvaluationContext;
  environment: Environment;
  isOpenAtFirst: boolean;
}

/** The most characters of a value in the row. The expanded row shows the whole value. */
const MAX_VALUE = 60;

/**
 * A row with a flag, the result of its evaluation (on or off, and the value) and the reason. The
 * user can expand the row to see every part of the flag's rule. Memoised, because the flags load in
 * pages of 100, and every loaded page would otherwise evaluate the flags of all rows again.
 */
export const VerdictRow = memo(function VerdictRow(props: Props) {
  const { entry, known, context, environment, isOpenAtFirst } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const panel = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { rule, ruleNames } = entry;
  const explanation = explain(rule, context, known.rules);
  const rules = rulesToExplain(rule, explanation, ruleNames);
  const { enabled } = explanation.verdict;
  return (
    <li className={classes.row}>
      <h3 className={classes.heading}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className={classes.state} data-on={enabled || undefined}>
            {enabled ? (
              <IconCircleCheckFilled size={18} aria-hidden />
            ) : (
              <IconCircleOff size={18} stroke={1.75} aria-hidden />
            )}
            {enabled ? t("common.on") : t("common.off")}
          </span>
          <span className={classes.flag}>
            <span className={classes.name}>{rule.name}</span>
            {rule.key !== rule.name && <span className={classes.key}>{rule.key}</span>}
          </span>
          <span className={classes.result}>
            {rule.type !== undefined && <Served entry={entry} verdict={explanation.verdict} />}
            <Text span size="sm" className={classes.reason}>
              {reasonText(t, format, {
                explanation,
                rules,
                isEnabled: rule.enabled,
                environment: environment.name,
                flagName: (key) => known.rules.get(key)?.name ?? key,
              })}
            </Text>
          </span>
          <IconChevronDown
            size={18}
            stroke={1.75}
            aria-hidden
            className={classes.chevron}
            data-open={isOpen || undefined}
          />
        </button>
      </h3>
      {isOpen && (
        <div id={panel} className={classes.panel}>
          <ExplanationView
            entry={entry}
            explanation={explanation}
            rules={rules}
            entries={known.entries}
            environment={environment}
          />
        </div>
      )}
    </li>
  );
});

/** The served variant with its value on one line. Nothing when no variant is served. */
function Served({ entry, verdict }: { entry: FlagWithRule; verdict: Verdict }) {
  const { variant, value } = verdict;
  if (variant === undefined) return null;
  return (
    <span className={classes.served}>
      <VariantLabel color={entry.color(variant)}>{variant}</VariantLabel>
      <code className={classes.value}>{compactJson(value, MAX_VALUE)}</code>
    </span>
  );
}

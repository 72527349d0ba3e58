import { Text } from "@mantine/core";
import { IconChevronDown, IconCircleCheckFilled, IconCircleOff } from "@tabler/icons-react";
import { memo, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { explain } from "@feature-flags/evaluation/explain";
import type { ClientRule, EvaluationContext } from "@feature-flags/evaluation/rule";
import { ExplanationView } from "./ExplanationView.tsx";
import { useReasonText } from "./use-reason-text.ts";
import classes from "./VerdictRow.module.css";

interface Props {
  flagId: number;
  rule: ClientRule;
  context: EvaluationContext;
  environmentName: string;
}

/**
 * A row with a flag, the result of its evaluation (on or off) and the reason. The user can expand
 * the row to see every part of the flag's rule. Memoised, because the flags load in pages of 100,
 * and each page would otherwise evaluate all rows again.
 */
export const VerdictRow = memo(function VerdictRow(props: Props) {
  const { flagId, rule, context, environmentName } = props;
  const { t } = useTranslation();
  const reasonText = useReasonText(environmentName);
  const panel = useId();
  const [isOpen, setIsOpen] = useState(false);
  const explanation = explain(rule, context);
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
          <Text span size="sm" className={classes.reason}>
            {reasonText(explanation)}
          </Text>
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
            flagId={flagId}
            isEnabled={rule.enabled}
            explanation={explanation}
            environmentName={environmentName}
          />
        </div>
      )}
    </li>
  );
});

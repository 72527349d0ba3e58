import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconMinus,
  IconX,
} from "@tabler/icons-react";
import { useId, useState } from "react";
import type { RuleResult } from "@feature-flags/evaluation/explain";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CheckList } from "./Check.tsx";
import { RuleChecks } from "./RuleChecks.tsx";
import classes from "./RuleList.module.css";
import { outcomeText, ruleName } from "./rule-text.ts";
import type { RuleToExplain } from "./rules-to-explain.ts";

interface Props {
  rules: readonly RuleToExplain[];
  color: (variant: string) => string;
}

const ICONS: Readonly<Record<RuleResult, typeof IconCheck>> = {
  decided: IconCheck,
  condition: IconX,
  percentage: IconX,
  id: IconX,
  malformed: IconAlertTriangle,
  notReached: IconMinus,
};

/**
 * Lists the rules in the order of the evaluation: which rule decided, and why the earlier rules did
 * not.
 */
export function RuleList({ rules, color }: Props) {
  const { t } = useTranslation();
  return (
    <ol className={classes.rules} aria-label={t("playground.rules")}>
      {rules.map((rule) => (
        <RuleItem key={rule.number} rule={rule} color={color} />
      ))}
    </ol>
  );
}

function RuleItem({ rule, color }: { rule: RuleToExplain; color: Props["color"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const panel = useId();
  const { result } = rule.outcome;
  const isDecisive = result === "decided" || result === "malformed";
  const [isOpen, setOpen] = useState(isDecisive);
  const Icon = ICONS[result];
  return (
    <li className={classes.rule} data-result={result}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon size={16} stroke={2.5} aria-hidden className={classes.icon} />
        <span className={classes.words}>
          <span className={classes.name}>{ruleName(t, rule)}</span>{" "}
          {result === "decided" && (
            <span className={classes.decides}>{t("playground.decides")} </span>
          )}
          <span className={classes.outcome}>{outcomeText(t, format, rule.outcome)}</span>
        </span>
        <IconChevronDown
          size={16}
          stroke={1.75}
          aria-hidden
          className={classes.chevron}
          data-open={isOpen || undefined}
        />
      </button>
      {isOpen && (
        <div id={panel} className={classes.panel}>
          <CheckList>
            <RuleChecks rule={rule} color={color} />
          </CheckList>
        </div>
      )}
    </li>
  );
}

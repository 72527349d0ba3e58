import type { ReactNode } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { clause, isServing, sentenceOf } from "../../shared/strategy/rule-words.ts";
import type { Activation } from "../../shared/strategy/settings.ts";
import { useRuleWords } from "../../shared/strategy/use-rule-words.ts";
import { segmentName, type SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { FieldErrors } from "./strategy-errors.ts";
import { StrategyFields } from "./StrategyFields.tsx";
import { RuleRow } from "./RuleRow.tsx";
import classes from "./RulesEditor.module.css";

interface Props {
  flag: Flag;
  segments: SegmentsById;
  values: Activation;
  onChange: (change: Partial<Activation>) => void;
  fieldErrors: FieldErrors;
  /** Whether the strategy has ordered rules, which are tried before. */
  hasRules: boolean;
  /** The button that adds the first rule. It has another place if there are rules. */
  addRule: ReactNode;
  /** Without ordered rules, the inputs are always visible. */
  isOpen: boolean;
  onToggle: () => void;
}

/**
 * The inputs of the strategy's own fields. They are the last row if there are ordered rules.
 * Otherwise, a boolean flag has no input for what it serves, because that is on.
 */
export function LastRule({ hasRules, addRule, isOpen, onToggle, ...props }: Props) {
  const { flag, segments, values } = props;
  const { t } = useTranslation();
  const words = useRuleWords((id) => segmentName(id, segments));
  const isSimple = flag.valueType === "boolean" && !hasRules && isServing(values.serve, "on");
  const fields = <StrategyFields {...props} hasServe={!isSimple} beside={addRule} />;
  if (!hasRules) return fields;
  const hasConditions = values.constraints.length + values.segmentIds.length > 0;
  const title = t(hasConditions ? "rules.last" : "rules.everyoneElse");
  return (
    <div role="group" aria-label={title} className={classes.last}>
      <RuleRow
        flag={flag}
        label={title}
        sentence={sentenceOf(words, [clause(words, values, "else")])}
        serve={values.serve}
        isOpen={isOpen}
        onToggle={onToggle}
        before={<span className={classes.indent} />}
      >
        {fields}
      </RuleRow>
    </div>
  );
}

import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { use, useEffect, useId, useRef, useState } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { StrategyDraft } from "./strategy.ts";
import type { StrategyErrors } from "./strategy-errors.ts";
import { type DraftRule, isForEveryone, firstVariant, movedRule, newRule } from "./draft-rules.ts";
import { LastRule } from "./LastRule.tsx";
import { ManagedFieldsContext } from "./use-managed-fields.ts";
import { ManagedMark } from "./Managed.tsx";
import { RuleCard, useRuleName } from "./RuleCard.tsx";
import classes from "./RulesEditor.module.css";

/** The maximum number of ordered rules that the server accepts. */
const MAX = 50;

/** Stands for the last rule where the others have their id. */
const LAST = "last";

interface Props {
  flag: Flag;
  segments: SegmentsById;
  values: StrategyDraft;
  onChange: (change: Partial<StrategyDraft>) => void;
  errors: StrategyErrors;
}

/** The user adds, removes and moves ordered rules. The last rule is the strategy's own fields. */
export function RulesEditor({ flag, segments, values, onChange, errors }: Props) {
  const { rules } = values;
  const setRules = (changed: readonly DraftRule[]) => onChange({ rules: changed });
  const { t } = useTranslation();
  const managed = use(ManagedFieldsContext);
  const list = useId();
  const nameOf = useRuleName();
  const root = useRef<HTMLDivElement>(null);
  /** The id of the open rule. */
  const [open, setOpen] = useState<string>();
  const [moved, setMoved] = useState("");
  const [focus, setFocus] = useState<{ rule: string | undefined; selector: string }>();

  useEffect(() => {
    if (!focus) return;
    const card =
      focus.rule === undefined
        ? root.current
        : root.current?.querySelector(`[data-rule="${focus.rule}"]`);
    card?.querySelector<HTMLElement>(focus.selector)?.focus();
  }, [focus]);

  const toggle = (id: string) => setOpen(open === id ? undefined : id);
  const add = () => {
    const rule = newRule(firstVariant(flag, values.serve));
    setOpen(rule.id);
    setRules([...rules, rule]);
    setFocus({ rule: rule.id, selector: "input" });
  };
  const remove = (index: number) => {
    const left = rules.toSpliced(index, 1);
    setRules(left);
    setFocus({
      rule: (left[index] ?? left.at(-1))?.id,
      selector: left.length === 0 ? "[data-add]" : "[data-title]",
    });
  };
  const move = (from: number, to: number) => {
    const rule = rules[from];
    if (!rule || from === to) return;
    setRules(movedRule(rules, from, to));
    const count = rules.length;
    setMoved(t("rules.moved", { name: nameOf(rule, from), place: to + 1, count }));
    setFocus({ rule: rule.id, selector: "[data-menu]" });
  };
  const addButton = (
    <Group gap="sm">
      <Button
        data-add
        variant="default"
        size="sm"
        leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
        onClick={add}
        disabled={rules.length >= MAX}
      >
        {t("rules.add")}
      </Button>
      {rules.length >= MAX && (
        <Text size="sm" c="dimmed">
          {t("rules.full", { count: MAX })}
        </Text>
      )}
    </Group>
  );
  const hasRules = rules.length > 0;
  const firstForEveryone = rules.findIndex(isForEveryone);

  return (
    <div ref={root} className={classes.editor}>
      {hasRules && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t("rules.order")}
          </Text>
          <ManagedMark managed={managed.get("rules")} />
        </Group>
      )}
      <div className={hasRules ? classes.frame : undefined}>
        {hasRules && (
          <ol className={classes.list}>
            {rules.map((rule, index) => (
              <RuleCard
                key={rule.id}
                flag={flag}
                segments={segments}
                list={list}
                rule={rule}
                index={index}
                count={rules.length}
                isUnreachable={firstForEveryone !== -1 && firstForEveryone < index}
                isOpen={open === rule.id || errors.rules[rule.id] !== undefined}
                fieldErrors={errors.rules[rule.id] ?? {}}
                onToggle={() => toggle(rule.id)}
                onChange={(change) => setRules(rules.with(index, { ...rule, ...change }))}
                onMove={move}
                onRemove={() => remove(index)}
              />
            ))}
          </ol>
        )}
        <LastRule
          flag={flag}
          segments={segments}
          values={values}
          onChange={onChange}
          fieldErrors={errors.fields}
          hasRules={hasRules}
          addRule={!hasRules && addButton}
          isOpen={open === LAST || Object.keys(errors.fields).some((field) => field !== "rules")}
          onToggle={() => toggle(LAST)}
        />
      </div>
      {errors.fields["rules"]?.[""] !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {errors.fields["rules"][""]}
        </Text>
      )}
      {hasRules && addButton}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
    </div>
  );
}

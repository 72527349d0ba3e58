import { Text, TextInput, UnstyledButton } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconGripVertical,
  IconTrash,
} from "@tabler/icons-react";
import { useId } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { IconButton } from "../../shared/ui/IconButton.tsx";
import { clause, sentenceOf } from "../../shared/strategy/rule-words.ts";
import { useRuleWords } from "../../shared/strategy/use-rule-words.ts";
import { segmentName, type SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { FieldErrors } from "./strategy-errors.ts";
import { StrategyFields } from "./StrategyFields.tsx";
import type { DraftRule } from "./draft-rules.ts";
import classes from "./RuleCard.module.css";
import { useRuleDrag } from "./use-rule-drag.ts";

/** The maximum length of a rule's name in characters. The API rejects longer names. */
const MAX_NAME = 100;

interface Props {
  flag: Flag;
  segments: SegmentsById;
  list: string;
  rule: DraftRule;
  /** The place of the rule in the list, starting at 0. */
  index: number;
  count: number;
  /** Whether an earlier rule decides for everyone, so that this rule has no effect. */
  isUnreachable: boolean;
  isOpen: boolean;
  fieldErrors: FieldErrors;
  onToggle: () => void;
  onChange: (change: Partial<DraftRule>) => void;
  onMove: (from: number, to: number) => void;
  onRemove: () => void;
}

/** The open card also has the inputs of the rule. */
export function RuleCard(props: Props) {
  const { flag, segments, rule, index, isOpen, fieldErrors, onToggle, onChange } = props;
  const { t } = useTranslation();
  const words = useRuleWords((id) => segmentName(id, segments));
  const { card, header, handle, isDragging, dropSide } = useRuleDrag(props);
  const body = useId();
  const name = useRuleName()(rule, index);
  return (
    <li ref={card} data-rule={rule.id} className={classes.item} data-drop={dropSide}>
      <div role="group" aria-label={name} className={classes.card} data-dragging={isDragging}>
        <div ref={header} className={classes.header}>
          <span ref={handle} className={classes.handle} data-handle>
            <IconGripVertical size={18} stroke={1.75} aria-hidden />
          </span>
          <UnstyledButton
            className={classes.title ?? ""}
            aria-expanded={isOpen}
            aria-controls={body}
            onClick={onToggle}
            data-title
          >
            <IconChevronDown
              size={16}
              stroke={1.75}
              aria-hidden
              className={classes.chevron}
              data-open={isOpen}
            />
            <span className={classes.words}>
              <Text span size="sm" fw={600} display="block">
                {name}
              </Text>
              <Text span size="sm" display="block">
                {sentenceOf(words, [clause(words, rule)])}
              </Text>
              {props.isUnreachable && (
                <Text span size="xs" c="dimmed" display="block">
                  {t("rules.unreachable")}
                </Text>
              )}
            </span>
          </UnstyledButton>
          <RuleActions {...props} name={name} />
        </div>
        <div id={body} hidden={!isOpen}>
          {isOpen && (
            <div className={classes.body}>
              <TextInput
                label={`${t("common.name")} (${t("common.optional")})`}
                className={classes.name ?? ""}
                value={rule.name ?? ""}
                onChange={({ currentTarget: { value } }) =>
                  onChange({ name: value === "" ? null : value })
                }
                maxLength={MAX_NAME}
                error={Object.values(fieldErrors["name"] ?? {})[0]}
              />
              <StrategyFields
                flag={flag}
                segments={segments}
                values={rule}
                onChange={onChange}
                fieldErrors={fieldErrors}
                isRule
                hasServe
              />
            </div>
          )}
        </div>
      </div>
    </li>
  );
}

/** Returns a function that returns the name of a rule: its own, or its place. */
export function useRuleName(): (rule: Pick<DraftRule, "name">, index: number) => string {
  const { t } = useTranslation();
  return ({ name }, index) => {
    const rule = t("rules.nth", { number: index + 1 });
    return name === null ? rule : t("rules.named", { rule, name });
  };
}

function RuleActions({ index, count, onMove, onRemove, name }: Props & { name: string }) {
  const { t } = useTranslation();
  return (
    // `data-action` names the buttons, so that they can get the focus back after the card has moved.
    <div className={classes.actions}>
      <IconButton
        label={t("rules.moveUp", { name })}
        data-action="up"
        disabled={index === 0}
        onClick={() => onMove(index, index - 1)}
      >
        <IconArrowUp size={16} stroke={1.75} aria-hidden />
      </IconButton>
      <IconButton
        label={t("rules.moveDown", { name })}
        data-action="down"
        disabled={index === count - 1}
        onClick={() => onMove(index, index + 1)}
      >
        <IconArrowDown size={16} stroke={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t("rules.remove", { name })} data-action="remove" onClick={onRemove}>
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}

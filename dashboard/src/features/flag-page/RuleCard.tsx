import { ActionIcon, Menu, Text, TextInput } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconGripVertical,
  IconTrash,
} from "@tabler/icons-react";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { clause, sentenceOf } from "../../shared/strategy/rule-words.ts";
import { useRuleWords } from "../../shared/strategy/use-rule-words.ts";
import { segmentName, type SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { FieldErrors } from "./strategy-errors.ts";
import { StrategyFields } from "./StrategyFields.tsx";
import type { DraftRule } from "./draft-rules.ts";
import classes from "./RuleCard.module.css";
import { RuleRow } from "./RuleRow.tsx";
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

/** An ordered rule, which the user opens, moves and removes. */
export function RuleCard(props: Props) {
  const { flag, segments, rule, index, isOpen, fieldErrors, onToggle, onChange } = props;
  const { t } = useTranslation();
  const words = useRuleWords((id) => segmentName(id, segments));
  const { card, header, handle, isDragging, dropSide } = useRuleDrag(props);
  const name = useRuleName()(rule, index);
  return (
    <li ref={card} data-rule={rule.id} className={classes.item} data-drop={dropSide}>
      <div role="group" aria-label={name} className={classes.card} data-dragging={isDragging}>
        <RuleRow
          flag={flag}
          label={name}
          number={index + 1}
          name={rule.name}
          sentence={sentenceOf(words, [clause(words, rule)])}
          serve={rule.serve}
          isOpen={isOpen}
          onToggle={onToggle}
          note={
            props.isUnreachable && (
              <Text span size="xs" c="dimmed" display="block">
                {t("rules.unreachable")}
              </Text>
            )
          }
          before={
            <span ref={handle} className={classes.handle} data-handle>
              <IconGripVertical size={18} stroke={1.75} aria-hidden />
            </span>
          }
          after={<RuleActions {...props} name={name} />}
          header={header}
        >
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
        </RuleRow>
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
    <Menu position="bottom-end">
      <Menu.Target>
        {/* `data-menu` names the button, so that it gets the focus back after the card has moved. */}
        <ActionIcon size="lg" aria-label={t("flagForms.actionsOf", { flag: name })} data-menu>
          <IconDots size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArrowUp size={16} stroke={1.75} aria-hidden />}
          disabled={index === 0}
          onClick={() => onMove(index, index - 1)}
        >
          {t("rules.moveUp")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} stroke={1.75} aria-hidden />}
          disabled={index === count - 1}
          onClick={() => onMove(index, index + 1)}
        >
          {t("rules.moveDown")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={onRemove}
        >
          {t("rules.remove")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

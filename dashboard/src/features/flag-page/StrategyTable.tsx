import { Badge, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type StrategyField, showField } from "../../shared/strategy/fields.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import { type SegmentsById, segmentName } from "../../shared/strategy/segments-by-id.ts";
import { differingFields } from "../../shared/strategy/fields.tsx";
import classes from "./StrategyTable.module.css";
import { useStrategySentence, useRuleWords } from "../../shared/strategy/use-rule-words.ts";

interface Side {
  title: string;
  strategy: StrategySettings;
}

interface Props {
  caption: string;
  left: Side;
  right: Side;
  segments: SegmentsById;
  fields: readonly StrategyField[];
  /** Whether the table highlights the fields in which the two strategies differ. */
  isMarked?: boolean;
}

/** Describes each strategy in a sentence, and then compares their fields. */
export function StrategyTable({ caption, left, right, segments, fields, isMarked = false }: Props) {
  const { t } = useTranslation();
  const describe = useStrategySentence(segments);
  const different = differingFields(left.strategy, right.strategy);
  return (
    <table className={classes.table} aria-label={caption}>
      <thead>
        <tr>
          <th scope="col">{left.title}</th>
          <th scope="col">{right.title}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          {[left, right].map(({ title, strategy }) => (
            <td key={title}>
              <Text size="sm">{describe(strategy)}</Text>
            </td>
          ))}
        </tr>
      </tbody>
      {fields.map((field) => (
        <tbody key={field} data-different={(isMarked && different.includes(field)) || undefined}>
          <tr>
            <th colSpan={2} scope="rowgroup" className={classes.field}>
              <span className={classes.fieldName}>
                {t(`strategy.${field}.label`)}
                {isMarked && different.includes(field) && (
                  <Badge
                    className={classes.mark}
                    leftSection={<IconArrowsDiff size={13} stroke={2} aria-hidden />}
                  >
                    {t("flag.different")}
                  </Badge>
                )}
              </span>
            </th>
          </tr>
          <tr>
            {[left, right].map(({ title, strategy }) => (
              <td key={title}>
                <StrategyValue field={field} strategy={strategy} segments={segments} />
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

interface StrategyValueProps {
  field: StrategyField;
  strategy: StrategySettings;
  segments: SegmentsById;
}

export function StrategyValue({ field, strategy, segments }: StrategyValueProps) {
  const words = useRuleWords((id) => segmentName(id, segments));
  const shown = showField(field, strategy[field], words);
  return typeof shown === "string" ? <Text size="sm">{shown}</Text> : shown;
}

import { Badge, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { PartValue } from "./PartValue.tsx";
import {
  differingParts,
  type SegmentsById,
  type StrategyPart,
  type StrategySettings,
} from "./strategy.ts";
import classes from "./StrategyTable.module.css";
import { useSentence } from "./use-sentence.ts";

interface Side {
  title: string;
  strategy: StrategySettings;
}

interface Props {
  caption: string;
  left: Side;
  right: Side;
  segments: SegmentsById;
  parts: readonly StrategyPart[];
  /** Where not every part differs, those that do are marked. */
  isMarked?: boolean;
}

/** Two strategies side by side, in words and part by part. */
export function StrategyTable({ caption, left, right, segments, parts, isMarked = false }: Props) {
  const { t } = useTranslation();
  const say = useSentence(segments);
  const different = differingParts(left.strategy, right.strategy);
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
              <Text size="sm">{say(strategy)}</Text>
            </td>
          ))}
        </tr>
      </tbody>
      {parts.map((part) => (
        <tbody key={part} data-different={(isMarked && different.includes(part)) || undefined}>
          <tr>
            <th colSpan={2} scope="rowgroup" className={classes.part}>
              <span className={classes.partName}>
                {t(`flag.parts.${part}`)}
                {isMarked && different.includes(part) && (
                  <Badge
                    className={classes.mark}
                    leftSection={<IconArrowsDiff size={13} stroke={2} aria-hidden />}
                    size="sm"
                    radius="sm"
                    tt="none"
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
                <PartValue part={part} strategy={strategy} segments={segments} />
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

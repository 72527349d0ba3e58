import { Table } from "@mantine/core";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { shareOf, type UsageParts } from "./usage-parts.ts";
import { evaluations, type Usage } from "./usage.ts";
import classes from "./UsageChart.module.css";
import { useTimeLabels } from "./use-time-labels.ts";

interface Props {
  usage: Usage;
  parts: UsageParts;
  /** The name of the table for screen readers. */
  label: string;
}

/** By hour or day, newest first. Leaves out those without evaluations. */
export function UsageTable({ usage, parts, label }: Props) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const { long } = useTimeLabels(usage.interval);
  const { summarised } = parts;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable to scroll by keyboard
    <div className={classes.table} role="region" aria-label={label} tabIndex={0}>
      <Table stickyHeader tabularNums verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              {t(usage.interval === "day" ? "insights.day" : "insights.hour")}
            </Table.Th>
            {parts.all.map((part) => (
              <Table.Th key={part.name} scope="col" ta="right">
                {part.label}
              </Table.Th>
            ))}
            <Table.Th scope="col" ta="right">
              {summarised.label} %
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.series
            .filter((point) => evaluations(point) > 0)
            .toReversed()
            .map((point) => (
              <Table.Tr key={point.at}>
                <Table.Th scope="row" fw={400} style={{ whiteSpace: "nowrap" }}>
                  {long(point.at)}
                </Table.Th>
                {parts.all.map(({ name, count }) => (
                  <Table.Td key={name} ta="right">
                    {number(count(point))}
                  </Table.Td>
                ))}
                <Table.Td ta="right">{percent(shareOf(summarised, point) ?? 0)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { evaluations, shareTrue, type Usage } from "./usage.ts";
import classes from "./UsageChart.module.css";
import { useTimeLabels } from "./use-time-labels.ts";

/**
 * A table of evaluations by hour or day, newest first. Hours and days without evaluations are left
 * out.
 */
export function UsageTable({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const { long } = useTimeLabels(usage);
  const label = t("insights.tableOf");
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable to scroll by keyboard
    <div className={classes.table} role="region" aria-label={label} tabIndex={0}>
      <Table stickyHeader verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              {t(usage.interval === "day" ? "insights.day" : "insights.hour")}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t("insights.true")}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t("insights.false")}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t("insights.shareTrue")}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.series
            .filter((point) => evaluations(point) > 0)
            .toReversed()
            .map((point) => (
              <Table.Tr key={point.at}>
                <Table.Th scope="row" fw={400}>
                  {long(point.at)}
                </Table.Th>
                <Table.Td ta="right">{number(point.t)}</Table.Td>
                <Table.Td ta="right">{number(point.f)}</Table.Td>
                <Table.Td ta="right">{percent(shareTrue(point))}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

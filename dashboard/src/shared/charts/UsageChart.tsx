import { Stack, Text, Title, Table } from "@mantine/core";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./UsageChart.module.css";
import { UsageSwatch } from "./UsageSwatch.tsx";
import { shareOf, type UsageParts } from "./usage-parts.ts";
import { UsageBars } from "./UsageBars.tsx";
import { type Counts, evaluations, type Usage } from "./usage.ts";
import { useTimeLabels } from "./use-time-labels.ts";

interface Props {
  usage: Usage;
  parts: UsageParts;
  /** The name of the environment, if several charts are shown. */
  title?: string | undefined;
  isTable: boolean;
}

/** The totals, a bar chart or a table, and a summary in sentences. */
export function UsageChart({ usage, parts, title, isTable }: Props) {
  const { t } = useTranslation();
  const { totals } = usage;
  const tableOf = t("insights.tableOf");
  return (
    <Stack gap="sm" className={title === undefined ? undefined : classes.compared}>
      {title !== undefined && (
        <Title order={3} size="h5">
          {title}
        </Title>
      )}
      <UsageTotals totals={totals} parts={parts} />
      {isTable ? (
        <UsageTable
          usage={usage}
          parts={parts}
          label={title === undefined ? tableOf : `${tableOf}: ${title}`}
        />
      ) : (
        <div aria-hidden>
          <UsageBars usage={usage} parts={parts} />
        </div>
      )}
      <Summary usage={usage} parts={parts} />
    </Stack>
  );
}

function Summary({ usage, parts }: Pick<Props, "usage" | "parts">) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const { long } = useTimeLabels(usage.interval);
  const { totals, series } = usage;
  const { summarised, isMixed } = parts;
  const count = evaluations(totals);
  const [peak] = series.toSorted((a, b) => evaluations(b) - evaluations(a));
  if (!peak || count === 0) return <Text size="sm">{t("insights.noEvaluations")}</Text>;
  const share = percent(shareOf(summarised, totals) ?? 0);
  const most = { most: number(evaluations(peak)), at: long(peak.at) };
  return (
    <Text size="sm" c="dimmed">
      {isMixed
        ? t("insights.summaryMixed", {
            formatted: number(count),
            share,
            switches: number(summarised.of?.(totals) ?? 0),
          })
        : t("insights.summary", {
            count,
            formatted: number(count),
            share,
            result: summarised.inSentence,
          })}{" "}
      {t(usage.interval === "day" ? "insights.peakByDay" : "insights.peak", most)}
    </Text>
  );
}

/** With the share of each part. They are also the legend of the bar chart. */
function UsageTotals({ totals, parts }: { totals: Counts; parts: UsageParts }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t("insights.evaluations")}</dt>
        <dd>{number(evaluations(totals))}</dd>
      </div>
      {parts.all.map((part) => {
        const share = shareOf(part, totals);
        return (
          <div key={part.name}>
            <dt>
              <UsageSwatch color={part.color} />
              {part.label}
            </dt>
            <dd>
              {number(part.count(totals))}{" "}
              {share !== undefined && <span className={classes.percent}>{percent(share)}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface UsageTableProps {
  usage: Usage;
  parts: UsageParts;
  /** The name of the table for screen readers. */
  label: string;
}

/** By hour or day, newest first. Leaves out those without evaluations. */
function UsageTable({ usage, parts, label }: UsageTableProps) {
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

import { Table } from "@mantine/core";
import type { Schemas } from "../../shared/api/types.ts";
import { flagParts, shareOf } from "../../shared/charts/usage-parts.ts";
import { type Counts, evaluations } from "../../shared/charts/usage.ts";
import { UsageShare } from "../../shared/charts/UsageShare.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import classes from "./Insights.module.css";

type EvaluatedFlag = Schemas["EnvironmentMetrics"]["mostEvaluated"][number];

interface Props {
  projectId: number;
  flags: readonly EvaluatedFlag[];
}

export function MostEvaluated({ projectId, flags }: Props) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const most = Math.max(1, ...flags.map(evaluations));
  return (
    <DataTable
      label={t("insights.mostEvaluatedTable")}
      verticalSpacing={8}
      head={
        <>
          <Column>{t("insights.flag")}</Column>
          <Table.Td aria-hidden className={classes.bar} />
          <Column className={classes.number}>{t("insights.evaluations")}</Column>
          <Column className={classes.result}>{t("insights.result")}</Column>
        </>
      }
    >
      {flags.map((flag) => {
        const counts = countsOf(flag);
        const parts = flagParts(t, shapeOf(flag), counts);
        return (
          <Table.Tr key={flag.flagId}>
            <Table.Th scope="row" className={classes.name} fw={400}>
              <LinkAnchor
                size="sm"
                to="/projects/$projectId/flags/$flagId"
                params={{ projectId, flagId: flag.flagId }}
                search={{ tab: "usage" }}
              >
                {flag.name}
              </LinkAnchor>
            </Table.Th>
            <Table.Td aria-hidden className={classes.bar}>
              <UsageShare counts={counts} parts={parts} most={most} />
            </Table.Td>
            <Table.Td className={classes.number}>{number(evaluations(flag))}</Table.Td>
            <Table.Td className={classes.result}>
              {parts.summarised.label} {percent(shareOf(parts.summarised, counts) ?? 0)}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

const shapeOf = ({ variants }: EvaluatedFlag) => ({
  valueType: variants ? ("json" as const) : ("boolean" as const),
  variants: variants ?? [],
});

/** Leaves out variants that were not served. */
const countsOf = ({ t, f, variants }: EvaluatedFlag): Counts => ({
  t,
  f,
  variants: Object.fromEntries((variants ?? []).flatMap(({ key, n }) => (n > 0 ? [[key, n]] : []))),
});

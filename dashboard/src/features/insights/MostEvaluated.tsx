import { Table } from "@mantine/core";
import type { Schemas } from "../../shared/api/types.ts";
import { evaluations, shareTrue } from "../../shared/charts/usage.ts";
import { UsageShare } from "../../shared/charts/UsageShare.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import classes from "./Insights.module.css";

interface Props {
  projectId: number;
  flags: Schemas["EnvironmentMetrics"]["mostEvaluated"];
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
          <Column className={classes.number}>{t("insights.true")}</Column>
        </>
      }
    >
      {flags.map((flag) => (
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
            <UsageShare counts={flag} most={most} />
          </Table.Td>
          <Table.Td className={classes.number}>{number(evaluations(flag))}</Table.Td>
          <Table.Td className={classes.number}>{percent(shareTrue(flag))}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

import { Table } from "@mantine/core";
import type { Schemas } from "../../shared/api/types.ts";
import { evaluations, shareTrue } from "../../shared/charts/usage.ts";
import { UsageShare } from "../../shared/charts/UsageShare.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
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
    <ScrollableTable label={t("insights.mostEvaluatedTable")}>
      <Table verticalSpacing={8} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("insights.flag")}</Table.Th>
            <Table.Td aria-hidden className={classes.bar} />
            <Table.Th scope="col" className={classes.number}>
              {t("insights.evaluations")}
            </Table.Th>
            <Table.Th scope="col" className={classes.number}>
              {t("insights.shareOf", { part: t("insights.true") })}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </Table>
    </ScrollableTable>
  );
}

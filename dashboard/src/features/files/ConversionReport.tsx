import { Anchor, Badge, Stack, Table, Text } from "@mantine/core";
import type { Service } from "@feature-flags/convert/services";
import type { FlagReport } from "@feature-flags/convert/report";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";

export const SERVICE_NAMES = {
  unleash: "Unleash",
  launchdarkly: "LaunchDarkly",
  flagd: "flagd",
} as const;

const COLORS = { exact: "green", changed: "yellow", refused: "red" } as const;

interface Props {
  service: Service;
  report: readonly FlagReport[];
}

/** Says for each flag of another service whether it stays the same, and why it does not. */
export function ConversionReport({ service, report }: Props) {
  const { t } = useTranslation();
  const count = (result: FlagReport["result"]) =>
    report.filter((one) => one.result === result).length;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {t("files.converted", {
          service: SERVICE_NAMES[service],
          exact: count("exact"),
          changed: count("changed"),
          refused: count("refused"),
        })}
      </Text>
      {count("refused") > 0 && (
        <Anchor size="sm" href="/docs/migrate.md" target="_blank">
          {t("files.refusedHelp")}
        </Anchor>
      )}
      <DataTable
        label={t("files.report")}
        aria-label={t("files.report")}
        head={
          <>
            <Column>{t("files.flag")}</Column>
            <Column>{t("files.result")}</Column>
            <Column>{t("files.reasons")}</Column>
          </>
        }
      >
        {report.map(({ key, result, reasons }) => (
          <Table.Tr key={key}>
            <Table.Td ff="monospace">{key}</Table.Td>
            <Table.Td>
              <Badge variant="light" color={COLORS[result]}>
                {t(`files.results.${result}`)}
              </Badge>
            </Table.Td>
            {/* On a phone, the table scrolls instead of a line for each word. */}
            <Table.Td miw="14rem">
              {reasons.map(({ environment, code, details }) => (
                <Text key={JSON.stringify([environment, code, details])} size="sm">
                  {environment !== undefined && `${environment}: `}
                  {t(`files.reasonTexts.${code}`, details)}
                </Text>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}

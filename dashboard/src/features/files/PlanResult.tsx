import { Alert, Code, Stack, Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import type { FilePlan } from "./file-requests.ts";
import classes from "./PlanResult.module.css";
import { valueText } from "./value-text.ts";

/** The most changes that the page lists. The browser is slow with thousands of rows. */
const MAX_ROWS = 500;

/** Shows what an apply of a file would change. */
export function PlanResult({ plan }: { plan: FilePlan }) {
  const { t } = useTranslation();
  const { changes, environments, conflicts, released, warnings } = plan;
  const remarks = [
    ...warnings.map(({ path, message }) => ({ path, message })),
    ...released.map(({ path }) => ({ path, message: t("files.released") })),
  ];
  return (
    <Stack gap="sm">
      {(changes.length > 0 || conflicts.length === 0) && (
        <Text size="sm" fw={600} role="status">
          {t("files.changes", { count: changes.length })}
        </Text>
      )}
      {environments.length > 0 && <Environments environments={environments} />}
      {remarks.length > 0 && (
        <Alert color="yellow" variant="light" title={t("files.warnings")}>
          <Stack gap={4}>
            {remarks.map(({ path, message }) => (
              <div key={`${path} ${message}`}>
                <Code>{path}</Code> {message}
              </div>
            ))}
          </Stack>
        </Alert>
      )}
      {changes.length > 0 && <Changes changes={changes} />}
      {changes.length > MAX_ROWS && (
        <Text size="sm">{t("files.moreChanges", { count: changes.length - MAX_ROWS })}</Text>
      )}
    </Stack>
  );
}

function Environments({ environments }: Pick<FilePlan, "environments">) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  return (
    <ul className={classes.environments}>
      {environments.map(({ name, flags, maxMoves, checks24h }) => (
        <li key={name}>
          {[
            `${name}: ${t("files.flags", { count: flags })}`,
            maxMoves === null
              ? t("files.unknownMoves")
              : t("files.maxMoves", { share: exactPercent(maxMoves) }),
            t("files.checks", { count: checks24h }),
          ].join(" · ")}
        </li>
      ))}
    </ul>
  );
}

function Changes({ changes }: Pick<FilePlan, "changes">) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  return (
    <DataTable
      label={t("files.changesLabel")}
      aria-label={t("files.changesLabel")}
      head={
        <>
          <Column>{t("files.path")}</Column>
          <Column>{t("files.before")}</Column>
          <Column>{t("files.after")}</Column>
          <Column>{t("files.moves")}</Column>
        </>
      }
    >
      {changes.slice(0, MAX_ROWS).map(({ path, before, after, moves, flags }) => (
        <Table.Tr key={path}>
          <Table.Td className={classes.value}>
            {path}
            {flags && (
              <Text size="xs" c="dimmed">
                {t("files.usedBy", { flags: flags.join(", ") || t("common.none") })}
              </Text>
            )}
          </Table.Td>
          <Table.Td className={classes.value}>
            {before === undefined ? t("files.new") : valueText(before)}
          </Table.Td>
          <Table.Td className={classes.value}>{valueText(after)}</Table.Td>
          <Table.Td>{moves === null ? "–" : exactPercent(moves)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

import { ActionIcon, Badge, Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Environment } from "../../shared/api/types.ts";
import { ApiKeysLink } from "../../shared/api-keys/ApiKeysLink.tsx";
import { flagCountQuery } from "../../shared/data/flag.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { HelpButton } from "../../shared/ui/HelpButton.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { DeleteEnvironment } from "./DeleteEnvironment.tsx";
import { EnvironmentForm } from "./EnvironmentForm.tsx";
import { useProtectionText } from "../../shared/environments/ProtectionMark.tsx";
import { ProtectionForm } from "./ProtectionForm.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import classes from "./EnvironmentTable.module.css";

interface DialogContent {
  readonly kind: "edit" | "delete" | "protection";
  readonly environment: Environment;
}

export function EnvironmentTable({ environments }: { environments: readonly Environment[] }) {
  const { t } = useTranslation();
  const mayWrite = useCan("environment:write");
  const mayProtect = useCan("protection:write");
  const { subject: dialog, isOpen, open, close } = useDialog<DialogContent>();
  return (
    <>
      <DataTable
        label={t("shell.environments")}
        horizontalSpacing="sm"
        head={
          <>
            <Column>{t("common.name")}</Column>
            <Column className={FACT}>{t("environments.flagsOn")}</Column>
            <HelpHeader title={t("environments.revision")} className={narrow.wide}>
              {t("environments.revisionHint")}
            </HelpHeader>
            <HelpHeader title={t("environments.rules")} className={FACT}>
              {t("environments.rulesHint")}
            </HelpHeader>
            <Column className={narrow.hidden}>{t("shell.apiKeys")}</Column>
            <Column className={FACT}>{t("environments.protection.column")}</Column>
            {mayWrite && <ActionsHeader />}
          </>
        }
      >
        {environments.map((environment) => (
          <EnvironmentRow key={environment.id} environment={environment}>
            {mayWrite && (
              <Table.Td>
                <RowActions
                  edit={{
                    label: t("environments.editOne", environment),
                    onClick: () => open({ kind: "edit", environment }),
                  }}
                  remove={{
                    label: t("environments.deleteOne", environment),
                    onClick: () => open({ kind: "delete", environment }),
                  }}
                >
                  {mayProtect && (
                    <ActionIcon
                      aria-label={t("environments.protection.open", environment)}
                      onClick={() => open({ kind: "protection", environment })}
                    >
                      <IconShieldLock size={16} stroke={1.75} aria-hidden />
                    </ActionIcon>
                  )}
                </RowActions>
              </Table.Td>
            )}
          </EnvironmentRow>
        ))}
      </DataTable>
      {dialog && (
        <>
          <FormModal
            title={t("environments.editOne", dialog.environment)}
            opened={isOpen && dialog.kind === "edit"}
            onClose={close}
          >
            <EnvironmentForm onClose={close} edited={dialog.environment} />
          </FormModal>
          <FormModal
            title={t("environments.protection.open", dialog.environment)}
            opened={isOpen && dialog.kind === "protection"}
            onClose={close}
          >
            <ProtectionForm environment={dialog.environment} onClose={close} />
          </FormModal>
          <DeleteEnvironment
            opened={isOpen && dialog.kind === "delete"}
            onClose={close}
            environment={dialog.environment}
          />
        </>
      )}
    </>
  );
}

/** The class of a column that a phone does not show, because the facts are below the name there. */
const FACT = `${narrow.hidden} ${classes.fact}`;

interface HelpHeaderProps {
  title: string;
  className: string | undefined;
  children: string;
}

/** The header of a column whose meaning is not obvious. */
function HelpHeader({ title, className, children }: HelpHeaderProps) {
  return (
    <Column className={className}>
      <Group gap={2} wrap="nowrap">
        {title}
        <HelpButton about={title}>{children}</HelpButton>
      </Group>
    </Column>
  );
}

interface RowProps {
  environment: Environment;
  children: ReactNode;
}

function EnvironmentRow({ environment, children }: RowProps) {
  const { t } = useTranslation();
  const { number, bytes } = useFormat();
  const protection = useProtectionText()(environment) ?? t("environments.protection.none");
  const { id, projectId, name, revision, ruleBytes, ruleBytesLimit, flagsOn, apiKeyCount } =
    environment;
  const { data: flags } = useQuery(flagCountQuery(projectId));
  const on =
    flagsOn !== undefined &&
    flags !== undefined &&
    t("environments.onOf", { on: number(flagsOn), flags: number(flags) });
  const rules = t("environments.rulesOf", {
    size: bytes(ruleBytes),
    limit: bytes(ruleBytesLimit),
  });
  const keys = apiKeyCount !== undefined && (
    <ApiKeysLink environment={environment}>
      {t("environments.keys", { count: apiKeyCount })}
    </ApiKeysLink>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} className={classes.name ?? ""}>
        <Group gap="xs">
          <EnvironmentChip id={id} name={name} />
          {environment.production && <ProductionBadge beside={name} />}
        </Group>
        <Text size="xs" c="dimmed" mt={4} className={narrow.only}>
          {t("environments.flagsOn")}: {on}
          <br />
          {t("environments.revision")}: {number(revision)}
          <br />
          {t("environments.rules")}: {rules}
          <br />
          {protection}
        </Text>
        <div className={narrow.only}>{keys}</div>
      </Table.Th>
      <Table.Td className={FACT}>{on}</Table.Td>
      <Table.Td className={narrow.wide}>{number(revision)}</Table.Td>
      <Table.Td className={FACT}>{rules}</Table.Td>
      <Table.Td className={narrow.hidden}>{keys}</Table.Td>
      <Table.Td className={FACT}>{protection}</Table.Td>
      {children}
    </Table.Tr>
  );
}

/** For an environment with a name such as "production", only screen readers read the badge. */
function ProductionBadge({ beside }: { beside: string }) {
  const { t } = useTranslation();
  const word = t("environments.production");
  if (/^produ[ck]tion$/i.test(beside)) return <VisuallyHidden>{word}</VisuallyHidden>;
  return (
    <Badge variant="outline" color="orange">
      {word}
    </Badge>
  );
}

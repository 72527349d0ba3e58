import { Badge, Code, Stack, Table, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { useWrite } from "../../shared/api/request.ts";
import type { ApiKey, Environment } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import narrow from "../../shared/ui/narrow.module.css";
import { CanWriteCheckbox } from "./ApiKeyForm.tsx";
import classes from "./ApiKeyTable.module.css";
import { RevokeWarning } from "./RevokeWarning.tsx";

interface Props {
  keys: readonly ApiKey[];
  environments: readonly Environment[];
}

export function ApiKeyTable({ keys, environments }: Props) {
  const { t } = useTranslation();
  const mayWrite = useCan("api-key:write");
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  return (
    <DataTable
      label={t("shell.apiKeys")}
      horizontalSpacing="sm"
      className={classes.table}
      head={
        <>
          <Column>{t("common.name")}</Column>
          <Column className={narrow.hidden}>{t("apiKeys.type")}</Column>
          <Column className={narrow.hidden}>{t("apiKeys.environment")}</Column>
          <Column className={narrow.wide}>{t("apiKeys.created")}</Column>
          <Column className={narrow.hidden}>{t("apiKeys.lastUsed")}</Column>
          {mayWrite && <ActionsHeader />}
        </>
      }
    >
      {keys.map((key) => (
        <ApiKeyRow
          key={key.id}
          apiKey={key}
          environment={names.get(key.environmentId) ?? ""}
          mayWrite={mayWrite}
        />
      ))}
    </DataTable>
  );
}

interface RowProps {
  apiKey: ApiKey;
  environment: string;
  mayWrite: boolean;
}

function ApiKeyRow({ apiKey, environment, mayWrite }: RowProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { name, keyType, canWrite, preview, createdAt, lastUsedAt } = apiKey;
  const type = (
    <>
      <Badge variant="dot" color={keyType === "SERVER" ? "blue" : "teal"}>
        {t(`apiKeys.types.${keyType}`)}
      </Badge>
      <Text size="xs" c="dimmed" mt={2}>
        {t(`apiKeys.typesInShort.${keyType}`)}
        {keyType === "SERVER" && ` · ${t(canWrite ? "apiKeys.writes" : "apiKeys.onlyReads")}`}
      </Text>
    </>
  );
  const chip = <EnvironmentChip id={apiKey.environmentId} name={environment} />;
  const lastUsed = lastUsedAt === null ? t("apiKeys.neverUsed") : <TimeAgo at={lastUsedAt} />;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
        <Text size="xs" c="dimmed">
          {t("apiKeys.endsIn")} <Code fz="xs">{preview}</Code>
        </Text>
        <div className={narrow.only}>
          <Stack gap={4} align="flex-start" mt={4}>
            {chip}
            <div>{type}</div>
            <Text size="xs" c="dimmed">
              {t("apiKeys.created")}: {date(createdAt)} · {t("apiKeys.lastUsed")}: {lastUsed}
            </Text>
          </Stack>
        </div>
      </Table.Th>
      <Table.Td className={narrow.hidden}>{type}</Table.Td>
      <Table.Td className={narrow.hidden}>{chip}</Table.Td>
      <Table.Td className={narrow.wide}>{date(createdAt)}</Table.Td>
      <Table.Td className={narrow.hidden}>{lastUsed}</Table.Td>
      {mayWrite && (
        <Table.Td>
          <Actions apiKey={apiKey} environment={environment} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Actions({ apiKey, environment }: Omit<RowProps, "mayWrite">) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const [isEditing, editing] = useDisclosure(false);
  const { id, name } = apiKey;
  const revoke = useWrite("delete", "/api/v1/api-keys/{id}", {
    onSuccess: () => done(t("apiKeys.revoked", { name })),
    onError: failed,
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: t("apiKeys.revokeAsk", { name }),
      children: <RevokeWarning apiKey={apiKey} environment={environment} />,
      confirm: t("apiKeys.revoke"),
      isDangerous: true,
    });
    if (isConfirmed) revoke.mutate({ path: { id } });
  };
  return (
    <>
      <RowActions
        edit={{ label: t("apiKeys.editOne", { name }), onClick: editing.open }}
        remove={{
          label: t("apiKeys.revokeOne", { name }),
          loading: revoke.isPending,
          onClick: () => void ask(),
        }}
      />
      <FormModal title={t("apiKeys.editOne", apiKey)} opened={isEditing} onClose={editing.close}>
        <EditApiKey apiKey={apiKey} onClose={editing.close} />
      </FormModal>
    </>
  );
}

interface EditApiKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

function EditApiKey({ apiKey: { id, name, keyType, canWrite }, onClose }: EditApiKeyProps) {
  const { t } = useTranslation();
  const update = useMutation({
    mutationFn: (body: { name: string; canWrite: boolean }) =>
      api.PUT("/api/v1/api-keys/{id}", { params: { path: { id } }, body }),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name, canWrite },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      await update.mutateAsync(values);
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("apiKeys.nameHint")} {...form.getInputProps("name")} />
      {keyType === "SERVER" && (
        <CanWriteCheckbox {...form.getInputProps("canWrite", { type: "checkbox" })} />
      )}
      <FormActions onCancel={onClose} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}

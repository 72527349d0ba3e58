import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { read, send, useWrite } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { RemovableRow } from "../../shared/ui/RemovableRow.tsx";
import rows from "../../shared/ui/row-list.module.css";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

/** The registered OAuth clients, with buttons to register and delete them. */
export function AgentClients() {
  const { t } = useTranslation();
  const clients = useQuery(read("/api/v1/settings/oauth-clients"));
  const [isAdding, { open, close }] = useDisclosure(false);
  return (
    <>
      <QueryView query={clients}>
        {(loaded) => (
          <Stack gap="sm">
            {loaded.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t("agents.noClients")}
              </Text>
            ) : (
              <ul className={rows.list}>
                {loaded.map((client) => (
                  <Row key={client.id} client={client} />
                ))}
              </ul>
            )}
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                onClick={open}
              >
                {t("agents.register")}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
      <FormModal title={t("agents.register")} opened={isAdding} onClose={close}>
        <ClientForm onClose={close} />
      </FormModal>
    </>
  );
}

function Row({ client: { id, name, clientId, redirectUris } }: { client: Schemas["OAuthClient"] }) {
  const { t } = useTranslation();
  return (
    <RemovableRow
      Icon={IconRobot}
      actions={
        <CopyText
          size="compact-sm"
          value={clientId}
          text={t("common.copy")}
          label={`${t("common.copy")}: ${t("agents.clientId")} ${name}`}
        />
      }
      button={{ text: t("agents.delete"), label: `${t("agents.delete")}: ${name}` }}
      question={{
        title: t("agents.deleteAsk", { name }),
        children: t("agents.deleteText"),
        confirm: t("agents.delete"),
      }}
      remove={() => send("delete", "/api/v1/settings/oauth-clients/{id}", { path: { id } })}
      removed={t("agents.deleted", { name })}
    >
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs">
        {t("agents.clientId")}: {clientId}
      </Text>
      <Text size="xs" c="dimmed">
        {redirectUris.join(" · ")}
      </Text>
    </RemovableRow>
  );
}

/** Returns the lines of a text that are not empty. */
const linesOf = (text: string): string[] => text.split("\n").flatMap((line) => line.trim() || []);

function ClientForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { mutateAsync } = useWrite("post", "/api/v1/settings/oauth-clients");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: "", redirectUris: "" },
      validate: {
        name: isNotEmpty(t("common.required")),
        redirectUris: isNotEmpty(t("common.required")),
      },
    },
    submit: async ({ name, redirectUris }) => {
      await mutateAsync({ body: { name, redirectUris: linesOf(redirectUris) } });
      done(t("agents.created", { name }));
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput {...form.getInputProps("name")} />
      <Textarea
        label={t("agents.redirectUris")}
        description={t("agents.redirectUrisHint")}
        autosize
        minRows={2}
        spellCheck={false}
        required
        withAsterisk={false}
        {...form.getInputProps("redirectUris")}
      />
      <FormActions submit={t("agents.register")} pending={pending} onCancel={onClose} />
    </ServerForm>
  );
}

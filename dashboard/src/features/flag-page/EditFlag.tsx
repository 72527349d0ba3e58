import { Button, TagsInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { tagsQuery } from "../../shared/data/project-lists.ts";
import { ClientsInput } from "../../shared/flags/ClientsInput.tsx";
import { OwnersInput } from "../../shared/flags/OwnersInput.tsx";
import { useConfirmClients } from "../../shared/flags/use-confirm-clients.ts";
import { useUpdateFlag } from "../../shared/flags/use-update-flag.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { MAX_NAME, NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useManagedFields } from "./use-managed-fields.ts";
import { ManagedWarning } from "./Managed.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

/** The maximum number of tags of a flag. The API rejects more. */
const MAX_TAGS = 50;

export function EditFlag({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t("common.edit")}
      </Button>
      <FormModal title={t("flag.editTitle")} opened={isOpen} onClose={() => setIsOpen(false)}>
        <EditFlagForm flag={flag} onDone={() => setIsOpen(false)} />
      </FormModal>
    </>
  );
}

function EditFlagForm({ flag, onDone }: { flag: Flag; onDone: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { data: tags = [] } = useQuery(tagsQuery(flag.projectId));
  // The version of the flag when the form opened. If another user has saved the flag since then,
  // the API rejects the update (412).
  const [version] = useState(flag.version);
  const update = useUpdateFlag(flag);
  const managed = useManagedFields(flag.id, null);
  const confirmClients = useConfirmClients(flag);
  const labels = {
    name: t("common.name"),
    description: t("common.description"),
    tags: t("shell.tags"),
    clients: t("clients.label"),
  };
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: {
        name: flag.name,
        description: flag.description ?? "",
        tags: flag.tags,
        ownerIds: flag.ownerIds,
        clients: flag.clients,
      },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async ({ name, description, tags: chosen, ownerIds, clients }) => {
      if (!(await confirmClients(clients))) return;
      const body = {
        name,
        description: description.trim() === "" ? null : description,
        tags: chosen,
        ownerIds,
        clients,
      };
      if (await update({ version, body })) notify.done(t("common.saved"));
      onDone();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput required={false} key={form.key("name")} {...form.getInputProps("name")} />
      <DescriptionInput key={form.key("description")} {...form.getInputProps("description")} />
      <TagsInput
        label={`${t("shell.tags")} (${t("common.optional")})`}
        description={t("flag.tagsHint")}
        data={tags.map(({ name }) => name)}
        maxTags={MAX_TAGS}
        maxLength={MAX_NAME}
        acceptValueOnBlur
        key={form.key("tags")}
        {...form.getInputProps("tags")}
      />
      <OwnersInput
        value={form.values.ownerIds}
        onChange={(ownerIds) => form.setFieldValue("ownerIds", ownerIds)}
        error={form.errors["ownerIds"]}
      />
      <ClientsInput
        label={t("clients.label")}
        value={form.values.clients}
        onChange={(clients) => form.setFieldValue("clients", clients)}
        error={form.errors["clients"]}
      />
      <ManagedWarning
        fields={Object.entries(labels).flatMap(([field, label]) =>
          managed.has(field) ? label : [],
        )}
      />
      <FormActions onCancel={onDone} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}

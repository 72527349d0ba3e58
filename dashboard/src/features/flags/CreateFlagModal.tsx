import { TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { tagsQuery } from "../../shared/data/tags.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FLAG_KEY } from "../../shared/flags/suggest-key.ts";
import { useSuggestedKey } from "../../shared/flags/use-suggested-key.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { FlagTypeChoice } from "./FlagTypeChoice.tsx";

interface Values extends Record<string, unknown> {
  name: string;
  key: string;
  flagType: Schemas["CreateFlag"]["flagType"];
  description: string;
  tags: string[];
}

const EMPTY: Values = { name: "", key: "", flagType: "RELEASE", description: "", tags: [] };

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function CreateFlagModal({ opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal title={t("flags.newFlag")} opened={opened} onClose={onClose} size="lg">
      <CreateFlagForm onClose={onClose} />
    </FormModal>
  );
}

function CreateFlagForm({ onClose }: Pick<Props, "onClose">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId();
  const { data: tags = [] } = useQuery(tagsQuery(projectId));
  const { mutateAsync } = useMutation({
    mutationFn: (values: Values) =>
      dataOf(api.POST("/api/v1/flags", { body: { ...toBody(values), projectId } })),
  });
  const { form, pending, error, onSubmit } = useServerForm<Values>({
    form: {
      initialValues: EMPTY,
      validate: {
        name: isNotEmpty(t("common.required")),
        key: (key) => (FLAG_KEY.test(key) ? null : t("flags.keyRule")),
      },
    },
    submit: async (values) => {
      // A conflict (409) is always about the flag key, because no other field of a flag must be
      // unique.
      const { id } = await conflictToFieldError(mutateAsync(values), "key", t("flags.keyTaken"));
      await navigate({
        to: "/projects/$projectId/flags/$flagId",
        params: { projectId, flagId: id },
      });
    },
  });

  const { onName, onKey } = useSuggestedKey((key) => form.setFieldValue("key", key));

  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TextInput
        label={t("common.name")}
        description={t("flags.nameHint")}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps("name")}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue("name", value);
          onName(value);
        }}
      />
      <TextInput
        label={t("flags.key")}
        description={`${t("flags.keyHint")} ${t("flags.keyRule")}`}
        maxLength={128}
        required
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps("key")}
        onChange={({ currentTarget }) => onKey(currentTarget.value)}
      />
      <FlagTypeChoice
        value={form.values.flagType}
        onChange={(type) => form.setFieldValue("flagType", type)}
      />
      <Textarea
        label={t("common.description")}
        placeholder={t("flags.descriptionPlaceholder")}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps("description")}
      />
      <TagsInput
        label={t("flags.tags")}
        description={t("flags.tagsHint")}
        data={tags.map(({ name }) => name)}
        maxTags={50}
        maxLength={200}
        maxDropdownHeight={200}
        clearable
        {...form.getInputProps("tags")}
      />
      <Text size="sm" c="dimmed">
        {t("flags.createHint")}
      </Text>
      <FormActions onCancel={onClose} pending={pending} submit={t("flags.createFlag")} />
    </ServerForm>
  );
}

function toBody({ name, key, flagType, description, tags }: Values) {
  const words = description.trim();
  return { name: name.trim(), key, flagType, tags, ...(words !== "" && { description: words }) };
}

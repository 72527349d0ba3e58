import { Button, NumberInput, Radio, Stack } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { every } from "../../shared/every.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { type EditedProject, type SettingsFields, updateProject } from "./project-requests.ts";
import { ProjectFieldset } from "./ProjectFieldset.tsx";

const VISIBILITIES = every<SettingsFields["visibility"]>()(["everyone", "members"]);

/** Starts from the version loaded first or saved last, so that a refetch overwrites no input. */
export function EditProject({ loaded }: { loaded: EditedProject }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const [edited, setEdited] = useState(loaded);
  const mayRename = useCan("project:create");
  const save = useMutation({
    mutationFn: (fields: SettingsFields) => updateProject(edited, fields),
  });
  const { form, pending, error, onSubmit } = useServerForm<SettingsFields>({
    form: {
      initialValues: fieldsOf(edited),
      validate: {
        name: isNotEmpty(t("common.required")),
        staleDays: isNotEmpty(t("common.required")),
      },
    },
    submit: async (fields) => {
      const saved = await conflictToFieldError(
        save.mutateAsync(fields),
        "name",
        t("projects.nameInUse"),
      );
      setEdited(saved);
      form.setInitialValues(fieldsOf(saved));
      form.setValues(fieldsOf(saved));
      done(t("common.saved"));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <ProjectFieldset form={form} mayRename={mayRename} />
      <NumberInput
        label={t("projects.staleDays")}
        description={t("projects.staleDaysHint")}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        min={1}
        max={3650}
        required
        maw="20rem"
        {...form.getInputProps("staleDays")}
      />
      <Radio.Group label={t("projects.visibility")} {...form.getInputProps("visibility")}>
        <Stack gap="xs" mt="xs">
          {VISIBILITIES.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`projects.visible.${value}`)}
              description={t(`projects.visibleMeans.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <div>
        <Button type="submit" loading={pending} disabled={!form.isDirty()}>
          {t("common.save")}
        </Button>
      </div>
    </ServerForm>
  );
}

const fieldsOf = ({
  project: { name, description, newFlagClients, staleDays, visibility },
}: EditedProject): SettingsFields => ({
  name,
  description: description ?? "",
  newFlagClients,
  staleDays,
  visibility,
});

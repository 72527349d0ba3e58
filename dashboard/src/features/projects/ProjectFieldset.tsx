import type { UseFormReturnType } from "@mantine/form";
import { ClientsInput } from "../../shared/flags/ClientsInput.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { ProjectFields } from "./project-requests.ts";

interface Props {
  form: UseFormReturnType<ProjectFields>;
  /** Whether the user may change the name. Default: true. */
  mayRename?: boolean;
}

export function ProjectFieldset({ form, mayRename = true }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <NameInput
        {...form.getInputProps("name")}
        {...(!mayRename && { disabled: true, description: t("projects.nameFixed") })}
      />
      <DescriptionInput
        description={t("projects.descriptionHint")}
        {...form.getInputProps("description")}
      />
      <ClientsInput
        label={t("clients.newFlags")}
        value={form.values.newFlagClients}
        onChange={(clients) => form.setFieldValue("newFlagClients", clients)}
        error={form.errors["newFlagClients"]}
      />
    </>
  );
}

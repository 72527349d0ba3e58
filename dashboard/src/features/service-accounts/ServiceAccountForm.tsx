import { Select, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Role, ServiceAccount } from "../../shared/api/types.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan, useProjectsWith } from "../../shared/session/current-session.tsx";
import { RoleChoice } from "../../shared/session/RoleChoice.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

type Fields = {
  name: string;
  role: Role;
  /** The id of the project, or `ALL`. Null: none is chosen yet. */
  project: string | null;
};

/** The option for an account whose role applies in all projects. */
const ALL = "all";

interface Props {
  /** The service account to edit. Undefined if the form creates a new one. */
  account?: ServiceAccount | undefined;
  onSaved: (account: ServiceAccount) => void;
  onCancel: () => void;
}

export function ServiceAccountForm({ account, onSaved, onCancel }: Props) {
  const { t } = useTranslation();
  const isOrganisation = useCan("service-account:write");
  const projects = useProjectsWith("service-account:write");
  const save = useMutation({
    mutationFn: ({ name, role, project }: Fields) => {
      if (account) {
        const { id, version } = account;
        const input = { path: { id }, ifMatch: version, body: { name, role } };
        return send("put", "/api/v1/service-accounts/{id}", input);
      }
      const projectId = project === ALL ? null : Number(project);
      return send("post", "/api/v1/service-accounts", { body: { name, role, projectId } });
    },
  });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        name: account?.name ?? "",
        role: account?.role ?? "DEVELOPER",
        project: account ? ALL : null,
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        project: isNotEmpty(t("common.required")),
      },
    },
    submit: async (fields) =>
      onSaved(
        await rewordError(save.mutateAsync(fields), {
          codes: { QUOTA_EXCEEDED: t("serviceAccounts.quota") },
        }),
      ),
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("serviceAccounts.nameHint")} {...form.getInputProps("name")} />
      {!account && (
        <Select
          label={t("serviceAccounts.project")}
          description={[
            t("serviceAccounts.projectHint"),
            ...(isOrganisation ? [t("serviceAccounts.allProjectsHint")] : []),
          ].join(" ")}
          placeholder={t("shell.chooseProject")}
          required
          searchable
          nothingFoundMessage={t("shell.searchEmpty")}
          data={[
            ...selectOptionsOf(projects),
            ...(isOrganisation ? [{ value: ALL, label: t("serviceAccounts.allProjects") }] : []),
          ]}
          {...form.getInputProps("project")}
        />
      )}
      <RoleChoice {...form.getInputProps("role")} />
      {account && (
        <Text size="sm" c="dimmed">
          {t("serviceAccounts.roleNow")}
        </Text>
      )}
      <FormActions
        onCancel={onCancel}
        pending={pending}
        submit={t(account ? "common.save" : "serviceAccounts.create")}
        disabled={!form.isDirty()}
      />
    </ServerForm>
  );
}

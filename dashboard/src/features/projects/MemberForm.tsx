import { Select } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { ROLES } from "@feature-flags/permissions/permissions";
import { useQuery } from "@tanstack/react-query";
import { useWrite } from "../../shared/api/request.ts";
import type { Schemas, Role } from "../../shared/api/types.ts";
import { peopleQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

export type Member = Schemas["ProjectMember"];

type Fields = {
  userId: string | null;
  role: Role;
};

interface Props {
  projectId: number;
  members: readonly Member[];
  /** The member whose role changes. Undefined: a user becomes a member. */
  edited: Member | undefined;
  onClose: () => void;
}

export function MemberForm({ projectId, members, edited, onClose }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { data: people = [] } = useQuery({ ...peopleQuery, enabled: !edited });
  const save = useWrite("put", "/api/v1/projects/{id}/members/{userId}");
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        userId: edited ? String(edited.userId) : null,
        role: edited?.role ?? "DEVELOPER",
      },
      validate: { userId: isNotEmpty(t("common.required")) },
    },
    submit: async ({ userId, role }) => {
      const { name } = await save.mutateAsync({
        path: { id: projectId, userId: Number(userId) },
        ...(edited && { ifMatch: edited.version }),
        body: { role },
      });
      done(t("projects.memberSaved", { name }));
      onClose();
    },
  });
  const isMember = new Set(members.map(({ userId }) => userId));
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {!edited && (
        <Select
          label={t("users.person")}
          searchable
          required
          nothingFoundMessage={t("users.nobody")}
          data={people.flatMap(({ id, name }) =>
            isMember.has(id) ? [] : [{ value: String(id), label: name }],
          )}
          {...form.getInputProps("userId")}
        />
      )}
      <Select
        label={t("projects.roleHere")}
        allowDeselect={false}
        data={ROLES.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
        {...form.getInputProps("role")}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(edited ? "common.save" : "projects.addMember")}
      />
    </ServerForm>
  );
}

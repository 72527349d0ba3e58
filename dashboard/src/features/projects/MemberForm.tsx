import { Select } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { ROLES } from "@feature-flags/permissions/permissions";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Role } from "../../shared/api/types.ts";
import { peopleQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { type Member, setMember } from "./member-requests.ts";

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
  const save = useMutation({
    mutationFn: ({ userId, role }: Fields) =>
      setMember({ projectId, userId: Number(userId), version: edited?.version }, role),
  });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: {
        userId: edited ? String(edited.userId) : null,
        role: edited?.role ?? "DEVELOPER",
      },
      validate: { userId: isNotEmpty(t("common.required")) },
    },
    submit: async (fields) => {
      const { name } = await save.mutateAsync(fields);
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

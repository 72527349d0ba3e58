import { Alert, Switch, Text, List } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { writeSession } from "../../shared/session/session-store.ts";
import * as session from "../../shared/session/update-session.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { RoleChoice } from "../../shared/session/RoleChoice.tsx";
import { type EditedUser, editedUserQuery, updateUser, type UserFields } from "./user-requests.ts";

interface Props {
  id: number;
  onClose: () => void;
}

export function EditUser({ id, onClose }: Props) {
  const edited = useQuery(editedUserQuery(id));
  return (
    <QueryView query={edited}>
      {(loaded) => <UserForm edited={loaded} onClose={onClose} />}
    </QueryView>
  );
}

function UserForm({ edited, onClose }: { edited: EditedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = edited;
  const isOwn = useCurrentSession().user.id === user.id;
  const save = useMutation({ mutationFn: (fields: UserFields) => updateUser(edited, fields) });
  const { form, pending, error, onSubmit } = useServerForm<UserFields>({
    form: {
      initialValues: {
        name: user.name,
        role: user.role,
        maySignIn: user.status === "ACTIVE",
        breakGlass: user.breakGlass,
      },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (fields) => {
      const saved = await rewordError(save.mutateAsync(fields), {
        codes: { CONFLICT: t(user.breakGlass ? "users.lastBreakGlass" : "users.lastAdmin") },
      });
      onClose();
      // If the user has changed their own role or status, the service has ended the current
      // session.
      if (isOwn && (saved.role !== user.role || saved.status !== user.status)) writeSession(null);
      else if (isOwn) await session.updateUser(saved);
      done(t("users.saved", { name: saved.name }));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {isOwn && (
        <Alert color="yellow" role="note">
          {t("users.editOwn")}
        </Alert>
      )}
      <NameInput withAsterisk={false} {...form.getInputProps("name")} />
      <RoleChoice {...form.getInputProps("role")} />
      {form.values.role === "ADMIN" && (
        <Switch
          label={t("users.breakGlass")}
          description={t("users.breakGlassHint")}
          {...form.getInputProps("breakGlass", { type: "checkbox" })}
        />
      )}
      {!user.invitationPending && (
        <Switch
          label={t("users.maySignIn")}
          description={t("users.maySignInHint")}
          {...form.getInputProps("maySignIn", { type: "checkbox" })}
        />
      )}
      <ProjectRoles roles={user.projectRoles} />
      {!isOwn && user.status === "ACTIVE" && (
        <Text size="sm" c="dimmed">
          {t("users.endsSessions")}
        </Text>
      )}
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t("common.save")}
        disabled={!form.isDirty()}
      />
    </ServerForm>
  );
}

interface ProjectRolesProps {
  roles: Schemas["UserWithRoles"]["projectRoles"];
}

/** The roles of a user in projects, each with a link to the settings that change it. */
function ProjectRoles({ roles }: ProjectRolesProps) {
  const { t } = useTranslation();
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: roles.length > 0 });
  if (roles.length === 0) return null;
  const nameOf = (id: number) => projects.find((project) => project.id === id)?.name ?? `#${id}`;
  return (
    <div>
      <Text size="sm" fw={500}>
        {t("users.projectRoles")}
      </Text>
      <List size="sm" mt={4}>
        {roles.map(({ projectId, role }) => (
          <List.Item key={projectId}>
            <LinkAnchor to="/projects/$projectId/settings" params={{ projectId }}>
              {nameOf(projectId)}
            </LinkAnchor>
            : {t(`users.roles.${role}`)}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

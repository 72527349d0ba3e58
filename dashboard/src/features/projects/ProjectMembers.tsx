import { Button, Group, Table, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { roleIncludes } from "@feature-flags/permissions/permissions";
import { read, useWrite } from "../../shared/api/request.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { type Member, MemberForm } from "./MemberForm.tsx";
import narrow from "../../shared/ui/narrow.module.css";

/** What the form is about. `member` is undefined for a new member. */
interface Edited {
  readonly member: Member | undefined;
}

/** The members of a project, with a button to add one for those who may. */
export function ProjectMembers({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  const members = useQuery(read("/api/v1/projects/{id}/members", { path: { id: projectId } }));
  const mayWrite = useCan("member:write");
  const { subject: edited, isOpen, open, close } = useDialog<Edited>();
  return (
    <QueryView query={members}>
      {(loaded) => (
        <>
          {loaded.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("projects.noMembers")}
            </Text>
          ) : (
            <MemberTable
              projectId={projectId}
              members={loaded}
              onEdit={(member) => open({ member })}
            />
          )}
          {mayWrite && (
            <Group mt="md">
              <Button
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                onClick={() => open({ member: undefined })}
              >
                {t("projects.addMember")}
              </Button>
            </Group>
          )}
          <FormModal
            title={
              edited?.member ? t("projects.editMember", edited.member) : t("projects.addMember")
            }
            opened={isOpen}
            onClose={close}
          >
            <MemberForm
              projectId={projectId}
              members={loaded}
              edited={edited?.member}
              onClose={close}
            />
          </FormModal>
        </>
      )}
    </QueryView>
  );
}

interface TableProps {
  projectId: number;
  members: readonly Member[];
  onEdit: (member: Member) => void;
}

function MemberTable({ projectId, members, onEdit }: TableProps) {
  const { t } = useTranslation();
  const mayWrite = useCan("member:write");
  const remove = useRemoveMember(projectId);
  return (
    <DataTable
      label={t("projects.members")}
      verticalSpacing="xs"
      head={
        <>
          <Column>{t("common.name")}</Column>
          <Column className={narrow.hidden}>{t("projects.roleInOrganisation")}</Column>
          <Column>{t("projects.roleHere")}</Column>
          <Column className={narrow.hidden}>{t("projects.effectiveRole")}</Column>
          {mayWrite && <ActionsHeader w="6rem" />}
        </>
      }
    >
      {members.map((member) => (
        <Table.Tr key={member.userId}>
          <Table.Th scope="row" fw={500}>
            {member.name}
          </Table.Th>
          <Table.Td className={narrow.hidden}>
            {t(`users.roles.${member.organisationRole}`)}
          </Table.Td>
          <Table.Td>{t(`users.roles.${member.role}`)}</Table.Td>
          <Table.Td className={narrow.hidden}>{t(`users.roles.${effectiveRole(member)}`)}</Table.Td>
          {mayWrite && (
            <Table.Td>
              <RowActions
                edit={{ label: t("projects.editMember", member), onClick: () => onEdit(member) }}
                remove={{
                  label: t("projects.removeMember", member),
                  onClick: () => void remove(member),
                }}
              />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** The higher of the two roles of a member. */
const effectiveRole = ({ role, organisationRole }: Member) =>
  roleIncludes(role, organisationRole) ? role : organisationRole;

/** Asks before a member is removed. */
function useRemoveMember(projectId: number): (member: Member) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const own = useCurrentSession().user.id;
  const { mutateAsync } = useWrite("delete", "/api/v1/projects/{id}/members/{userId}");
  return async (member) => {
    const { userId, version } = member;
    const isConfirmed = await confirm({
      title: t("projects.removeMemberAsk", member),
      children: t(userId === own ? "projects.removeYourself" : "projects.removeMemberText"),
      confirm: t("projects.removeMemberConfirm"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      await mutateAsync({ path: { id: projectId, userId }, ifMatch: version });
      done(t("projects.memberRemoved", member));
    } catch (error) {
      failed(error);
    }
  };
}

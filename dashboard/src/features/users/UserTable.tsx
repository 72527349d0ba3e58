import { Badge, Group, Table, Text } from "@mantine/core";
import type { Schemas, User } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";
import { UserAvatar } from "../../shared/ui/UserAvatar.tsx";
import { ActionsHeader } from "../../shared/ui/RowActions.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { UserActions } from "./UserActions.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import classes from "./UserTable.module.css";

const COLOURS = { ACTIVE: "green", INVITED: "blue", DISABLED: "gray" } as const;

interface Props {
  users: readonly User[];
  onInvited: (user: Schemas["InvitedUser"]) => void;
}

export function UserTable({ users, onInvited }: Props) {
  const { t } = useTranslation();
  const mayWrite = useCan("user:write");
  const own = useCurrentSession().user.id;
  return (
    <DataTable
      label={t("shell.users")}
      highlightOnHover
      head={
        <>
          <Column>{t("users.person")}</Column>
          <Column className={narrow.hidden}>{t("users.role")}</Column>
          <Column className={narrow.hidden}>{t("users.status")}</Column>
          <Column className={narrow.hidden}>{t("users.lastActive")}</Column>
          {mayWrite && <ActionsHeader />}
        </>
      }
    >
      {users.map((user) => (
        <Table.Tr key={user.id}>
          <Table.Th scope="row" fw={400}>
            <Group wrap="nowrap" gap="sm">
              <UserAvatar name={user.name} />
              <div className={classes.who}>
                <Group gap="xs">
                  <Text size="sm" fw={500}>
                    {user.name}
                  </Text>
                  {user.id === own && <Badge variant="default">{t("users.you")}</Badge>}
                </Group>
                <Text size="xs" c="dimmed">
                  {user.email}
                </Text>
                <Text size="xs" c="dimmed" className={narrow.only}>
                  {t(`users.roles.${user.role}`)} · {t(`users.statuses.${user.status}`)}
                </Text>
              </div>
            </Group>
          </Table.Th>
          <Table.Td className={narrow.hidden}>{t(`users.roles.${user.role}`)}</Table.Td>
          <Table.Td className={narrow.hidden}>
            <Badge color={COLOURS[user.status]} variant="dot">
              {t(`users.statuses.${user.status}`)}
            </Badge>
          </Table.Td>
          <Table.Td className={`${narrow.hidden} ${classes.time}`}>
            <TimeAgo at={user.lastActiveAt} />
          </Table.Td>
          {mayWrite && (
            <Table.Td className={classes.actions}>
              <UserActions user={user} onInvited={onInvited} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

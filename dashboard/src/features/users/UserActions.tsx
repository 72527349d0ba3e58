import { ActionIcon, Menu, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconDots,
  IconKey,
  IconMail,
  IconPencil,
  IconShieldOff,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Schemas, User } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { writeSession } from "../../shared/session/session-store.ts";
import { Agents } from "../../shared/tokens/Agents.tsx";
import { TokenList } from "../../shared/tokens/TokenList.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { EditUser } from "./EditUser.tsx";

interface Props {
  user: User;
  onInvited: (user: Schemas["InvitedUser"]) => void;
}

export function UserActions({ user, onInvited }: Props) {
  const { t } = useTranslation();
  const { done, failed } = useNotify();
  const confirm = useConfirm();
  const [isEditing, edit] = useDisclosure(false);
  const [showsAccess, access] = useDisclosure(false);
  const { id, name, email, invitationPending, breakGlass } = user;
  const last = t(breakGlass ? "users.lastBreakGlass" : "users.lastAdmin");
  const isOwn = useCurrentSession().user.id === id;
  const path = { id };

  const invite = useMutation({
    mutationFn: () =>
      rewordError(send("post", "/api/v1/users/{id}/invite", { path }), {
        codes: { CONFLICT: t("users.accepted", { name }) },
      }),
    onSuccess: onInvited,
    onError: failed,
  });
  const reset = useMutation({
    mutationFn: () =>
      rewordError(send("delete", "/api/v1/users/{id}/mfa", { path }), {
        codes: { NOT_FOUND: t("users.noMfa", { name }), CONFLICT: last },
      }),
    onSuccess: () => done(t("users.mfaReset", { name })),
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: () =>
      rewordError(send("delete", "/api/v1/users/{id}", { path }), { codes: { CONFLICT: last } }),
    onSuccess: () => {
      done(t("users.deleted", { name }));
      if (isOwn) writeSession(null);
    },
    onError: failed,
  });

  const askReset = async () => {
    const isConfirmed = await confirm({
      title: t("users.resetMfaTitle", { name }),
      children: t("users.resetMfaText"),
      confirm: t("users.resetMfa"),
      isDangerous: true,
    });
    if (isConfirmed) reset.mutate();
  };
  const askDelete = async () => {
    const consequence = invitationPending ? "users.deleteInvited" : "users.deleteText";
    const isConfirmed = await confirm({
      title: t("users.deleteTitle", { name }),
      children: t(isOwn ? "users.deleteOwn" : consequence, { email }),
      confirm: t("users.delete"),
      isDangerous: true,
    });
    if (isConfirmed) remove.mutate();
  };

  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            aria-label={t("users.actionsFor", { name })}
            loading={invite.isPending || reset.isPending || remove.isPending}
          >
            <IconDots size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
            {t("users.edit")}
          </Menu.Item>
          {invitationPending && (
            <Menu.Item
              leftSection={<IconMail size={16} aria-hidden />}
              onClick={() => invite.mutate()}
            >
              {t("users.inviteAgain")}
            </Menu.Item>
          )}
          {!invitationPending && (
            <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={access.open}>
              {t("users.access")}
            </Menu.Item>
          )}
          {/* Users cannot turn off their own second factor in this menu, only in their profile. */}
          {!invitationPending && !isOwn && (
            <Menu.Item
              leftSection={<IconShieldOff size={16} aria-hidden />}
              onClick={() => void askReset()}
            >
              {t("users.resetMfa")}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => void askDelete()}
          >
            {t("users.delete")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal title={t("users.editTitle", { name })} opened={isEditing} onClose={edit.close}>
        <EditUser id={id} onClose={edit.close} />
      </FormModal>
      <FormModal
        title={t("users.accessTitle", { name })}
        opened={showsAccess}
        onClose={access.close}
        size="lg"
      >
        <UserAccess id={id} />
      </FormModal>
    </>
  );
}

/** The tokens and the connected agents of a user, with buttons to revoke them. */
function UserAccess({ id }: { id: number }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t("users.accessText")}
      </Text>
      <div>
        <Title order={3} size="h5">
          {t("tokens.title")}
        </Title>
        <TokenList of={{ userId: id }} />
      </div>
      <div>
        <Title order={3} size="h5">
          {t("agents.title")}
        </Title>
        <Agents userId={id} />
      </div>
    </Stack>
  );
}

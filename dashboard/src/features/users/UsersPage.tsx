import { ROLES } from "@feature-flags/permissions/permissions";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import type { Schemas, User } from "../../shared/api/types.ts";
import { usersQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { FilterBar } from "../../shared/list/FilterBar.tsx";
import { FilterControls } from "../../shared/list/FilterControls.tsx";
import { useFilteredList } from "../../shared/list/use-filtered-list.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { STATUSES, type UsersSearch } from "./search-params.ts";
import { InviteUser } from "./InviteUser.tsx";
import { UserTable } from "./UserTable.tsx";

const route = getRouteApi("/users");

/** The number of users per page of the table. Longer tables render slowly. */
const PAGE_SIZE = 50;

export function UsersPage() {
  const { t } = useTranslation();
  const { done } = useNotify();
  const mayWrite = useCan("user:write");
  const users = useQuery(usersQuery);
  const [isInviting, invite] = useDisclosure(false);
  const [unsent, setUnsent] = useState<User>();

  const onInvited = (user: Schemas["InvitedUser"]) => {
    setUnsent(user.invitationSent ? undefined : user);
    if (user.invitationSent) done(t("users.invited", { email: user.email }));
  };

  return (
    <>
      <PageHeader
        title={t("shell.users")}
        description={t("users.intro")}
        actions={mayWrite && <CreateButton onClick={invite.open}>{t("users.invite")}</CreateButton>}
      />
      {unsent && (
        <InvitationNotSent
          user={unsent}
          onInvited={onInvited}
          onClose={() => setUnsent(undefined)}
        />
      )}
      <QueryView query={users}>
        {(all) => <FilteredUsers users={all} onInvited={onInvited} />}
      </QueryView>
      <FormModal title={t("users.inviteTitle")} opened={isInviting} onClose={invite.close}>
        <InviteUser onClose={invite.close} onInvited={onInvited} />
      </FormModal>
    </>
  );
}

interface FoundProps {
  users: readonly User[];
  onInvited: (user: Schemas["InvitedUser"]) => void;
}

function FilteredUsers({ users, onInvited }: FoundProps) {
  const { t } = useTranslation();
  const { role, status } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: Pick<UsersSearch, "role" | "status">) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...changed }),
      resetScroll: false,
    });
  const { search, found, shown, onSearch, ...pages } = useFilteredList(
    users.filter(
      (user) =>
        (role === undefined || user.role === role) &&
        (status === undefined || user.status === status),
    ),
    ({ name, email }) => `${name}\n${email}`,
    PAGE_SIZE,
  );
  return (
    <Stack gap="sm">
      <FilterBar
        label={t("filters.bar")}
        search={{ label: t("users.search"), value: search, onSearch }}
      >
        <FilterControls
          filters={[
            {
              label: t("users.role"),
              options: ROLES.toReversed().map((value) => ({
                value,
                label: t(`users.roles.${value}`),
              })),
              value: role,
              onChange: (value) => change({ role: ROLES.find((known) => known === value) }),
            },
            {
              label: t("users.status"),
              options: STATUSES.map((value) => ({ value, label: t(`users.statuses.${value}`) })),
              value: status,
              onChange: (value) => change({ status: STATUSES.find((known) => known === value) }),
            },
          ]}
          onClear={
            role === undefined && status === undefined
              ? undefined
              : () => change({ role: undefined, status: undefined })
          }
        />
      </FilterBar>
      <Text size="sm" c="dimmed" role="status">
        {t("users.found", { count: found.length })}
      </Text>
      {found.length === 0 ? (
        <EmptyState Icon={IconUserSearch} title={t("users.nobody")}>
          {t("users.nobodyText")}
        </EmptyState>
      ) : (
        <UserTable users={shown} onInvited={onInvited} />
      )}
      <ListPagination {...pages} />
    </Stack>
  );
}

interface UnsentProps {
  user: User;
  onInvited: (user: Schemas["InvitedUser"]) => void;
  onClose: () => void;
}

/** Says that the invitation exists but its mail was not sent, and offers to send the mail again. */
function InvitationNotSent({ user: { id, email }, onInvited, onClose }: UnsentProps) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const again = useWrite("post", "/api/v1/users/{id}/invite", {
    onSuccess: onInvited,
    onError: failed,
  });
  return (
    <Alert
      color="yellow"
      mb="md"
      title={t("users.unsentTitle", { email })}
      withCloseButton
      closeButtonLabel={t("common.close")}
      onClose={onClose}
    >
      <Text size="sm" mb="xs">
        {t("users.unsentText")}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        loading={again.isPending}
        onClick={() => again.mutate({ path: { id } })}
      >
        {t("users.inviteAgain")}
      </Button>
    </Alert>
  );
}

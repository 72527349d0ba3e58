import { Table, Text } from "@mantine/core";
import { useWrite } from "../../shared/api/request.ts";
import type { ServiceAccount } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import { ServiceAccountForm } from "./ServiceAccountForm.tsx";
import { useProjectName } from "./use-project-name.ts";

/** The user may change every account of the list, because reading needs the same role as writing. */
export function ServiceAccountTable({ accounts }: { accounts: readonly ServiceAccount[] }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { done } = useNotify();
  const projectName = useProjectName();
  const remove = useDeleteServiceAccount();
  const { subject: edited, isOpen, open, close } = useDialog<ServiceAccount>();
  if (!projectName) return <Loading />;
  return (
    <>
      <DataTable
        label={t("shell.serviceAccounts")}
        head={
          <>
            <Column>{t("common.name")}</Column>
            <Column className={narrow.hidden}>{t("serviceAccounts.role")}</Column>
            <Column className={narrow.hidden}>{t("serviceAccounts.project")}</Column>
            <Column className={narrow.hidden}>{t("serviceAccounts.created")}</Column>
            <ActionsHeader w="6rem" />
          </>
        }
      >
        {accounts.map((account) => (
          <Table.Tr key={account.id}>
            <Table.Th scope="row" fw={500}>
              <LinkAnchor
                inherit
                to="/service-accounts/$serviceAccountId"
                params={{ serviceAccountId: account.id }}
              >
                {account.name}
              </LinkAnchor>
              <Text size="xs" c="dimmed" className={narrow.only}>
                {t(`users.roles.${account.role}`)} · {projectName(account.projectId)}
              </Text>
            </Table.Th>
            <Table.Td className={narrow.hidden}>{t(`users.roles.${account.role}`)}</Table.Td>
            <Table.Td className={narrow.hidden}>{projectName(account.projectId)}</Table.Td>
            <Table.Td className={narrow.hidden}>{date(account.createdAt)}</Table.Td>
            <Table.Td>
              <RowActions
                edit={{
                  label: t("serviceAccounts.editOne", account),
                  onClick: () => open(account),
                }}
                remove={{
                  label: t("serviceAccounts.deleteOne", account),
                  onClick: () => void remove(account),
                }}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      <FormModal
        title={edited ? t("serviceAccounts.editOne", edited) : ""}
        opened={isOpen}
        onClose={close}
      >
        <ServiceAccountForm
          account={edited}
          onSaved={({ name }) => {
            close();
            done(t("serviceAccounts.saved", { name }));
          }}
          onCancel={close}
        />
      </FormModal>
    </>
  );
}

/** Asks before a service account is deleted. */
function useDeleteServiceAccount(): (account: ServiceAccount) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const { mutateAsync } = useWrite("delete", "/api/v1/service-accounts/{id}");
  return async (account) => {
    const isConfirmed = await confirm({
      title: t("serviceAccounts.deleteAsk", account),
      children: t("serviceAccounts.deleteText"),
      confirm: t("serviceAccounts.delete"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      await mutateAsync({ path: { id: account.id }, ifMatch: account.version });
      done(t("serviceAccounts.deleted", account));
    } catch (error) {
      failed(error);
    }
  };
}

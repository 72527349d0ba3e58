import { Badge, Group, Stack, Table, Text, Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import { useWrite } from "../../shared/api/request.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { goToProvider } from "../../shared/session/sign-on.ts";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import narrow from "../../shared/ui/narrow.module.css";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { EditProvider } from "./EditProvider.tsx";
import { type Provider, urlsOf } from "./provider-fields.ts";
import { type StoredProvider, target, testAssertion } from "./provider-requests.ts";

export function ProviderTable({ providers }: { providers: readonly Provider[] }) {
  const { t } = useTranslation();
  const { subject: edited, isOpen, open, close } = useDialog<StoredProvider>();
  return (
    <>
      <DataTable
        label={t("identityProviders.list")}
        head={
          <>
            <Column>{t("common.name")}</Column>
            <Column className={narrow.hidden}>{t("identityProviders.users")}</Column>
            <Column className={narrow.hidden}>{t("identityProviders.callback")}</Column>
            <ActionsHeader />
          </>
        }
      >
        {providers.map((provider) => (
          <ProviderRow key={provider.slug} provider={provider} onEdit={open} />
        ))}
      </DataTable>
      <FormModal
        title={t("identityProviders.editOne", { name: edited?.name ?? "" })}
        opened={isOpen}
        onClose={close}
        size="lg"
      >
        {edited && <EditProvider provider={edited} onClose={close} />}
      </FormModal>
    </>
  );
}

interface RowProps {
  provider: Provider;
  onEdit: (provider: StoredProvider) => void;
}

function ProviderRow({ provider, onEdit }: RowProps) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { id, name, slug, type, enabled, issuer, domains, provisioning } = provider;
  const stored = id === null ? undefined : { ...provider, id };
  const callbackUrl = urlsOf(provider)?.callback;
  const copy = (text: string) =>
    callbackUrl !== undefined && (
      <CopyText
        size="compact-sm"
        value={callbackUrl}
        text={text}
        label={t("identityProviders.copyCallback", { name })}
      />
    );
  const users = (
    <>
      <Text size="sm">{t(`identityProviders.provisionings.${provisioning}`)}</Text>
      <Text size="xs" c="dimmed">
        {domains.length === 0 ? t("identityProviders.noDomains") : list(domains)}
      </Text>
    </>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {!enabled && <Badge color="gray">{t("common.off")}</Badge>}
          {!stored && <Badge variant="default">{t("identityProviders.readOnly")}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {t(`identityProviders.types.${type}`)} · {type === "github" ? slug : issuer}
        </Text>
        {!stored && (
          <Text size="xs" c="dimmed">
            {t("identityProviders.readOnlyText")}
          </Text>
        )}
        <div className={narrow.only}>
          <Stack gap={4} mt={4} align="flex-start">
            <div>{users}</div>
            {copy(t("identityProviders.callback"))}
          </Stack>
        </div>
      </Table.Th>
      <Table.Td className={narrow.hidden}>{users}</Table.Td>
      <Table.Td className={narrow.hidden}>{copy(t("common.copy"))}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          <TestSignIn provider={provider} />
          {stored && <StoredActions provider={stored} onEdit={() => onEdit(stored)} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function StoredActions({ provider, onEdit }: { provider: StoredProvider; onEdit: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const { name } = provider;
  const remove = useWrite("delete", "/api/v1/settings/identity-providers/{id}", {
    onSuccess: () => done(t("identityProviders.deleted", { name })),
    onError: failed,
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: t("identityProviders.deleteAsk", { name }),
      children: t("identityProviders.deleteText"),
      confirm: t("identityProviders.delete"),
      isDangerous: true,
    });
    if (isConfirmed) remove.mutate(target(provider));
  };
  return (
    <RowActions
      edit={{ label: t("identityProviders.editOne", { name }), onClick: onEdit }}
      remove={{
        label: t("identityProviders.deleteOne", { name }),
        loading: remove.isPending,
        onClick: () => void ask(),
      }}
    />
  );
}

const route = getRouteApi("/settings/sign-on");

/** Signs in at the provider without an effect. The result is shown when the browser comes back. */
function TestSignIn({ provider: { slug, name, type } }: { provider: Provider }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const navigate = route.useNavigate();
  const withCause = (error: unknown) => {
    if (!(error instanceof ApiError) || error.problem !== "provider") throw error;
    const message = t("identityProviders.testCause", { name, cause: error.message });
    throw error.copyWith({ code: "REWORDED", message });
  };
  const test = useMutation({
    mutationFn: async () => {
      if (type === "access") {
        const problem = await testAssertion(slug);
        const result = problem === undefined ? { signOn: "test" as const } : { problem };
        await navigate({ search: { provider: slug, ...result }, replace: true });
      } else {
        const returnTo = `/settings/sign-on?provider=${encodeURIComponent(slug)}`;
        await goToProvider(api, slug, { intent: "test", returnTo }).catch(withCause);
      }
    },
    onError: failed,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={test.isPending}
      aria-label={t("identityProviders.testOne", { name })}
      onClick={() => test.mutate()}
    >
      {t("identityProviders.test")}
    </Button>
  );
}

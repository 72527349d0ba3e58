import { Button, Stack, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { accountsQuery } from "../../shared/session/own-account.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { LinkAccount } from "./LinkAccount.tsx";
import classes from "../../shared/ui/row-list.module.css";

/**
 * The section for the accounts at identity providers with which the user can sign in. It is the last
 * section, because it appears only after it has found that there is a provider or an account.
 */
export function Accounts() {
  const { t } = useTranslation();
  const accounts = useQuery(accountsQuery);
  if (accounts.isPending) return null;
  if (accounts.data?.identities.length === 0 && accounts.data.unlinked.length === 0) return null;
  return (
    <SettingsSection title={t("account.accounts")} description={t("account.accountsText")}>
      <QueryView query={accounts}>
        {({ identities, unlinked }) => (
          <Stack gap="sm">
            {identities.length === 0 ? (
              <Text size="sm">{t("account.noAccounts")}</Text>
            ) : (
              <ul className={classes.list}>
                {identities.map((identity) => (
                  <Row key={identity.id} identity={identity} />
                ))}
              </ul>
            )}
            <LinkAccount options={unlinked} />
          </Stack>
        )}
      </QueryView>
    </SettingsSection>
  );
}

function Row({
  identity: { id, issuer, provider, email, createdAt, lastUsedAt },
}: {
  identity: Schemas["Identity"];
}) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const unlink = useMutation({
    mutationFn: () =>
      rewordError(
        send("delete", "/api/v1/auth/me/identities/{identityId}", { path: { identityId: id } }),
        { codes: { CONFLICT: t("account.lastAccount") } },
      ),
    onError: failed,
    onSuccess: () => done(t("account.unlinked")),
  });
  const name = provider?.name ?? issuer;
  const account = email === null ? name : `${name} (${email})`;
  const ask = async () => {
    const isConfirmed = await confirm({
      title: t("account.unlinkTitle", { account }),
      children: t("account.unlinkText"),
      confirm: t("account.unlink"),
      isDangerous: true,
    });
    if (isConfirmed) unlink.mutate();
  };
  return (
    <li className={classes.row}>
      <IconLink size={20} stroke={1.75} aria-hidden />
      <div className={classes.words}>
        <Text size="sm" fw={500}>
          {account}
        </Text>
        <Text size="xs" c="dimmed">
          {t("account.linkedSince", { date: date(createdAt) })} · {t("account.lastUsed")}{" "}
          <TimeAgo at={lastUsedAt} />
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={unlink.isPending}
        aria-label={t("account.unlinkOf", { account })}
        onClick={() => void ask()}
      >
        {t("account.unlink")}
      </Button>
    </li>
  );
}

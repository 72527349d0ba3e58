import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { rewordError } from "../api/reword-error.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { QueryView } from "../ui/QueryView.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { accountsQuery, ownAccountQuery, visitProvider } from "./own-account.ts";
import type { SignOnOption } from "./sign-on.ts";

interface Props {
  /**
   * Renders the form of a change that the user must confirm. The form has a `CurrentPasswordField`,
   * which takes `confirmedUntil`: null if the user confirms with the password.
   */
  children: (confirmedUntil: string | null) => ReactNode;
}

/**
 * Lets the signed-in user confirm a change of the account. A user without a password first confirms at
 * an identity provider, before the form shows, because the visit would lose what was typed.
 */
export function ConfirmIdentity({ children }: Props) {
  const { t } = useTranslation();
  const account = useQuery(ownAccountQuery);
  return (
    <QueryView query={account}>
      {({ hasPassword, confirmedUntil }) =>
        hasPassword || confirmedUntil !== null ? (
          children(confirmedUntil)
        ) : (
          <Stack>
            <Text size="sm">{t("account.confirmText")}</Text>
            <ConfirmButtons none={<Text size="sm">{t("account.confirmNowhere")}</Text>} />
          </Stack>
        )
      }
    </QueryView>
  );
}

/** A button for each linked provider that can confirm the user. `none` shows if there is no provider. */
export function ConfirmButtons({ none = null }: { none?: ReactNode }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const { data: accounts } = useQuery(accountsQuery);
  const confirm = useMutation({
    // A 403 is the refusal of an account by Cloudflare Access, which needs no redirect.
    mutationFn: (option: SignOnOption) =>
      rewordError(visitProvider(option, "confirm"), {
        codes: { FORBIDDEN: t("session.problems.conflict") },
      }),
    onError: failed,
  });
  if (!accounts) return null;
  if (accounts.linked.length === 0) return none;
  return (
    <Group gap="xs">
      {accounts.linked.map((option) => (
        <Button
          key={option.slug}
          variant="default"
          loading={confirm.isPending && confirm.variables.slug === option.slug}
          onClick={() => confirm.mutate(option)}
        >
          {t("account.confirmWith", { provider: option.name })}
        </Button>
      ))}
    </Group>
  );
}

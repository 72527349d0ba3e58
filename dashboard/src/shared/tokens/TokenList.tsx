import { Badge, Code, Group, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Token } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { isPast } from "../time.ts";
import { Loading, QueryView } from "../ui/QueryView.tsx";
import { RemovableRow } from "../ui/RemovableRow.tsx";
import rows from "../ui/row-list.module.css";
import { RightsText } from "./RightsText.tsx";
import { TimesText } from "./TimesText.tsx";
import { revokeToken, type TokenOwner, type TokensOf, tokensQuery } from "./token-requests.ts";
import { type TokenNames, useTokenNames } from "./use-token-names.ts";

interface Props {
  of: TokensOf;
  /** The service account, whose project the list need not name. */
  owner?: TokenOwner;
  /** What is below the list. */
  children?: ReactNode;
}

/** A list of tokens, with buttons to revoke them. */
export function TokenList({ of, owner, children }: Props) {
  const { t } = useTranslation();
  const tokens = useQuery(tokensQuery(of));
  const ofEnvironments = tokens.data?.some(({ environmentIds }) => environmentIds !== null);
  const names = useTokenNames(owner, ofEnvironments ?? false);
  return (
    <QueryView query={tokens}>
      {(loaded) => (
        <Stack gap="sm">
          {loaded.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("tokens.none")}
            </Text>
          ) : (
            <Rows tokens={loaded} names={names} />
          )}
          {children}
        </Stack>
      )}
    </QueryView>
  );
}

function Rows({ tokens, names }: { tokens: readonly Token[]; names: TokenNames | undefined }) {
  if (!names) return <Loading />;
  return (
    <ul className={rows.list}>
      {tokens.map((token) => (
        <Row key={token.id} token={token} names={names} />
      ))}
    </ul>
  );
}

function Row({ token, names }: { token: Token; names: TokenNames }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { id, name, preview, expiresAt, lastUsedAt } = token;
  const isExpired = isPast(expiresAt);
  return (
    <RemovableRow
      Icon={IconKey}
      button={{ text: t("tokens.revoke"), label: t("apiKeys.revokeOne", { name }) }}
      question={{
        title: t("apiKeys.revokeAsk", { name }),
        children: t("tokens.revokeText"),
        confirm: t("tokens.revokeConfirm"),
      }}
      remove={() => revokeToken(id)}
      removed={t("apiKeys.revoked", { name })}
    >
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {t("apiKeys.endsIn")} <Code fz="xs">{preview}</Code>
        </Text>
        {isExpired && (
          <Badge color="red" variant="dot">
            {t("tokens.expired")}
          </Badge>
        )}
      </Group>
      <RightsText rights={token} names={names} />
      <TimesText
        end={t(isExpired ? "tokens.expiredOn" : "tokens.expiresOn", { date: date(expiresAt) })}
        lastUsedAt={lastUsedAt}
      />
    </RemovableRow>
  );
}

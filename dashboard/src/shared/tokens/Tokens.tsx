import { Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Token } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { isPast } from "../time.ts";
import { Loading, QueryView } from "../ui/QueryView.tsx";
import { TimeAgo } from "../ui/TimeAgo.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import rows from "../ui/row-list.module.css";
import { CreateToken } from "./CreateToken.tsx";
import { RightsText } from "./RightsText.tsx";
import { revokeToken, type TokenOwner, tokensQuery } from "./token-requests.ts";
import { type TokenNames, useTokenNames } from "./use-token-names.ts";

/** The tokens of an owner, with buttons to create and revoke them. */
export function Tokens({ owner }: { owner: TokenOwner }) {
  const { t } = useTranslation();
  const tokens = useQuery(tokensQuery(owner));
  const namesEnvironments = tokens.data?.some(({ environmentIds }) => environmentIds !== null);
  const names = useTokenNames(owner, namesEnvironments ?? false);
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <QueryView query={tokens}>
        {(loaded) => (
          <Stack gap="sm">
            {loaded.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t("tokens.none")}
              </Text>
            ) : (
              <TokenList tokens={loaded} names={names} />
            )}
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                onClick={open}
              >
                {t("tokens.new")}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
      <CreateToken owner={owner} opened={isCreating} onClose={close} />
    </>
  );
}

function TokenList({ tokens, names }: { tokens: readonly Token[]; names: TokenNames | undefined }) {
  const revoke = useRevokeToken();
  if (!names) return <Loading />;
  return (
    <ul className={rows.list}>
      {tokens.map((token) => (
        <Row key={token.id} token={token} names={names} onRevoke={() => void revoke(token)} />
      ))}
    </ul>
  );
}

interface RowProps {
  token: Token;
  names: TokenNames;
  onRevoke: () => void;
}

function Row({ token, names, onRevoke }: RowProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { name, preview, expiresAt, lastUsedAt } = token;
  const isExpired = isPast(expiresAt);
  return (
    <li className={rows.row}>
      <IconKey size={20} stroke={1.75} aria-hidden />
      <div className={rows.words}>
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
        <Text size="xs" c="dimmed">
          {t(isExpired ? "tokens.expiredOn" : "tokens.expiresOn", { date: date(expiresAt) })} ·{" "}
          {lastUsedAt === null ? (
            t("apiKeys.neverUsed")
          ) : (
            <>
              {t("tokens.lastUsed")} <TimeAgo at={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("apiKeys.revokeOne", { name })}
        onClick={onRevoke}
      >
        {t("tokens.revoke")}
      </Button>
    </li>
  );
}

/** Asks before a token is revoked. */
function useRevokeToken(): (token: Token) => Promise<void> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const { mutateAsync } = useMutation({ mutationFn: revokeToken });
  return async ({ id, name }) => {
    const isConfirmed = await confirm({
      title: t("apiKeys.revokeAsk", { name }),
      children: t("tokens.revokeText"),
      confirm: t("tokens.revokeConfirm"),
      isDangerous: true,
    });
    if (!isConfirmed) return;
    try {
      await mutateAsync(id);
      done(t("apiKeys.revoked", { name }));
    } catch (error) {
      failed(error);
    }
  };
}

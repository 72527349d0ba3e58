import { Text } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { TimeAgo } from "../ui/TimeAgo.tsx";

interface Props {
  /** When the token ends, as a text. */
  end: string;
  lastUsedAt: string | null;
}

/** When a token ends, and when it was last used. */
export function TimesText({ end, lastUsedAt }: Props) {
  const { t } = useTranslation();
  return (
    <Text size="xs" c="dimmed">
      {end} ·{" "}
      {lastUsedAt === null ? (
        t("apiKeys.neverUsed")
      ) : (
        <>
          {t("tokens.lastUsed")} <TimeAgo at={lastUsedAt} />
        </>
      )}
    </Text>
  );
}

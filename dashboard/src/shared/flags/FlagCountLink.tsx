import { Text } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { LinkAnchor } from "../ui/links.tsx";

interface Props {
  projectId: number;
  /** Undefined if the API has not counted. Then this component renders nothing. */
  count: number | undefined;
  /** The filter of the list of flags with which it shows these flags. */
  search: { tag: string } | { segment: number };
}

/** The number of flags that use something, as a link to these flags. */
export function FlagCountLink({ projectId, count, search }: Props) {
  const { t } = useTranslation();
  if (count === undefined) return null;
  if (count === 0)
    return (
      <Text span size="sm" c="dimmed">
        {t("flags.count", { count })}
      </Text>
    );
  return (
    <LinkAnchor size="sm" to="/projects/$projectId/flags" params={{ projectId }} search={search}>
      {t("flags.count", { count })}
    </LinkAnchor>
  );
}

import { Text } from "@mantine/core";
import type { Scope } from "@feature-flags/permissions/permissions";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { TokenNames } from "./use-token-names.ts";

interface Props {
  rights: {
    readonly scopes: readonly Scope[];
    readonly projectIds: readonly number[] | null;
    readonly environmentIds: readonly number[] | null;
  };
  names: TokenNames;
}

/** What a token may do, and in which projects and environments. */
export function RightsText({ rights: { scopes, projectIds, environmentIds }, names }: Props) {
  const { t } = useTranslation();
  const namesText = useNamesText();
  return (
    <>
      <Text size="xs">
        {t("tokens.scopes")}: {scopes.map((scope) => t(`tokens.scopeNames.${scope}`)).join(", ")}
      </Text>
      <Text size="xs" c="dimmed">
        {t("tokens.projects")}: {namesText(projectIds, names.project)} · {t("tokens.environments")}:{" "}
        {namesText(environmentIds, names.environment)}
      </Text>
    </>
  );
}

/** The number of names in a row. A longer list says how many more there are. */
const MAX_NAMES = 3;

/** Returns a function for the names of the projects or environments of a token. Null: all. */
function useNamesText() {
  const { t } = useTranslation();
  const { list } = useFormat();
  return (ids: readonly number[] | null, nameOf: (id: number) => string): string => {
    if (ids === null) return t("tokens.all");
    const shown = ids.slice(0, MAX_NAMES).map(nameOf);
    return list(
      ids.length > MAX_NAMES
        ? [...shown, t("tokens.more", { count: ids.length - MAX_NAMES })]
        : shown,
    );
  };
}

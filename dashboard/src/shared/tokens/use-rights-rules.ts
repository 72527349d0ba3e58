import { isNotEmpty } from "@mantine/form";
import type { Environment } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { limitOf, limitProblem, MAX_LISTED, type Rights, unlimitedScopes } from "./token-limits.ts";

/** Returns the rules of a form with the inputs of `TokenRights`. */
export function useRightsRules(environments: readonly Environment[]) {
  const { t } = useTranslation();
  const { list } = useFormat();
  return {
    scopes: isNotEmpty(t("common.required")),
    environmentIds: (_: unknown, rights: Rights) => {
      const problem = limitProblem(rights.scopes, limitOf(rights, environments));
      const names = unlimitedScopes(rights.scopes).map((one) => t(`tokens.scopeNames.${one}`));
      return problem === undefined
        ? null
        : t(`tokens.${problem}`, { count: MAX_LISTED, rights: list(names) });
    },
  };
}

import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { Flag } from "../api/types.ts";
import { evaluations } from "../charts/usage.ts";
import { environmentsQuery } from "../data/environments.ts";
import { apiKeysQuery } from "../data/project-lists.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useConfirm } from "../ui/use-confirm.tsx";

/**
 * Returns a function that asks before other clients get the flag, and resolves to whether the user agrees.
 * It asks nothing if no production environment has a key for browsers, because then nobody notices.
 */
export function useConfirmClients({ id, key, projectId, clients: before }: Flag) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const client = useQueryClient();
  const confirm = useConfirm();

  /** Returns the production environments in which browsers evaluate flags. */
  const readPublic = async () => {
    const [environments, keys] = await Promise.all([
      client.fetchQuery(environmentsQuery(projectId)),
      client.fetchQuery(apiKeysQuery(projectId)),
    ]);
    const open = new Set(
      keys.flatMap((one) => (one.keyType === "FRONTEND" ? one.environmentId : [])),
    );
    return environments.filter((one) => one.production && open.has(one.id));
  };

  /** Returns how often the flag was checked in the last 24 hours, in these environments. */
  const readChecks = async (environments: readonly { readonly id: number }[]) => {
    const all = await Promise.all(
      environments.map(({ id: environmentId }) =>
        dataOf(
          api.GET("/api/v1/flags/{flagId}/metrics", {
            params: { path: { flagId: id }, query: { environmentId, interval: "hour" } },
          }),
        ),
      ),
    );
    return all.reduce((sum, { totals }) => sum + evaluations(totals), 0);
  };

  return async (clients: Flag["clients"]): Promise<boolean> => {
    if (clients === before) return true;
    const environments = await readPublic();
    if (environments.length === 0) return true;
    const names = list(environments.map(({ name }) => name));
    if (clients === "all")
      return confirm({
        title: t("clients.publishTitle", { flag: key }),
        children: t("clients.publishText", { flag: key, environments: names }),
        confirm: t("clients.publish", { flag: key }),
        production: names,
        isDangerous: true,
      });
    const count = await readChecks(environments);
    return confirm({
      title: t("clients.hideTitle", { flag: key }),
      children: t("clients.hideText", { count, environments: names }),
      confirm: t("clients.hide", { flag: key }),
      production: names,
      isDangerous: true,
    });
  };
}

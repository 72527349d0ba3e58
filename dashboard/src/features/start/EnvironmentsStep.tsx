import { Button, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { RoleHint } from "./RoleHint.tsx";

/**
 * The environments that the step creates, in the usual order of a release. The names are stored
 * data, so they are not translated.
 */
const WANTED = [
  { name: "development", production: false },
  { name: "production", production: true },
];

export function EnvironmentsStep() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const canCreate = useCan("environment:write");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // Load the existing environments first, because an earlier attempt may have created one of
      // them.
      const existing = await queryClient.fetchQuery({
        ...environmentsQuery(projectId),
        staleTime: 0,
      });
      for (const wanted of WANTED) {
        if (existing.some(({ name }) => name === wanted.name)) continue;
        // oxlint-disable-next-line no-await-in-loop -- the environments must be created in this order
        await send("post", "/api/v1/environments", { body: { ...wanted, projectId } });
      }
    },
  });
  if (!canCreate) return <RoleHint>{t("start.adminEnvironments")}</RoleHint>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <Button onClick={() => mutate()} loading={isPending}>
        {t("start.createEnvironments")}
      </Button>
    </Stack>
  );
}

import { Alert, Button, Group, Stack } from "@mantine/core";
import type { FlagsFile } from "@feature-flags/file/file";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { Applied } from "./Applied.tsx";
import { Conflicts } from "./Conflicts.tsx";
import { applyFile, type FilePlan, planFile } from "./file-requests.ts";
import { PlanResult } from "./PlanResult.tsx";

interface Props {
  projectId: number;
  file: FlagsFile;
  /** Whether the file manages the fields that it names from then on. */
  manage: boolean;
}

/** Plans a file, shows what an apply would change, and applies exactly that. */
export function PlanFile({ projectId, file, manage }: Props) {
  const { t } = useTranslation();
  const [overwrite, setOverwrite] = useState<readonly string[]>([]);
  const [reason, setReason] = useState("");
  const plan = useMutation({
    mutationFn: (paths: readonly string[]) =>
      planFile({ projectId, file, overwrite: paths, manage }),
  });
  const apply = useMutation({
    mutationFn: ({ id }: FilePlan) => applyFile({ projectId, file, overwrite, manage }, id, reason),
    onSuccess: () => {
      plan.reset();
      // A later plan shows later conflicts, also at the same places.
      setOverwrite([]);
    },
  });
  const planAgain = () => {
    apply.reset();
    plan.mutate(overwrite);
  };
  const { data } = plan;
  const toggle = (path: string) =>
    setOverwrite(
      overwrite.includes(path) ? overwrite.filter((one) => one !== path) : [...overwrite, path],
    );
  const isOutdated = hasStatus(apply.error, 409, 412);

  return (
    <Stack>
      <Group>
        <Button variant={data ? "default" : "filled"} loading={plan.isPending} onClick={planAgain}>
          {t(data ? "files.planAgain" : "files.plan")}
        </Button>
      </Group>
      {plan.error && <ErrorAlert error={plan.error} />}
      {data && (
        <>
          <PlanResult plan={data} />
          {data.conflicts.length > 0 && (
            <Conflicts conflicts={data.conflicts} overwrite={overwrite} onToggle={toggle} />
          )}
          {apply.error &&
            (hasStatus(apply.error, 412) ? (
              <Alert color="red" variant="light" role="alert" title={t("files.outdated")}>
                {t("files.outdatedText")}
              </Alert>
            ) : (
              <ErrorAlert error={apply.error} />
            ))}
          {data.conflicts.length === 0 && (
            <>
              <ReasonInput value={reason} onChange={setReason} />
              <Group>
                <Button
                  loading={apply.isPending}
                  disabled={isOutdated || plan.isPending}
                  onClick={() => apply.mutate(data)}
                >
                  {t("files.apply", { count: data.changes.length })}
                </Button>
              </Group>
            </>
          )}
        </>
      )}
      {apply.isSuccess && !data && <Applied projectId={projectId} request={apply.data} />}
    </Stack>
  );
}

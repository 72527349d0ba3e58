import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { FlagsFile } from "@feature-flags/file/file";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { Applied } from "./Applied.tsx";
import { ApprovalChoice } from "./ApprovalChoice.tsx";
import { Conflicts } from "./Conflicts.tsx";
import { applyFile, type FilePlan, planFile, type ProtectedChoice } from "./file-requests.ts";
import { PlanResult } from "./PlanResult.tsx";
import { Step } from "./Step.tsx";

interface Props {
  projectId: number;
  file: FlagsFile;
  /** Whether the file manages the fields that it names from then on. */
  manage: boolean;
}

/** The steps that plan a file, show what an apply would change, and apply exactly that. */
export function PlanFile({ projectId, file, manage }: Props) {
  const { t } = useTranslation();
  const [overwrite, setOverwrite] = useState<readonly string[]>([]);
  const [reason, setReason] = useState("");
  const [choice, setChoice] = useState<ProtectedChoice>("propose");
  // A plan that leaves protected environments out needs no approval, and still offers the choice.
  const [approval, setApproval] = useState<FilePlan["approval"]>(null);
  const planned = { projectId, file, overwrite, manage };
  const plan = useMutation({
    mutationFn: (protectedEnvironments: ProtectedChoice) =>
      planFile({ ...planned, protectedEnvironments }),
    onSuccess: (made, chosen) => {
      if (chosen === "propose") setApproval(made.approval);
    },
  });
  const apply = useMutation({
    mutationFn: ({ id }: FilePlan) =>
      applyFile({ ...planned, protectedEnvironments: choice }, id, reason),
    onSuccess: () => {
      plan.reset();
      // A later plan shows later conflicts, also at the same places.
      setOverwrite([]);
    },
  });
  const planAs = (chosen: ProtectedChoice) => {
    apply.reset();
    setChoice(chosen);
    plan.mutate(chosen);
  };
  const { data } = plan;
  const toggle = (path: string) =>
    setOverwrite(
      overwrite.includes(path) ? overwrite.filter((one) => one !== path) : [...overwrite, path],
    );
  const isOutdated = hasStatus(apply.error, 409, 412);
  const isApplied = apply.isSuccess && !data;
  const mayApply = data !== undefined && data.conflicts.length === 0;
  const isRefused = approval !== null && approval[choice].problem !== null;
  const held = data?.approval && choice === "propose" ? data.approval.propose : undefined;
  const flagCount = Object.keys(file.flags ?? {}).length;

  return (
    <>
      <Step name="plan" isCurrent={!mayApply && !isApplied} isDone={mayApply || isApplied}>
        <Group>
          <Button
            variant={data || isApplied ? "default" : "filled"}
            loading={plan.isPending}
            onClick={() => planAs(data ? choice : "propose")}
          >
            {t(data ? "files.planAgain" : "files.plan")}
          </Button>
        </Group>
        {plan.isPending && <Working text={t("files.planning", { count: flagCount })} />}
        {plan.error && <ErrorAlert error={plan.error} />}
        {data && (
          <Stack>
            {approval && <ApprovalChoice approval={approval} choice={choice} onChange={planAs} />}
            <PlanResult plan={data} file={file} />
            {data.conflicts.length > 0 && (
              <Conflicts conflicts={data.conflicts} overwrite={overwrite} onToggle={toggle} />
            )}
          </Stack>
        )}
      </Step>
      <Step name="apply" isCurrent={mayApply} isDone={isApplied}>
        {mayApply || isApplied ? (
          <>
            {apply.error &&
              (hasStatus(apply.error, 412) ? (
                <Alert color="red" variant="light" role="alert" title={t("files.outdated")}>
                  {t("files.outdatedText")}
                </Alert>
              ) : (
                <ErrorAlert error={apply.error} />
              ))}
            {mayApply && (
              <>
                <ReasonInput value={reason} onChange={setReason} />
                <Group>
                  <Button
                    loading={apply.isPending}
                    disabled={isOutdated || isRefused || plan.isPending}
                    onClick={() => apply.mutate(data)}
                  >
                    {held
                      ? t(held.applied === 0 ? "files.proposeAll" : "files.applyAndPropose", {
                          count: held.held,
                        })
                      : t("files.apply", { count: data.changes.length })}
                  </Button>
                </Group>
                {apply.isPending && <Working text={t("files.applying", { count: flagCount })} />}
              </>
            )}
            {isApplied && <Applied projectId={projectId} request={apply.data} />}
          </>
        ) : undefined}
      </Step>
    </>
  );
}

/** Says what the server is doing. Its progress is unknown. */
function Working({ text }: { text: string }) {
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {text}
      </Text>
      <Progress value={100} animated aria-label={text} maw="20rem" />
    </div>
  );
}

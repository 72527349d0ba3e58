import { Alert, Button, Group, Progress, Stack, Text, Checkbox, Fieldset } from "@mantine/core";
import type { FlagsFile } from "@feature-flags/file/file";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { ApprovalChoice } from "./ApprovalChoice.tsx";
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

interface ConflictsProps {
  conflicts: FilePlan["conflicts"];
  overwrite: readonly string[];
  onToggle: (path: string) => void;
}

/** The fields that the file may not change, with a choice for each to let the file win. */
function Conflicts({ conflicts, overwrite, onToggle }: ConflictsProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const who = ({ manager, by, at }: ConflictsProps["conflicts"][number]) => {
    if (manager !== null) return t("files.ofManager", { manager });
    const name = by ?? t("files.somebody");
    return at === null
      ? t("files.changedBy", { name })
      : t("files.changedByAt", { name, time: dateTime(at) });
  };
  return (
    <Fieldset legend={t("files.conflicts", { count: conflicts.length })}>
      <Text size="sm" mb="sm">
        {t("files.conflictsText")}
      </Text>
      <Stack gap="sm">
        {conflicts.map((conflict) => (
          <Checkbox
            key={conflict.path}
            label={conflict.path}
            description={`${who(conflict)} ${t("files.values", {
              current: valueText(conflict.current),
              wanted: valueText(conflict.wanted),
            })}`}
            checked={overwrite.includes(conflict.path)}
            onChange={() => onToggle(conflict.path)}
            styles={{ label: { overflowWrap: "anywhere" } }}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** The most characters of a value. JSON values and rules can be long. */
const MAX_VALUE = 200;

/** Returns a value of a file as JSON, cut off after 200 characters. A missing value is a dash. */
function valueText(value: unknown): string {
  if (value === undefined) return "–";
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} …` : text;
}

interface AppliedProps {
  projectId: number;
  /** The change request of the apply. Undefined: the file is applied. */
  request: ChangeRequest | undefined;
}

/** Says what an apply has done, with a link to its result. */
function Applied({ projectId, request }: AppliedProps) {
  const { t } = useTranslation();
  return (
    <Alert color={request ? "yellow" : "green"} variant="light" role="status">
      {t(request ? "files.proposed" : "files.applied")}{" "}
      {request ? (
        <LinkAnchor
          size="sm"
          to="/projects/$projectId/change-requests/$requestId"
          params={{ projectId, requestId: request.id }}
        >
          {t("files.showRequest")}
        </LinkAnchor>
      ) : (
        <LinkAnchor size="sm" to="/projects/$projectId/flags" params={{ projectId }}>
          {t("files.showFlags")}
        </LinkAnchor>
      )}
    </Alert>
  );
}

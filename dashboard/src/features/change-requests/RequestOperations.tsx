import { Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { Diff } from "../../shared/history/FieldChanges.tsx";
import { type ItemNames, itemNames, withNames } from "../../shared/history/item-names.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ThreeWay } from "../../shared/history/ThreeWay.tsx";
import { threeWayRows } from "../../shared/history/three-way.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./ChangeRequestPage.module.css";

type RequestOperation = ChangeRequest["operations"][number];

/** What a request changes, by its targets. */
export function RequestOperations({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const { projectId, operations, status } = request;
  const { names } = useContainedNames(request);
  return (
    <Stack gap="sm">
      {status === "outdated" && !operations.some(hasChanged) && (
        <Text size="sm">{t("changeRequests.changedAround")}</Text>
      )}
      {operations.map((operation) => {
        const { kind, targetId, environmentId, base, current, after } = operation;
        return (
          <Paper
            key={`${kind} ${targetId} ${environmentId}`}
            withBorder
            radius="md"
            p="md"
            component="article"
          >
            <OperationTarget projectId={projectId} operation={operation} names={names} />
            {current === null && (
              <Text size="sm" c="dimmed">
                {t("changeRequests.missing")}
              </Text>
            )}
            {status === "outdated" && current !== null && hasChanged(operation) ? (
              <ThreeWay rows={threeWayRows({ base, current, after })} names={names} />
            ) : (
              <Diff record={{ before: base, after }} names={names} />
            )}
          </Paper>
        );
      })}
    </Stack>
  );
}

/** Whether the target has another content than when the request was proposed. */
const hasChanged = ({ base, current }: RequestOperation): boolean =>
  JSON.stringify(base) !== JSON.stringify(current);

interface TargetProps {
  projectId: number;
  operation: RequestOperation;
  names: ItemNames;
  /** What follows the name of the target in its line. */
  children?: ReactNode;
}

/** What an operation changes, and where. */
export function OperationTarget({ projectId, operation, names, children }: TargetProps) {
  const { t } = useTranslation();
  const { kind, targetId, targetName, environmentId } = operation;
  const type = kind === "segment.update" ? "segment" : "flag";
  const name =
    targetName ?? t("history.thingWithId", { thing: t(`history.things.${type}`), id: targetId });
  const words = t(`changeRequests.kinds.${kind}`, { name });
  const environment = environmentId === null ? undefined : names.of("environment", environmentId);
  return (
    <div className={classes.target}>
      {type === "segment" ? (
        <LinkAnchor
          size="sm"
          fw={600}
          to="/projects/$projectId/segments/$segmentId"
          params={{ projectId, segmentId: targetId }}
        >
          {words}
        </LinkAnchor>
      ) : (
        <LinkAnchor
          size="sm"
          fw={600}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: targetId }}
          search={environmentId === null ? {} : { environment: environmentId }}
        >
          {words}
        </LinkAnchor>
      )}
      {environmentId !== null && environment !== undefined && (
        <EnvironmentChip id={environmentId} name={environment} />
      )}
      {children}
    </div>
  );
}

/** The names of the segments and environments that the operations of a request contain. */
export function useContainedNames({
  projectId,
  operations,
}: Pick<ChangeRequest, "projectId" | "operations">) {
  const usesSegments = operations.some(({ after }) => "segmentIds" in after || "rules" in after);
  const segments = useQuery({ ...segmentsQuery(projectId), enabled: usesSegments });
  const environments = useQuery(environmentsQuery(projectId));
  const named = [
    ["segment", segments.data ?? []],
    ["environment", environments.data ?? []],
  ] as const;
  return {
    names: named.reduce((names, [type, items]) => withNames(names, type, items), itemNames()),
    isLoading: segments.isLoading || environments.isPending,
  };
}

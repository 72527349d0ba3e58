import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Environment, Flag } from "../../../shared/api/types.ts";
import { requestsOfFlagQuery } from "../../../shared/change-requests/queries.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import type { SegmentsById } from "../../../shared/strategy/segments-by-id.ts";
import { LinkAnchor } from "../../../shared/ui/links.tsx";
import { OpenRequest } from "./OpenRequest.tsx";
import { RunningRamp } from "./RunningRamp.tsx";
import { useActiveRamp } from "./use-active-ramp.ts";

interface Props {
  flag: Flag;
  environment: Environment;
  segments: SegmentsById;
  canWrite: boolean;
}

/** What waits for the flag in one environment: its ramp, and open change requests. */
export function Plans({ flag, environment, segments, canWrite }: Props) {
  const { t } = useTranslation();
  const { projectId } = flag;
  const { data: requests } = useQuery(requestsOfFlagQuery(flag));
  const ramp = useActiveRamp(flag, environment);
  const listed = requests?.items ?? [];
  const shown = listed.flatMap(({ operations = [], ...request }) => {
    const here = operations.filter(
      ({ environmentId }) => environmentId === null || environmentId === environment.id,
    );
    return here.length === 0 ? [] : [{ ...request, operations: here }];
  });
  const count = requests?.totalItems ?? 0;
  const hasMore = count > listed.length;
  if (!ramp && shown.length === 0 && !hasMore) return null;
  return (
    <Stack gap="xs">
      {ramp && <RunningRamp ramp={ramp} canWrite={canWrite} />}
      {shown.map((request) => (
        <OpenRequest key={request.id} request={request} segments={segments} />
      ))}
      {hasMore && (
        <LinkAnchor
          size="sm"
          to="/projects/$projectId/change-requests"
          params={{ projectId }}
          search={{ tab: "open" }}
        >
          {t("changeRequests.waiting.more", { count })}
        </LinkAnchor>
      )}
    </Stack>
  );
}

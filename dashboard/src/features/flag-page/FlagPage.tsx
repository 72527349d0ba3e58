import { Alert, Stack, Tabs } from "@mantine/core";
import { useElementSize, useIntersection } from "@mantine/hooks";
import { IconArchive } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { type CSSProperties, lazy, Suspense, useEffect, useRef } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { FlagWithRelated, Flag, Strategy } from "../../shared/api/types.ts";
import { requestsOfFlagQuery } from "../../shared/change-requests/queries.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { flagQuery, strategiesQuery } from "../../shared/data/flag.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { changePreferences, preferencesQuery } from "../../shared/data/preferences.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { activeRampsQuery } from "../../shared/schedule/queries.ts";
import { LinkButton } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { FlagBar } from "./FlagBar.tsx";
import { FlagHeader } from "./FlagHeader.tsx";
import classes from "./FlagPage.module.css";
import { ManagedStrip } from "./Managed.tsx";
import { Prerequisites } from "./prerequisites/Prerequisites.tsx";
import { validateFlagSearch } from "./search-params.ts";
import { Strategies } from "./Strategies.tsx";
import { useDrafts } from "../../shared/flags/use-drafts.ts";
import { Variants } from "./variants/Variants.tsx";

/** The charts and the history load when the user opens their tabs. */
const FlagUsage = lazy(async () => ({ default: (await import("./FlagUsage.tsx")).FlagUsage }));
const FlagHistory = lazy(async () => ({
  default: (await import("./FlagHistory.tsx")).FlagHistory,
}));

const route = getRouteApi("/projects/$projectId/flags/$flagId");

export function FlagPage() {
  const { projectId, flagId } = route.useParams();
  const flag = useQuery(flagQuery(flagId));
  if (hasStatus(flag.error, 400, 404)) return <FlagMissing projectId={projectId} />;
  return (
    <QueryView query={flag}>
      {(data) =>
        data.projectId === projectId ? (
          <FlagDetail key={data.id} flag={data} />
        ) : (
          <Navigate
            to="/projects/$projectId/flags/$flagId"
            params={{ projectId: data.projectId, flagId }}
            replace
          />
        )
      }
    </QueryView>
  );
}

function FlagDetail({ flag }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const { tab = "targeting" } = route.useSearch();
  const navigate = route.useNavigate();
  const { draft, onDraft } = useDrafts();
  useRecordOpening(flag);
  // The other parts wait for the strategies. Otherwise these parts would move down while the user
  // uses them, and an open dropdown disappears when it leaves the window.
  const strategies = useQuery(strategiesQuery(flag.id));
  const environments = useQuery(environmentsQuery(flag.projectId));
  // With the names of its segments, a sentence has more lines.
  const segments = useQuery(segmentsQuery(flag.projectId));
  const waitsForNames = segments.isPending && (strategies.data ?? []).some(usesSegments);
  const requests = useQuery(requestsOfFlagQuery(flag));
  const ramps = useQuery(activeRampsQuery(flag.id));
  const isPending =
    strategies.isPending ||
    environments.isPending ||
    requests.isPending ||
    ramps.isPending ||
    waitsForNames;
  const { ref: above, entry } = useIntersection<HTMLDivElement>();
  const isStuck = entry !== null && !entry.isIntersecting;
  const { ref: bar, height } = useElementSize<HTMLDivElement>();
  const open = (value: string | null) =>
    void navigate({
      search: (previous) => validateFlagSearch({ ...previous, tab: value }),
      resetScroll: false,
    });
  return (
    <div className={classes.page} style={{ "--flag-bar": `${height}px` } as CSSProperties}>
      <FlagHeader flag={flag} draft={draft} isStuck={isStuck} />
      <ManagedStrip flag={flag} />
      {isPending ? (
        <Loading />
      ) : (
        // The hidden targeting stays, because it has the unsaved changes of the user.
        <Tabs value={tab} onChange={open} keepMounted={false} keepMountedMode="display-none">
          <FlagBar flag={flag} draft={draft} isStuck={isStuck} above={above} ref={bar} />
          <Tabs.Panel value="targeting" keepMounted>
            <Stack gap="xl">
              {flag.archived && (
                <Alert
                  color="gray"
                  icon={<IconArchive size={18} aria-hidden />}
                  title={t("flag.archivedTitle")}
                >
                  {t("flag.archivedText")}
                </Alert>
              )}
              <Strategies flag={flag} onDraft={onDraft} />
              <Variants flag={flag} onDraft={onDraft} />
              <Prerequisites flag={flag} onDraft={onDraft} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="usage">
            <Suspense fallback={<Loading />}>
              <FlagUsage flag={flag} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <Suspense fallback={<Loading />}>
              <FlagHistory flag={flag} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  );
}

const usesSegments = ({ segmentIds, rules }: Strategy): boolean =>
  [{ segmentIds }, ...rules].some((rule) => rule.segmentIds.length > 0);

function FlagMissing({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("flag.missing")} description={t("flag.missingText")} />
      <LinkButton to="/projects/$projectId/flags" params={{ projectId }}>
        {t("flag.back")}
      </LinkButton>
    </>
  );
}

/** How long after the flag is shown the opening is sent, milliseconds, so that the page loads first. */
const DELAY_MS = 1000;

/**
 * Adds the flag to the flags that the user opened last. Sends one request for each opening of the
 * page, and none if the flag is already the newest. An error is ignored, because nothing depends on
 * the request.
 */
function useRecordOpening({ id: flagId, projectId }: Pick<Flag, "id" | "projectId">): void {
  const client = useQueryClient();
  const { data } = useQuery(preferencesQuery(projectId));
  const isDone = useRef(false);
  useEffect(() => {
    if (data === undefined || isDone.current) return;
    isDone.current = true;
    if (data.recent[0]?.id === flagId) return;
    const change = { change: "addRecent", projectId, flagId } as const;
    setTimeout(() => void changePreferences(client, change).catch(() => {}), DELAY_MS);
  }, [client, data, projectId, flagId]);
}

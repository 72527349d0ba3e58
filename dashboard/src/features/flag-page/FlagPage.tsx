import { Alert, Stack, Tabs } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconArchive } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { type CSSProperties, lazy, Suspense } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { FlagWithRelated } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { flagQuery } from "../../shared/data/flag.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkButton } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { FlagBar } from "./FlagBar.tsx";
import { FlagHeader } from "./FlagHeader.tsx";
import classes from "./FlagPage.module.css";
import { Prerequisites } from "./prerequisites/Prerequisites.tsx";
import { validateFlagSearch } from "./search-params.ts";
import { useRecordOpening } from "./use-record-opening.ts";
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
  // The parts below the strategies wait for the strategies. Otherwise these parts would move down
  // while the user uses them, and an open dropdown disappears when it leaves the window.
  const strategies = useQuery(strategiesQuery(flag.id));
  const environments = useQuery(environmentsQuery(flag.projectId));
  const isPending = strategies.isPending || environments.isPending;
  const { ref: bar, height } = useElementSize<HTMLDivElement>();
  const open = (value: string | null) =>
    void navigate({
      search: (previous) => validateFlagSearch({ ...previous, tab: value }),
      resetScroll: false,
    });
  return (
    <div className={classes.page} style={{ "--flag-bar": `${height}px` } as CSSProperties}>
      <FlagHeader flag={flag} />
      {/* The hidden targeting stays, because it has the unsaved changes of the user. */}
      <Tabs value={tab} onChange={open} keepMounted={false} keepMountedMode="display-none">
        <FlagBar flag={flag} draft={draft} ref={bar} />
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
            {!isPending && (
              <>
                <Variants flag={flag} onDraft={onDraft} />
                <Prerequisites flag={flag} onDraft={onDraft} />
              </>
            )}
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
    </div>
  );
}

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

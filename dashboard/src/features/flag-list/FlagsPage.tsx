import { Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFlag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectExists } from "../../shared/data/projects.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { FilterBar, FilterSpace } from "../../shared/list/FilterBar.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { FlagSearch } from "./FlagSearch.tsx";
import classes from "./FlagsPage.module.css";
import { CreateFlagModal, Filters } from "./lazy.ts";
import { FlagList } from "./FlagList.tsx";
import { flagsQuery } from "./flags-query.ts";
import { isFiltered } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

export function FlagsPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { search } = useFlagsSearch();
  const flags = useQuery(flagsQuery(projectId, search));
  const preferences = useQuery(preferencesQuery(projectId));
  // Loads the user's columns at the same time as the flags. If the columns do not load, the list is
  // shown with the default columns.
  const isWaiting = preferences.isPending && preferences.failureCount === 0;
  // The API lists no flags of a project that does not exist.
  const exists = useProjectExists(projectId);
  const canCreate = useCan("flag:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const hasNone = flags.data?.totalItems === 0 && !flags.isPlaceholderData && !isFiltered(search);
  const isEmpty = hasNone && exists === true;

  return (
    <>
      <PageHeader
        title={t("shell.flags")}
        description={t("flags.description")}
        actions={
          canCreate && (
            // The primary button of an empty list is the guided tour.
            <CreateButton onClick={open} isQuiet={isEmpty}>
              {t("flags.newFlag")}
            </CreateButton>
          )
        }
      />
      {isEmpty ? (
        <NoFlags />
      ) : (
        <>
          <FlagFilters isSearching={flags.isPlaceholderData} />
          <QueryView query={flags} skeleton={<FlagsSkeleton />}>
            {(page) =>
              isWaiting || hasNone ? (
                <FlagsSkeleton />
              ) : (
                <FlagList page={page} isOutdated={flags.isPlaceholderData} />
              )
            }
          </QueryView>
        </>
      )}
      <Suspense>
        <CreateFlagModal projectId={projectId} opened={isCreating} onClose={close} />
      </Suspense>
    </>
  );
}

const ROWS = ["46%", "38%", "52%", "34%", "48%", "40%", "44%", "36%"];

function FlagsSkeleton() {
  return (
    <div className={classes.table}>
      {ROWS.map((width) => (
        <div key={width} className={classes.row}>
          <div>
            <Skeleton height={14} width={width} mb={8} />
            <Skeleton height={10} width="30%" />
          </div>
          <Skeleton height={20} width={38} radius="xl" />
          <Skeleton height={20} width={38} radius="xl" />
          <Skeleton height={10} width={72} />
        </div>
      ))}
    </div>
  );
}

/** The text that replaces the list of flags if the project has no flags, or only archived flags. */
function NoFlags() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const canCreate = useCan("flag:write");
  const { data: archived } = useQuery(flagsQuery(projectId, { archived: true }));

  if (archived !== undefined && archived.totalItems > 0)
    return (
      <EmptyState
        Icon={IconFlag}
        title={t("flags.allArchivedTitle")}
        action={
          <LinkButton
            variant="default"
            to="/projects/$projectId/flags"
            params={{ projectId }}
            search={{ archived: true }}
          >
            {t("flags.showArchived")}
          </LinkButton>
        }
      >
        {t("flags.allArchivedText")}
      </EmptyState>
    );
  return (
    <EmptyState
      Icon={IconFlag}
      title={t("flags.emptyTitle")}
      action={
        canCreate && (
          <LinkButton to="/projects/$projectId/start" params={{ projectId }}>
            {t("flags.guided")}
          </LinkButton>
        )
      }
    >
      {t("flags.emptyText")}
    </EmptyState>
  );
}

function FlagFilters({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  return (
    <FilterBar label={t("flags.filters")} search={<FlagSearch isSearching={isSearching} />}>
      <Suspense fallback={<FilterSpace />}>
        <Filters />
      </Suspense>
    </FilterBar>
  );
}

import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { CreateFlagModal } from "./lazy.ts";
import { FlagFilters } from "./FlagFilters.tsx";
import { FlagList } from "./FlagList.tsx";
import { flagsQuery } from "./flags-query.ts";
import { FlagsSkeleton } from "./FlagsSkeleton.tsx";
import { NoFlags } from "./NoFlags.tsx";
import { isFiltered } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

export function FlagsPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { search } = useFlagsSearch();
  const flags = useQuery(flagsQuery(projectId, search));
  const preferences = useQuery(preferencesQuery(projectId));
  // The chosen columns load at the same time as the flags. If that fails, the list does not wait.
  const isWaiting = preferences.isPending && preferences.failureCount === 0;
  const canCreate = useCan("flag:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const isEmpty = flags.data?.totalItems === 0 && !flags.isPlaceholderData && !isFiltered(search);

  return (
    <>
      <PageHeader
        title={t("shell.flags")}
        description={t("flags.description")}
        actions={canCreate && <CreateButton onClick={open}>{t("flags.newFlag")}</CreateButton>}
      />
      {isEmpty ? (
        <NoFlags onCreate={open} />
      ) : (
        <>
          <FlagFilters isSearching={flags.isPlaceholderData} />
          <QueryView query={flags} skeleton={<FlagsSkeleton />}>
            {(page) =>
              isWaiting ? (
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

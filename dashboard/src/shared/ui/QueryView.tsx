import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { IconLock, IconSearchOff } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hasStatus } from "../api/api-error.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { EmptyState } from "./EmptyState.tsx";
import { ErrorAlert } from "./ErrorAlert.tsx";

interface Props<T> {
  query: UseQueryResult<T>;
  /** The placeholder while the query loads. By default three grey bars. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Renders the data of a query (React Query), a placeholder while the query loads, or the query's
 * error. After a failed refetch, renders the error above the previous data.
 */
export function QueryView<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.isError) return <NoData error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
}

/**
 * The error of a query without data. A page that the role may not see and an item that does not
 * exist are no failures, so they show neither a trace id nor a button that retries.
 */
function NoData({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (hasStatus(error, 403))
    return (
      <EmptyState Icon={IconLock} title={t("errors.noAccess")}>
        {t("errors.noAccessText")}
      </EmptyState>
    );
  if (hasStatus(error, 404))
    return (
      <EmptyState Icon={IconSearchOff} title={t("errors.missing")}>
        {t("errors.missingText")}
      </EmptyState>
    );
  return <ErrorAlert error={error} onRetry={onRetry} />;
}

export function Loading({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      <VisuallyHidden>{t("common.loading")}</VisuallyHidden>
      <div aria-hidden>
        {children ?? (
          <Stack>
            <Skeleton height={48} radius="md" />
            <Skeleton height={48} radius="md" />
            <Skeleton height={48} radius="md" />
          </Stack>
        )}
      </div>
    </div>
  );
}

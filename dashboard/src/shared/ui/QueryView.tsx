import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
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
  if (query.isError) return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
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

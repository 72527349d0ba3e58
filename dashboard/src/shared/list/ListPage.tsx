import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageHeader } from "../ui/PageHeader.tsx";
import { QueryView } from "../ui/QueryView.tsx";

interface Props<T> {
  title: string;
  description: string;
  query: UseQueryResult<readonly T[]>;
  /** The buttons beside the heading. Hidden while the list is empty, because `empty` has its own. */
  actions: ReactNode;
  /** Replaces the list while the list is empty. */
  empty: ReactNode;
  /** Renders the list. Never called with an empty list. */
  children: (items: readonly T[]) => ReactNode;
}

/** A page with one list: a heading, buttons, and the items or the empty state. */
export function ListPage<T>({ title, description, query, actions, empty, children }: Props<T>) {
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={query.data?.length !== 0 && actions}
      />
      <QueryView query={query}>{(items) => (items.length > 0 ? children(items) : empty)}</QueryView>
    </>
  );
}

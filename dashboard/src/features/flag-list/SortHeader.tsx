import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconArrowsSort } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./FlagTable.module.css";
import { DEFAULT_SORT } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

interface Props {
  by: "name" | "createdAt" | "lastUsedAt" | "updatedAt";
  /** The sort direction that a click chooses while the table is sorted by another column. */
  first: "ascending" | "descending";
  width?: string;
  children: ReactNode;
}

export function SortHeader({ by, first, width, children }: Props) {
  const { search, change } = useFlagsSearch();
  const { sort = DEFAULT_SORT } = search;
  const isSorted = sort === by || sort === `-${by}`;
  const direction = sort === by ? "ascending" : "descending";
  const next = isSorted ? (direction === "ascending" ? "descending" : "ascending") : first;
  const Icon = isSorted
    ? direction === "ascending"
      ? IconArrowUp
      : IconArrowDown
    : IconArrowsSort;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : "none"}
      {...(width !== undefined && { style: { width } })}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={isSorted || undefined}
        onClick={() => change({ sort: next === "ascending" ? by : `-${by}` })}
      >
        {children}
        <Icon size={14} stroke={1.75} aria-hidden />
      </UnstyledButton>
    </th>
  );
}

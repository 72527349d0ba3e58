import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Environment } from "../../shared/api/types.ts";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { type Columns, defaultColumns } from "./columns.ts";

/**
 * The columns of the table that the user has chosen, or else the default ones. The set keeps its
 * identity, so that the rows do not render again.
 */
export function useColumns(
  environments: readonly Pick<Environment, "id" | "production">[],
): Columns {
  const { data } = useQuery(preferencesQuery(useProjectId()));
  const words = (data?.columns ?? defaultColumns(environments)).join(" ");
  return useMemo(() => new Set(words.split(" ").filter((word) => word !== "")), [words]);
}

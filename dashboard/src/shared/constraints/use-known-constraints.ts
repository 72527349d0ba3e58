import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "../api/request.ts";
import type { Constraint, Segment } from "../api/types.ts";
import { defaultEnvironment, environmentsQuery } from "../data/environments.ts";
import { segmentsQuery } from "../data/project-lists.ts";
import { constraintsOf } from "./constraints-of.ts";

/** Values are suggested from the constraints of at most this many flags: one page of the API. */
const MAX_FLAGS = 100;

/** The constraints of the flags of an environment that were changed last. */
const constraintsQuery = (environmentId: number) =>
  read(
    "/api/v1/flags/by-environment",
    { query: { environmentId, sort: "-updatedAt", size: MAX_FLAGS } },
    { select: ({ items }) => items.flatMap(({ strategy }) => constraintsOf(strategy)) },
  );

const NO_CONSTRAINTS: readonly Constraint[] = [];
const NO_SEGMENTS: readonly Segment[] = [];

/**
 * Returns constraints of the project: of its segments, and of its flags in the environment that
 * pages show first. Loads them only while `isNeeded`. The list stays the same until its data change.
 */
export function useKnownConstraints(projectId: number, isNeeded: boolean): readonly Constraint[] {
  const { data: environments = [] } = useQuery({
    ...environmentsQuery(projectId),
    enabled: isNeeded,
  });
  const environmentId = defaultEnvironment(environments)?.id;
  const { data: ofFlags = NO_CONSTRAINTS } = useQuery({
    ...constraintsQuery(environmentId ?? 0),
    enabled: isNeeded && environmentId !== undefined,
  });
  const { data: segments = NO_SEGMENTS } = useQuery({
    ...segmentsQuery(projectId),
    enabled: isNeeded,
  });
  return useMemo(
    () => [...segments.flatMap(({ constraints }) => constraints), ...ofFlags],
    [segments, ofFlags],
  );
}

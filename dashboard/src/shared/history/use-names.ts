import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { answer, everything } from "../api/answer.ts";
import { api } from "../api/client.ts";
import type { AuditRecord } from "../api/types.ts";
import { contextsQuery } from "../data/contexts.ts";
import { environmentsQuery } from "../data/environments.ts";
import { integrationsQuery } from "../data/integrations.ts";
import { projectsQuery } from "../data/projects.ts";
import { segmentsQuery } from "../data/segments.ts";
import { useCan } from "../session/current-session.tsx";

/** How things are called now; records only hold their ids. Undefined: not loaded, or gone. */
export interface Names {
  project: (id: number) => string | undefined;
  environment: (id: number) => string | undefined;
  segment: (id: number) => string | undefined;
  context: (id: number) => string | undefined;
  flag: (id: number) => string | undefined;
  integration: (id: number) => string | undefined;
  user: (id: number) => string | undefined;
  /** What one of the records says, of whatever has no name elsewhere. */
  recorded: (entityType: string, id: number) => string | undefined;
}

interface Named {
  id: number;
  name: string;
}

const flagQuery = (id: number) =>
  queryOptions({
    queryKey: ["flags", "named", id],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/flags/{id}", { params: { path: { id } }, signal })),
    select: ({ name }): Named[] => [{ id, name }],
    staleTime: 60_000,
  });

/** For administrators. */
export const peopleQuery = queryOptions({
  queryKey: ["users", "named"],
  queryFn: ({ signal }) =>
    everything((query) => api.GET("/api/v1/users", { params: { query }, signal })),
  staleTime: 60_000,
});

/** Asks for what these records speak of, and for nothing else. */
export function useNames(records: readonly AuditRecord[]): Names {
  const { data: projects = [] } = useQuery(projectsQuery);
  const projectsOf = (isAbout: (record: AuditRecord) => boolean): number[] => {
    const ids = new Set(records.filter(isAbout).map(({ projectId }) => projectId));
    return projects.flatMap(({ id }) => (ids.has(id) ? id : []));
  };
  const isOf = (type: string) => (record: AuditRecord) => record.entityType === type;
  const deleted = new Set(
    records.filter(({ action }) => action === "flag.deleted").map(({ entityId }) => entityId),
  );
  const flagIds = new Set(
    records
      .filter(isOf("flag"))
      .flatMap(({ entityId }) => (entityId === null || deleted.has(entityId) ? [] : entityId)),
  );
  const environments = useQueries({
    queries: projectsOf(({ environmentId }) => environmentId !== null).map(environmentsQuery),
    combine: namesOf,
  });
  const segments = useQueries({
    queries: projectsOf(
      ({ action, entityType }) => action === "strategy.updated" || entityType === "segment",
    ).map(segmentsQuery),
    combine: namesOf,
  });
  const contexts = useQueries({
    queries: projectsOf(isOf("context")).map(contextsQuery),
    combine: namesOf,
  });
  const flags = useQueries({ queries: [...flagIds].map(flagQuery), combine: namesOf });
  const integrations = useQueries({
    queries: projectsOf(isOf("integration")).map(integrationsQuery),
    combine: namesOf,
  });
  const mayKnowPeople = useCan("user:read");
  const { data: people = [] } = useQuery({
    ...peopleQuery,
    enabled: mayKnowPeople && records.some(isOf("user")),
  });
  const lookUp = (names: ReadonlyMap<number, string>) => (id: number) => names.get(id);
  return {
    project: lookUp(new Map(projects.map(({ id, name }) => [id, name]))),
    environment: lookUp(environments),
    segment: lookUp(segments),
    context: lookUp(contexts),
    flag: lookUp(flags),
    integration: lookUp(integrations),
    user: lookUp(new Map(people.map(({ id, email }) => [id, email]))),
    recorded: (entityType, id) =>
      records
        .filter((record) => record.entityType === entityType && record.entityId === id)
        .map(nameInRecord)
        .find((name) => name !== undefined),
  };
}

export const nameInRecord = ({ before, after }: AuditRecord): string | undefined =>
  nameIn(after) ?? nameIn(before);

function nameIn(content: unknown): string | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { name, email, contextKey, value } = content as Readonly<Record<string, unknown>>;
  if (typeof contextKey === "string" && typeof value === "string") return `${contextKey}: ${value}`;
  return [email, name].find((text): text is string => typeof text === "string" && text !== "");
}

const namesOf = (lists: readonly { data: readonly Named[] | undefined }[]) =>
  new Map(lists.flatMap(({ data = [] }) => data.map(({ id, name }) => [id, name] as const)));

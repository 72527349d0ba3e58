import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { hasStatus } from "../api/api-error.ts";
import { api } from "../api/client.ts";
import type { AuditRecord } from "../api/types.ts";
import { apiKeysQuery } from "../data/api-keys.ts";
import { contextsQuery } from "../data/contexts.ts";
import { environmentsQuery } from "../data/environments.ts";
import { integrationsQuery } from "../data/integrations.ts";
import { projectsQuery } from "../data/projects.ts";
import { segmentsQuery } from "../data/segments.ts";
import { tagsQuery } from "../data/tags.ts";
import { peopleQuery, usersQuery } from "../data/users.ts";
import { useCan } from "../session/current-session.tsx";

/**
 * Functions that return the current name of an item by its id, because audit records refer to items
 * by id. The name of a user is the email. A function returns undefined for a deleted item, while
 * the names load, and if the signed-in user may not read the name.
 */
export interface ItemNames {
  project: (id: number) => string | undefined;
  environment: (id: number) => string | undefined;
  segment: (id: number) => string | undefined;
  context: (id: number) => string | undefined;
  flag: (id: number) => string | undefined;
  integration: (id: number) => string | undefined;
  tag: (id: number) => string | undefined;
  contextValue: (id: number) => string | undefined;
  apiKey: (id: number) => string | undefined;
  user: (id: number) => string | undefined;
  owner: (id: number) => string | undefined;
  /**
   * Looks up the name of an item in the loaded audit records. If they do not contain the name of a
   * deleted flag, the name comes from the flag's last audit record.
   */
  recorded: (entityType: string, id: number) => string | undefined;
}

interface Named {
  id: number;
  name: string;
}

const flagQuery = (id: number, projectId: number | null) =>
  queryOptions({
    queryKey: ["flags", "named", id],
    queryFn: async ({ signal }) => {
      try {
        const path = { id };
        const { name } = await dataOf(api.GET("/api/v1/flags/{id}", { params: { path }, signal }));
        return [{ id, name, isDeleted: false }];
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        // The flag has been deleted. Take the flag's name from its last audit record.
        const about = { entityType: "flag", entityId: id, size: 1 };
        const query = projectId === null ? about : { ...about, projectId };
        const { items } = await dataOf(api.GET("/api/v1/audit", { params: { query }, signal }));
        const name = items[0] && nameInRecord(items[0]);
        return name === undefined ? [] : [{ id, name, isDeleted: true }];
      }
    },
    staleTime: 60_000,
  });

/** The query (React Query) for a known value of a context. The name of a value is its text. */
const valueQuery = (id: number) =>
  queryOptions({
    queryKey: ["contexts", "value", id],
    queryFn: async ({ signal }) => {
      try {
        const path = { valueId: id };
        const found = api.GET("/api/v1/contexts/values/{valueId}", { params: { path }, signal });
        return [{ id, name: (await dataOf(found)).value }];
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        return [];
      }
    },
    staleTime: 60_000,
  });

/**
 * The query (React Query) for all users. The result stays fresh for one minute, because names
 * rarely change. The API permits the query only to administrators.
 */
export const userNamesQuery = { ...usersQuery, staleTime: 60_000 };

/** Loads the names of the items to which the given audit records refer. */
export function useItemNames(records: readonly AuditRecord[]): ItemNames {
  const { data: projects = [] } = useQuery(projectsQuery);
  const projectsOf = (isAbout: (record: AuditRecord) => boolean): number[] => {
    const ids = new Set(records.filter(isAbout).map(({ projectId }) => projectId));
    return projects.flatMap(({ id }) => (ids.has(id) ? id : []));
  };
  const isOf = (type: string) => (record: AuditRecord) => record.entityType === type;
  const deleted = new Set(
    records.filter(({ action }) => action === "flag.deleted").map(({ entityId }) => entityId),
  );
  const projectOfFlag = new Map(
    records
      .filter(isOf("flag"))
      .flatMap(({ entityId, projectId }) =>
        entityId === null || deleted.has(entityId) ? [] : [[entityId, projectId] as const],
      ),
  );
  const environments = useQueries({
    queries: projectsOf(({ environmentId }) => environmentId !== null).map(environmentsQuery),
    combine: namesOf,
  });
  const segments = useQueries({
    queries: projectsOf(
      ({ action, entityType }) => action.startsWith("strategy.") || entityType === "segment",
    ).map(segmentsQuery),
    combine: namesOf,
  });
  const contexts = useQueries({
    queries: projectsOf(isOf("context")).map(contextsQuery),
    combine: namesOf,
  });
  const flags = useQueries({
    queries: [...projectOfFlag].map(([id, projectId]) => flagQuery(id, projectId)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const deletedFlags = namesOf([{ data: flags.filter(({ isDeleted }) => isDeleted) }]);
  const integrations = useQueries({
    queries: projectsOf(isOf("integration")).map(integrationsQuery),
    combine: namesOf,
  });
  const tags = useQueries({
    queries: projectsOf(isOf("tag")).map(tagsQuery),
    combine: namesOf,
  });
  // Only the audit record of an update does not contain the value that identifies it.
  const updatedValues = records.filter(({ action }) => action === "context-value.updated");
  const values = useQueries({
    queries: [...new Set(updatedValues.map(({ entityId }) => entityId ?? 0))].map(valueQuery),
    combine: namesOf,
  });
  const apiKeys = useQueries({
    queries: projectsOf(isOf("api-key")).map(apiKeysQuery),
    combine: namesOf,
  });
  const { data: owners = [] } = useQuery({ ...peopleQuery, enabled: records.some(hasOwners) });
  const mayKnowPeople = useCan("user:read");
  const { data: people = [] } = useQuery({
    ...userNamesQuery,
    enabled: mayKnowPeople && records.some(isOf("user")),
  });
  const lookUp = (names: ReadonlyMap<number, string>) => (id: number) => names.get(id);
  return {
    project: lookUp(new Map(projects.map(({ id, name }) => [id, name]))),
    environment: lookUp(environments),
    segment: lookUp(segments),
    context: lookUp(contexts),
    flag: lookUp(namesOf([{ data: flags.filter(({ isDeleted }) => !isDeleted) }])),
    integration: lookUp(integrations),
    tag: lookUp(tags),
    contextValue: lookUp(values),
    apiKey: lookUp(apiKeys),
    owner: lookUp(namesOf([{ data: owners }])),
    user: lookUp(new Map(people.map(({ id, email }) => [id, email]))),
    recorded: (entityType, id) =>
      records
        .filter((record) => record.entityType === entityType && record.entityId === id)
        .map(nameInRecord)
        .find((name) => name !== undefined) ??
      (entityType === "flag" ? deletedFlags.get(id) : undefined),
  };
}

/** Whether the record of a flag names owners. */
const hasOwners = ({ before, after }: AuditRecord): boolean =>
  [before, after].some(
    (content) => typeof content === "object" && content !== null && "ownerIds" in content,
  );

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

import { readAll } from "../api/request.ts";

export const tagsQuery = (projectId: number) => readAll("/api/v1/tags", { query: { projectId } });

export const segmentsQuery = (projectId: number) =>
  readAll("/api/v1/segments", { query: { projectId } });

export const contextsQuery = (projectId: number) =>
  readAll("/api/v1/contexts", { query: { projectId } });

export const contextValuesQuery = (definitionId: number) =>
  readAll("/api/v1/contexts/{definitionId}/values", { path: { definitionId } });

/** The API keys of all environments of a project, without the secrets. */
export const apiKeysQuery = (projectId: number) =>
  readAll("/api/v1/api-keys", { query: { projectId } });

export const integrationsQuery = (projectId: number) =>
  readAll("/api/v1/integrations", { query: { projectId } });

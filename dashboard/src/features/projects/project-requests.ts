import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import type { Project } from "../../shared/api/types.ts";

/** Loads a project with its entity tag, because the response body does not contain the version. */
export interface EditedProject {
  readonly project: Project;
  readonly etag: string | null;
}

export const editedProjectQuery = (id: number) =>
  queryOptions({
    queryKey: ["projects", id, "edited"],
    queryFn: ({ signal }) =>
      withEtag(api.GET("/api/v1/projects/{id}", { params: { path: { id } }, signal })),
  });

/** Throws: ApiError 409 if the name is in use, 412 if the project has changed meanwhile. */
export const updateProject = ({ project: { id }, etag }: EditedProject, body: SettingsFields) =>
  withEtag(
    api.PUT("/api/v1/projects/{id}", {
      params: { path: { id }, header: { ...(etag !== null && { "If-Match": etag }) } },
      body: {
        ...toBody(body),
        staleDays: Number(body.staleDays),
        visibility: body.visibility,
      },
    }),
  );

async function withEtag(
  call: Promise<{ data?: Project; response: Response }>,
): Promise<EditedProject> {
  const { data, response } = await call;
  return { project: data as Project, etag: response.headers.get("ETag") };
}

export type ProjectFields = {
  name: string;
  description: string;
  newFlagClients: Project["newFlagClients"];
};

export type SettingsFields = ProjectFields & {
  /** The number in an input. A string while the user has typed only a part of it. */
  staleDays: number | string;
  visibility: Project["visibility"];
};

export const toBody = ({ name, description, newFlagClients }: ProjectFields) => ({
  name,
  newFlagClients,
  description: description.trim() === "" ? null : description,
});

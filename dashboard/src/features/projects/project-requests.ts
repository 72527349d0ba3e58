import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import type { Project } from "../../shared/api/types.ts";

/** A project with its entity tag. The body has no version; the `ETag` header has. */
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

/** Throws: ApiError 412 when the project has changed since it was loaded. */
export const updateProject = ({ project: { id }, etag }: EditedProject, body: ProjectFields) =>
  withEtag(
    api.PUT("/api/v1/projects/{id}", {
      params: { path: { id }, header: { ...(etag !== null && { "If-Match": etag }) } },
      body: toBody(body),
    }),
  );

async function withEtag(
  call: Promise<{ data?: Project; response: Response }>,
): Promise<EditedProject> {
  const { data, response } = await call;
  return { project: data as Project, etag: response.headers.get("ETag") };
}

/** Values of the form. */
export type ProjectFields = {
  name: string;
  description: string;
};

export const toBody = ({ name, description }: ProjectFields) => ({
  name,
  description: description.trim() === "" ? null : description,
});

import { request } from "../../shared/api/request.ts";

export interface Project {
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
}

export function listProjects(signal: AbortSignal): Promise<Project[]> {
  return request<Project[]>("/projects", { signal });
}

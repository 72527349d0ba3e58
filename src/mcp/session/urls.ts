import type { AgentSession } from "./session.ts";

/** The URLs in results, which the agent gives to people. */

interface InProject {
  readonly id: number;
  readonly projectId: number;
}

const projectUrl = ({ publicUrl }: AgentSession, projectId: number): string =>
  `${publicUrl.replace(/\/$/, "")}/projects/${projectId}`;

export const flagUrl = (session: AgentSession, { id, projectId }: InProject): string =>
  `${projectUrl(session, projectId)}/flags/${id}`;

export const changeRequestUrl = (session: AgentSession, { id, projectId }: InProject): string =>
  `${projectUrl(session, projectId)}/change-requests/${id}`;

/** The URL of the API that says how many SDK instances have the newest revision of an environment. */
export const propagationUrl = ({ publicUrl }: AgentSession, environmentId: number): string =>
  `${publicUrl.replace(/\/$/, "")}/api/v1/environments/${environmentId}/propagation`;

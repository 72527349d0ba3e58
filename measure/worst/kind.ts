import type { Session } from "../../scripts/lib/api.ts";

/** A request whose effect on another project is measured. */
export interface Sent {
  readonly name: string;
  readonly method?: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly token: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A project with one environment and its SERVER key. */
export interface World {
  readonly projectId: number;
  readonly environmentId: number;
  readonly key: string;
}

export interface Kind {
  readonly name: string;
  readonly create: (session: Session, world: World) => Promise<readonly Sent[]>;
}

export interface Flag {
  readonly id: number;
}

export const times = <T>(count: number, item: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => item(n));

export async function newProject(session: Session, name: string): Promise<World> {
  const { id: projectId } = await session.post<{ id: number }>("/projects", { name });
  const { id: environmentId } = await session.post<{ id: number }>("/environments", {
    name: "production",
    projectId,
  });
  const { apiKey } = await session.post<{ apiKey: string }>("/api-keys", {
    name: "SDK",
    environmentId,
    keyType: "SERVER",
  });
  return { projectId, environmentId, key: apiKey };
}

export const newFlag = (
  session: Session,
  { projectId }: World,
  key: string,
  content: object = {},
) => session.post<Flag>("/flags", { projectId, key, name: key, flagType: "RELEASE", ...content });

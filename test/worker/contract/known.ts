import { asAdmin } from "../support/answers.ts";
import { ADMIN } from "../support/people.ts";
import { signedIn } from "../support/sessions.ts";
import {
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  newWorld,
  unique,
} from "../support/world.ts";
import type { Known } from "./routes.ts";

/** One of everything, and one of everything to delete. */
export async function everything(): Promise<Known & { token: string; apiKey: string }> {
  const { projectId, environmentId, keyId, apiKey } = await newWorld();
  const flag = await newFlag(projectId);
  const segment = await newSegment(projectId, []);
  const { token } = await signedIn("ADMIN");
  // Of another session: selecting a project uses up the refresh token of its own.
  const { refreshToken } = await signedIn("ADMIN");
  return {
    projectId,
    environmentId,
    keyId,
    apiKey,
    flagId: flag.id,
    segmentId: segment.id,
    doomed: await doomed(projectId, environmentId),
    login: ADMIN,
    token,
    refreshToken,
    unique: unique("known"),
  };
}

async function doomed(projectId: number, environmentId: number): Promise<Known["doomed"]> {
  const flag = await newFlag(projectId);
  await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
  return {
    projectId: (await newProject()).id,
    environmentId: (await newEnvironment(projectId)).id,
    flagId: flag.id,
    segmentId: (await newSegment(projectId, [])).id,
    keyId: (await newKey(environmentId)).id,
  };
}

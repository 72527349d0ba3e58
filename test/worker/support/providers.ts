import type { Json } from "./client.ts";
import { asAdmin } from "./outcomes.ts";
import { unique } from "./world.ts";

/** Adds an identity provider with a slug of its own. */
export async function newProvider(fields: object = {}): Promise<Json> {
  const slug = unique("idp").toLowerCase();
  const body = { slug, name: "Provider", type: "oidc", clientId: "client", ...fields };
  const answer = await asAdmin("POST", "/api/v1/settings/identity-providers", body);
  if (answer.status !== 201) throw new Error(`provider: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

import { request, type Schemas } from "./api.ts";
import type { Page } from "./test.ts";
import type { World } from "./world.ts";

/** Evaluates all flags of the API key's environment through the client API. */
export const evaluate = async (key: Schemas["CreatedApiKey"], context: object) =>
  (
    await request<Schemas["Evaluations"]>("POST", "/api/client/evaluate", {
      token: key.apiKey,
      body: { context },
    })
  ).evaluations;

/** Returns the path of the playground with an evaluation context. */
export const playgroundPath = ({ project }: World, context: object = {}): string =>
  `/projects/${project.id}/playground?context=${encodeURIComponent(JSON.stringify(context))}`;

/** The part of the playground that shows the results of the evaluation. */
export const verdicts = (page: Page) => page.getByRole("region", { name: "Results" });

/** The button that expands the result of the flag with this key, whose name is `The <key>`. */
export const row = (page: Page, key: string) =>
  verdicts(page).getByRole("button", { name: new RegExp(`^(On|Off) The ${key} `) });

import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { shell } from "./shell.ts";
import { session } from "./session.ts";
import { account } from "./account.ts";
import { flags } from "./flags.ts";
import { flag } from "./flag.ts";
import { variants } from "./variants.ts";
import { prerequisites } from "./prerequisites.ts";
import { strategy } from "./strategy.ts";
import { says } from "./says.ts";
import { rules } from "./rules.ts";
import { constraints } from "./constraints.ts";
import { json } from "./json.ts";
import { history } from "./history.ts";
import { insights } from "./insights.ts";
import { playground } from "./playground.ts";
import { start } from "./start.ts";
import { segments } from "./segments.ts";
import { contexts } from "./contexts.ts";
import { tags } from "./tags.ts";
import { costs } from "./costs.ts";
import { environments } from "./environments.ts";
import { projects } from "./projects.ts";
import { apiKeys } from "./apiKeys.ts";
import { integrations } from "./integrations.ts";
import { users } from "./users.ts";
import { settings } from "./settings.ts";

/** All English texts of the dashboard, grouped by feature. */
export const messages = {
  common,
  errors,
  shell,
  session,
  account,
  flags,
  flag,
  variants,
  prerequisites,
  strategy,
  says,
  rules,
  constraints,
  json,
  history,
  insights,
  playground,
  start,
  segments,
  contexts,
  tags,
  costs,
  environments,
  projects,
  apiKeys,
  integrations,
  users,
  settings,
};

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

export type Messages = { [N in keyof typeof messages]: Texts<(typeof messages)[N]> };

import { flagForms } from "./flagForms.ts";
import { savedFilters } from "./savedFilters.ts";
import { bulk } from "./bulk.ts";
import { clone } from "./clone.ts";
import { variants } from "./variants.ts";
import { json } from "./json.ts";
import { owners } from "./owners.ts";
import { account } from "./account.ts";
import { comparison } from "./comparison.ts";
import { flag } from "./flag.ts";
import { flagPage } from "./flagPage.ts";
import { prerequisites } from "./prerequisites.ts";
import { strategy } from "./strategy.ts";
import { says } from "./says.ts";
import { rules } from "./rules.ts";
import { constraints } from "./constraints.ts";
import { history } from "./history.ts";
import { revert } from "./revert.ts";
import { insights } from "./insights.ts";
import { playground } from "./playground.ts";
import { start } from "./start.ts";
import { segments } from "./segments.ts";
import { contexts } from "./contexts.ts";
import { tags } from "./tags.ts";
import { environments } from "./environments.ts";
import { projects } from "./projects.ts";
import { apiKeys } from "./apiKeys.ts";
import { integrations } from "./integrations.ts";
import { users } from "./users.ts";
import { settings } from "./settings.ts";

/** The German texts of the code that loads when it is needed: other pages, menus and dialogs. */
export const pages = {
  flagForms,
  savedFilters,
  bulk,
  clone,
  variants,
  json,
  owners,
  account,
  comparison,
  flag,
  flagPage,
  prerequisites,
  strategy,
  says,
  rules,
  constraints,
  history,
  revert,
  insights,
  playground,
  start,
  segments,
  contexts,
  tags,
  environments,
  projects,
  apiKeys,
  integrations,
  users,
  settings,
};

import { account } from "./account.ts";
import { session } from "./session.ts";
import { variants } from "./variants.ts";
import { bulk } from "./bulk.ts";
import { columns } from "./columns.ts";
import { recentFlags } from "./recentFlags.ts";
import { savedFilters } from "./savedFilters.ts";
import { clone } from "./clone.ts";
import { comparison } from "./comparison.ts";
import { flag } from "./flag.ts";
import { flagForms } from "./flagForms.ts";
import { flagPage } from "./flagPage.ts";
import { prerequisites } from "./prerequisites.ts";
import { strategy } from "./strategy.ts";
import { says } from "./says.ts";
import { rules } from "./rules.ts";
import { constraints } from "./constraints.ts";
import { json } from "./json.ts";
import { history } from "./history.ts";
import { revert } from "./revert.ts";
import { owners } from "./owners.ts";
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

/** The German texts of the other pages, of menus and of dialogs. */
export const pages = {
  account,
  session,
  variants,
  bulk,
  savedFilters,
  recentFlags,
  clone,
  comparison,
  columns,
  flag,
  flagForms,
  flagPage,
  prerequisites,
  strategy,
  says,
  rules,
  constraints,
  json,
  history,
  revert,
  owners,
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

import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { validateApiKeysSearch } from "../features/api-keys/search-params.ts";
import { validateAuditSearch } from "../features/audit/search-params.ts";
import { validateAuthorizeSearch } from "../features/authorize/search-params.ts";
import { validateChangeRequestsSearch } from "../features/change-requests/search-params.ts";
import { validateComparisonSearch } from "../features/comparison/search-params.ts";
import { validateContextsSearch } from "../features/contexts/search-params.ts";
import { validateDeviceSearch } from "../features/device/search-params.ts";
import { validateFlagSearch } from "../features/flag-page/search-params.ts";
import { FlagsPage } from "../features/flag-list/FlagsPage.tsx";
import { flagsQuery } from "../features/flag-list/flags-query.ts";
import { type FlagsSearch, validateFlagsSearch } from "../features/flag-list/search-params.ts";
import { validateInsightsSearch } from "../features/insights/search-params.ts";
import {
  validateIntegrationSearch,
  validateIntegrationsSearch,
} from "../features/integrations/search-params.ts";
import { validatePlaygroundSearch } from "../features/playground/search-params.ts";
import { environmentsQuery } from "../shared/data/environments.ts";
import { preferencesQuery } from "../shared/data/preferences.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { lastProjectId } from "../shared/data/last-project.ts";
import { storeFlagsSearch } from "../shared/flags/last-flags-search.ts";
import { lazyPage } from "../shared/lazy.ts";
import { validateSignOnSearch } from "../features/settings/search-params.ts";
import { validateUsersSearch } from "../features/users/search-params.ts";
import { validateUsesSearch } from "../shared/list/uses-filter.ts";
import { validateProviderOutcome } from "../shared/session/provider-outcome.ts";
import { validateListSearch } from "../shared/list/list-search-params.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { PageError, PageNotFound } from "./PageError.tsx";
import { PageSkeleton } from "./PageSkeleton.tsx";
import { ProjectLayout } from "./ProjectLayout.tsx";
import { Shell } from "./Shell.tsx";

interface RouterContext {
  queryClient: QueryClient;
}

/** For a path parameter that is an id. Any other value renders the "not found" page. */
const idParam = <Name extends string>(name: Name) => ({
  params: {
    parse: (params: Record<Name, string>) =>
      ({ [name]: Number(params[name]) }) as Record<Name, number>,
    stringify: (params: Record<Name, number>) =>
      ({ [name]: String(params[name]) }) as Record<Name, string>,
  },
  beforeLoad: ({ params }: { params: Record<Name, number> }) => {
    if (!Number.isSafeInteger(params[name]) || params[name] < 1) throw notFound();
  },
});

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  errorComponent: LoadFailed,
});

/** Returns the id of the only project. Undefined if there are several, or none. */
async function onlyProjectId(queryClient: QueryClient): Promise<number | undefined> {
  const projects = await queryClient.ensureQueryData(projectsQuery).catch(() => []);
  return projects.length === 1 ? projects[0]?.id : undefined;
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async ({ context: { queryClient } }) => {
    const projectId = lastProjectId() ?? (await onlyProjectId(queryClient));
    if (projectId === undefined) throw redirect({ to: "/projects" });
    throw redirect({ to: "/projects/$projectId/flags", params: { projectId } });
  },
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  validateSearch: validateListSearch,
  component: lazyPage(() => import("../features/projects/ProjectsPage.tsx"), "ProjectsPage"),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/projects/$projectId",
  ...idParam("projectId"),
  component: ProjectLayout,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/projects/$projectId/flags", params });
  },
});

const start = createRoute({
  getParentRoute: () => project,
  path: "/start",
  component: lazyPage(() => import("../features/start/StartPage.tsx"), "StartPage"),
});

/** Stores the search, so that the flag page links back to the list with its filters. */
const rememberFlagsSearch = ({
  params,
  search,
}: {
  params: { projectId: number };
  search: FlagsSearch;
}) => storeFlagsSearch(params.projectId, search);

const flags = createRoute({
  getParentRoute: () => project,
  path: "/flags",
  validateSearch: validateFlagsSearch,
  // The loader starts when the user opens the page or points at a link to the page. It prefetches
  // the flags, the environments and the preferences while the browser downloads the code of the page.
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { projectId }, deps }) => {
    void queryClient.prefetchQuery(flagsQuery(projectId, deps));
    void queryClient.prefetchQuery(environmentsQuery(projectId));
    void queryClient.prefetchQuery(preferencesQuery(projectId));
  },
  onEnter: rememberFlagsSearch,
  onStay: rememberFlagsSearch,
  component: FlagsPage,
});

const flag = createRoute({
  getParentRoute: () => project,
  path: "/flags/$flagId",
  ...idParam("flagId"),
  validateSearch: validateFlagSearch,
  component: lazyPage(() => import("../features/flag-page/FlagPage.tsx"), "FlagPage"),
});

const playground = createRoute({
  getParentRoute: () => project,
  path: "/playground",
  validateSearch: validatePlaygroundSearch,
  component: lazyPage(() => import("../features/playground/PlaygroundPage.tsx"), "PlaygroundPage"),
});

const changeRequests = createRoute({
  getParentRoute: () => project,
  path: "/change-requests",
  validateSearch: validateChangeRequestsSearch,
  component: lazyPage(
    () => import("../features/change-requests/ChangeRequestsPage.tsx"),
    "ChangeRequestsPage",
  ),
});

const changeRequest = createRoute({
  getParentRoute: () => project,
  path: "/change-requests/$requestId",
  ...idParam("requestId"),
  component: lazyPage(
    () => import("../features/change-requests/ChangeRequestPage.tsx"),
    "ChangeRequestPage",
  ),
});

const schedule = createRoute({
  getParentRoute: () => project,
  path: "/schedule",
  validateSearch: validateListSearch,
  component: lazyPage(() => import("../features/schedule/SchedulePage.tsx"), "SchedulePage"),
});

const segments = createRoute({
  getParentRoute: () => project,
  path: "/segments",
  validateSearch: validateUsesSearch,
  component: lazyPage(() => import("../features/segments/SegmentsPage.tsx"), "SegmentsPage"),
});

const segment = createRoute({
  getParentRoute: () => project,
  path: "/segments/$segmentId",
  ...idParam("segmentId"),
  component: lazyPage(() => import("../features/segments/SegmentPage.tsx"), "SegmentPage"),
});

const contexts = createRoute({
  getParentRoute: () => project,
  path: "/contexts",
  validateSearch: validateContextsSearch,
  component: lazyPage(() => import("../features/contexts/ContextsPage.tsx"), "ContextsPage"),
});

const context = createRoute({
  getParentRoute: () => project,
  path: "/contexts/$contextId",
  ...idParam("contextId"),
  validateSearch: validateListSearch,
  component: lazyPage(() => import("../features/contexts/ContextPage.tsx"), "ContextPage"),
});

const tags = createRoute({
  getParentRoute: () => project,
  path: "/tags",
  validateSearch: validateUsesSearch,
  component: lazyPage(() => import("../features/tags/TagsPage.tsx"), "TagsPage"),
});

const environments = createRoute({
  getParentRoute: () => project,
  path: "/environments",
  component: lazyPage(
    () => import("../features/environments/EnvironmentsPage.tsx"),
    "EnvironmentsPage",
  ),
});

const environmentComparison = createRoute({
  getParentRoute: () => project,
  path: "/environments/compare",
  validateSearch: validateComparisonSearch,
  component: lazyPage(() => import("../features/comparison/ComparisonPage.tsx"), "ComparisonPage"),
});

const apiKeys = createRoute({
  getParentRoute: () => project,
  path: "/api-keys",
  validateSearch: validateApiKeysSearch,
  component: lazyPage(() => import("../features/api-keys/ApiKeysPage.tsx"), "ApiKeysPage"),
});

const integrations = createRoute({
  getParentRoute: () => project,
  path: "/integrations",
  validateSearch: validateIntegrationsSearch,
  component: lazyPage(
    () => import("../features/integrations/IntegrationsPage.tsx"),
    "IntegrationsPage",
  ),
});

const integration = createRoute({
  getParentRoute: () => project,
  path: "/integrations/$integrationId",
  ...idParam("integrationId"),
  validateSearch: validateIntegrationSearch,
  component: lazyPage(
    () => import("../features/integrations/IntegrationPage.tsx"),
    "IntegrationPage",
  ),
});

const projectExport = createRoute({
  getParentRoute: () => project,
  path: "/export",
  component: lazyPage(() => import("../features/files/ExportPage.tsx"), "ExportPage"),
});

const insights = createRoute({
  getParentRoute: () => project,
  path: "/insights",
  validateSearch: validateInsightsSearch,
  component: lazyPage(() => import("../features/insights/InsightsPage.tsx"), "InsightsPage"),
});

const projectSettings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  component: lazyPage(
    () => import("../features/projects/ProjectSettingsPage.tsx"),
    "ProjectSettingsPage",
  ),
});

const projectAudit = createRoute({
  getParentRoute: () => project,
  path: "/audit",
  validateSearch: validateAuditSearch,
  component: lazyPage(() => import("../features/audit/AuditPage.tsx"), "AuditPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: validateAuditSearch,
  component: lazyPage(() => import("../features/audit/AuditPage.tsx"), "AuditPage"),
});

const users = createRoute({
  getParentRoute: () => root,
  path: "/users",
  validateSearch: validateUsersSearch,
  component: lazyPage(() => import("../features/users/UsersPage.tsx"), "UsersPage"),
});

const serviceAccounts = createRoute({
  getParentRoute: () => root,
  path: "/service-accounts",
  validateSearch: validateListSearch,
  component: lazyPage(
    () => import("../features/service-accounts/ServiceAccountsPage.tsx"),
    "ServiceAccountsPage",
  ),
});

const serviceAccount = createRoute({
  getParentRoute: () => root,
  path: "/service-accounts/$serviceAccountId",
  ...idParam("serviceAccountId"),
  validateSearch: validateProviderOutcome,
  component: lazyPage(
    () => import("../features/service-accounts/ServiceAccountPage.tsx"),
    "ServiceAccountPage",
  ),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyPage(() => import("../features/settings/SettingsPage.tsx"), "SettingsPage"),
});

const signOn = createRoute({
  getParentRoute: () => root,
  path: "/settings/sign-on",
  validateSearch: validateSignOnSearch,
  component: lazyPage(() => import("../features/settings/SignOnPage.tsx"), "SignOnPage"),
});

const profile = createRoute({
  getParentRoute: () => root,
  path: "/profile",
  validateSearch: validateProviderOutcome,
  component: lazyPage(() => import("../features/account/ProfilePage.tsx"), "ProfilePage"),
});

const device = createRoute({
  getParentRoute: () => root,
  path: "/device",
  validateSearch: validateDeviceSearch,
  component: lazyPage(() => import("../features/device/DevicePage.tsx"), "DevicePage"),
});

const authorize = createRoute({
  getParentRoute: () => root,
  path: "/authorize",
  validateSearch: validateAuthorizeSearch,
  component: lazyPage(() => import("../features/authorize/AuthorizePage.tsx"), "AuthorizePage"),
});

const routeTree = root.addChildren([
  home,
  projects,
  project.addChildren([
    projectHome,
    start,
    flags,
    flag,
    changeRequests,
    changeRequest,
    schedule,
    playground,
    segments,
    segment,
    contexts,
    context,
    tags,
    environments,
    environmentComparison,
    apiKeys,
    integrations,
    integration,
    projectExport,
    insights,
    projectSettings,
    projectAudit,
  ]),
  audit,
  users,
  serviceAccounts,
  serviceAccount,
  settings,
  signOn,
  profile,
  device,
  authorize,
]);

/** The id of `<main>`, which scrolls. Before sign-in, the document scrolls. */
const CONTENT = "content";

/** How long the previous page stays while the next one loads, before a placeholder shows. */
const PENDING_MS = 150;

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
    scrollToTopSelectors: [`#${CONTENT}`],
  });
  // Before the router leaves a page, it stores the scroll position only if it has received a scroll
  // event. The browser sends that event with the next frame, which may be after the click.
  router.subscribe("onBeforeNavigate", () => {
    for (const scrolled of [document, document.querySelector(`#${CONTENT}`)])
      scrolled?.dispatchEvent(new Event("scroll"));
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

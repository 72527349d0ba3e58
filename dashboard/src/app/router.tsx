import { Skeleton, Stack } from "@mantine/core";
import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { validateAuditSearch } from "../features/audit/search-params.ts";
import { validateAuthorizeSearch } from "../features/authorize/search-params.ts";
import { validateDeviceSearch } from "../features/device/search-params.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { lastProjectId } from "../shared/data/last-project.ts";
import { lazyPage } from "../shared/lazy.ts";
import { validateSignOnSearch } from "../features/settings/search-params.ts";
import { validateUsersSearch } from "../features/users/search-params.ts";
import { validateProviderOutcome } from "../shared/session/provider-outcome.ts";
import { validateListSearch } from "../shared/list/list-search-params.ts";
import { Loading } from "../shared/ui/QueryView.tsx";
import { PageError, PageNotFound } from "./PageError.tsx";
import { projectRoutes } from "./project-routes.ts";
import { idParam, root } from "./root-route.ts";

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

const security = createRoute({
  getParentRoute: () => root,
  path: "/profile/security",
  validateSearch: validateProviderOutcome,
  component: lazyPage(() => import("../features/account/SecurityPage.tsx"), "SecurityPage"),
});

const ownTokens = createRoute({
  getParentRoute: () => root,
  path: "/profile/tokens",
  validateSearch: validateProviderOutcome,
  component: lazyPage(() => import("../features/account/OwnTokensPage.tsx"), "OwnTokensPage"),
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
  projectRoutes,
  audit,
  users,
  serviceAccounts,
  serviceAccount,
  settings,
  signOn,
  profile,
  security,
  ownTokens,
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

/** The placeholder of a page while its code loads. */
function PageSkeleton() {
  return (
    <Loading>
      <Stack>
        <Skeleton height={28} width="14rem" mb="lg" />
        <Skeleton height={36} />
        <Skeleton height={320} radius="md" />
      </Stack>
    </Loading>
  );
}

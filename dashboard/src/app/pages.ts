/**
 * The code of every page except the list of flags, by the path of its route with `$` for an id. The
 * router loads the code when the user opens the page; `preload.ts` starts to load the first page.
 */
export const PAGES = {
  "/projects": () => import("../features/projects/ProjectsPage.tsx"),
  "/projects/$/start": () => import("../features/start/StartPage.tsx"),
  "/projects/$/flags/$": () => import("../features/flag-page/FlagPage.tsx"),
  "/projects/$/playground": () => import("../features/playground/PlaygroundPage.tsx"),
  "/projects/$/segments": () => import("../features/segments/SegmentsPage.tsx"),
  "/projects/$/segments/$": () => import("../features/segments/SegmentPage.tsx"),
  "/projects/$/contexts": () => import("../features/contexts/ContextsPage.tsx"),
  "/projects/$/contexts/$": () => import("../features/contexts/ContextPage.tsx"),
  "/projects/$/tags": () => import("../features/tags/TagsPage.tsx"),
  "/projects/$/environments": () => import("../features/environments/EnvironmentsPage.tsx"),
  "/projects/$/environments/compare": () => import("../features/comparison/ComparisonPage.tsx"),
  "/projects/$/api-keys": () => import("../features/api-keys/ApiKeysPage.tsx"),
  "/projects/$/integrations": () => import("../features/integrations/IntegrationsPage.tsx"),
  "/projects/$/integrations/$": () => import("../features/integrations/IntegrationPage.tsx"),
  "/projects/$/insights": () => import("../features/insights/InsightsPage.tsx"),
  "/projects/$/settings": () => import("../features/projects/ProjectSettingsPage.tsx"),
  "/projects/$/audit": () => import("../features/audit/AuditPage.tsx"),
  "/audit": () => import("../features/audit/AuditPage.tsx"),
  "/users": () => import("../features/users/UsersPage.tsx"),
  "/settings": () => import("../features/settings/SettingsPage.tsx"),
  "/profile": () => import("../features/account/ProfilePage.tsx"),
} as const;

import { useDebouncedValue } from "@mantine/hooks";
import {
  IconGitPullRequest,
  IconKey,
  IconServer2,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../shared/api/client.ts";
import { dataOf } from "../shared/api/response.ts";
import type { Environment } from "../shared/api/types.ts";
import { openRequestsQuery } from "../shared/change-requests/queries.ts";
import { environmentsQuery } from "../shared/data/environments.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCan } from "../shared/session/current-session.tsx";
import { useCurrentProjectId } from "./navigation-pages.ts";
import type { PaletteGroup, PaletteItem } from "./palette-item.ts";
import { searchedWord, searchWords } from "./palette-search.ts";
import { DEBOUNCE_MS } from "./use-found-flags.ts";

/** The palette shows at most this many items of each of these lists. */
const MAX_OF_LIST = 5;

/** The service returns at most this many items with the searched word, from which all words choose. */
const CANDIDATES = 20;

/**
 * Finds segments and API keys of the current project, or of all without one, environments and open change
 * requests of the current project and, for those who may read them, users. The name of a list is one of the words of each of its items, as in
 * "segment eu". An empty query finds nothing and sends no request.
 */
export function useFoundItems(query: string): readonly PaletteGroup[] {
  const { t } = useTranslation();
  const isTyped = query.trim() !== "";
  const lists = [
    { name: t("shell.segments"), targets: useSegments(query) },
    { name: t("shell.environments"), targets: useEnvironments(isTyped) },
    { name: t("shell.apiKeys"), targets: useApiKeys(query, isTyped) },
    { name: t("shell.changeRequests"), targets: useChangeRequests(isTyped) },
    { name: t("shell.users"), targets: useUsers(query) },
  ];
  if (!isTyped) return [];
  return lists.map(({ name, targets }) => {
    const textOf = ({ label, description }: PaletteItem) => [name, label, description].join(" ");
    return { name, targets: searchWords(targets, query, textOf).slice(0, MAX_OF_LIST) };
  });
}

function useSegments(query: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const found = useFirstOfList(query, t("shell.segments"), projectId ?? "all", (page, signal) =>
    api.GET("/api/v1/segments", { params: { query: page }, signal }),
  );
  return found.map(({ id, projectId: ownProject, name }) => ({
    id: `segment-${id}`,
    label: name,
    Icon: IconUsersGroup,
    open: () =>
      navigate({
        to: "/projects/$projectId/segments/$segmentId",
        params: { projectId: ownProject, segmentId: id },
      }),
  }));
}

function useApiKeys(query: string, isTyped: boolean): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const environments = useEnvironmentsOfProject(isTyped);
  const found = useFirstOfList(query, t("shell.apiKeys"), projectId ?? "all", (page, signal) =>
    api.GET("/api/v1/api-keys", { params: { query: page }, signal }),
  );
  return found.map(({ id, projectId: ownProject, environmentId, name, preview }) => ({
    id: `api-key-${id}`,
    label: name,
    description: [environments.find((one) => one.id === environmentId)?.name, `… ${preview}`].join(
      " ",
    ),
    Icon: IconKey,
    open: () =>
      navigate({
        to: "/projects/$projectId/api-keys",
        params: { projectId: ownProject },
        search: { search: name },
      }),
  }));
}

/** The users, for those who may read them. A user opens in the list of users. */
function useUsers(query: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRead = useCan("user:read");
  const found = useFirstOfList(
    query,
    t("shell.users"),
    mayRead ? "all" : undefined,
    (page, signal) => api.GET("/api/v1/users", { params: { query: page }, signal }),
  );
  return found.map(({ id, name, email }) => ({
    id: `user-${id}`,
    label: name,
    description: email,
    Icon: IconUser,
    open: () => navigate({ to: "/users", search: { search: email } }),
  }));
}

interface FirstPage {
  readonly page: number;
  readonly size: number;
  readonly projectId?: number;
  readonly search?: string;
}

/**
 * Returns the first items of a list that contain the searched word of the query. `of` is the project of
 * the list, or "all" for a list of the organisation. Sends no request without `of`.
 */
function useFirstOfList<T>(
  query: string,
  list: string,
  of: number | "all" | undefined,
  request: (query: FirstPage, signal: AbortSignal) => Promise<{ data?: T[]; response: Response }>,
): readonly T[] {
  const [typed] = useDebouncedValue(query.trim(), DEBOUNCE_MS);
  const search = searchedWord(typed, list);
  const { data } = useQuery({
    queryKey: ["command-palette", list, of, search],
    queryFn: ({ signal }) =>
      dataOf(
        request(
          {
            page: 0,
            size: CANDIDATES,
            ...(typeof of === "number" && { projectId: of }),
            ...(search !== undefined && { search }),
          },
          signal,
        ),
      ),
    placeholderData: keepPreviousData,
    enabled: of !== undefined && typed !== "",
  });
  return data ?? [];
}

function useEnvironmentsOfProject(isTyped: boolean): readonly Environment[] {
  const projectId = useCurrentProjectId();
  const enabled = isTyped && projectId !== undefined;
  const { data = [] } = useQuery({ ...environmentsQuery(projectId ?? 0), enabled });
  return data;
}

function useEnvironments(isTyped: boolean): readonly PaletteItem[] {
  const navigate = useNavigate();
  return useEnvironmentsOfProject(isTyped).map(({ id, name, projectId: ownProject }) => ({
    id: `environment-${id}`,
    label: name,
    Icon: IconServer2,
    open: () =>
      navigate({ to: "/projects/$projectId/environments", params: { projectId: ownProject } }),
  }));
}

function useChangeRequests(isTyped: boolean): readonly PaletteItem[] {
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const enabled = isTyped && projectId !== undefined;
  const { data } = useQuery({ ...openRequestsQuery(projectId ?? 0), enabled });
  return (data?.items ?? []).map(({ id, projectId: ownProject, title }) => ({
    id: `request-${id}`,
    label: title,
    description: `#${id}`,
    Icon: IconGitPullRequest,
    open: () =>
      navigate({
        to: "/projects/$projectId/change-requests/$requestId",
        params: { projectId: ownProject, requestId: id },
      }),
  }));
}

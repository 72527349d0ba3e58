import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { Flag } from "../api/types.ts";

const PAGE_SIZE = 50;

const FILTERS = {
  review: { toReview: true },
  mine: { mine: true },
  open: { state: "open" },
  all: {},
} as const;

/** Which change requests a list has: those that the user can review, those of the user, the open ones, or all. */
export type Listed = keyof typeof FILTERS;

/** One page of the change requests of a project, the newest first. The first page is 1. */
export const changeRequestsQuery = (projectId: number, listed: Listed, page = 1) =>
  queryOptions({
    queryKey: ["change-requests", projectId, listed, page],
    queryFn: ({ signal }) => {
      const query = {
        projectId,
        ...FILTERS[listed],
        status: true,
        page: page - 1,
        size: PAGE_SIZE,
      };
      return dataOf(api.GET("/api/v1/change-requests", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** How many change requests of a project the user can review. */
export const reviewCountQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["change-requests", projectId, "review count"],
    queryFn: async ({ signal }) => {
      const query = { projectId, ...FILTERS.review, size: 1 };
      const call = api.GET("/api/v1/change-requests", { params: { query }, signal });
      return (await dataOf(call)).totalItems;
    },
  });

/** How many open change requests of a flag its page shows. */
const OF_FLAG = 10;

/** The newest open change requests that change a flag, with what they do to it. */
export const requestsOfFlagQuery = ({ id: flagId, projectId }: Pick<Flag, "id" | "projectId">) =>
  queryOptions({
    queryKey: ["change-requests", projectId, "of flag", flagId],
    queryFn: ({ signal }) => {
      const query = { projectId, flagId, state: "open" as const, status: true, size: OF_FLAG };
      return dataOf(api.GET("/api/v1/change-requests", { params: { query }, signal }));
    },
  });

/** The most open change requests of a project. */
const MAX_OPEN = 100;

/** All open change requests of a project, the newest first. */
export const openRequestsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["change-requests", projectId, "all open"],
    queryFn: ({ signal }) => {
      const query = { projectId, state: "open" as const, size: MAX_OPEN };
      return dataOf(api.GET("/api/v1/change-requests", { params: { query }, signal }));
    },
  });

/** Throws: ApiError 404 if the request does not exist. */
export const changeRequestQuery = (id: number) =>
  queryOptions({
    queryKey: ["change-requests", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/change-requests/{id}", { params: { path: { id } }, signal })),
  });

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Tab } from "./search-params.ts";

const PAGE_SIZE = 50;

const FILTERS = {
  review: { toReview: true },
  open: { state: "open" },
  all: {},
} as const satisfies Record<Tab, object>;

/** One page of the change requests of a project, the newest first. The first page is 1. */
export const changeRequestsQuery = (projectId: number, tab: Tab, page = 1) =>
  queryOptions({
    queryKey: ["change-requests", projectId, tab, page],
    queryFn: ({ signal }) => {
      const query = { projectId, ...FILTERS[tab], page: page - 1, size: PAGE_SIZE };
      return dataOf(api.GET("/api/v1/change-requests", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** Throws: ApiError 404 if the request does not exist. */
export const changeRequestQuery = (id: number) =>
  queryOptions({
    queryKey: ["change-requests", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/change-requests/{id}", { params: { path: { id } }, signal })),
  });

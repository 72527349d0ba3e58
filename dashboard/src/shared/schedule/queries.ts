import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";

const PAGE_SIZE = 50;

interface Planned {
  projectId: number;
  /** The first page is 1. */
  page?: number;
}

/** One page of what the service will change at a time, in the order of time. */
export const scheduleQuery = ({ projectId, page = 1 }: Planned) =>
  queryOptions({
    queryKey: ["schedule", projectId, page],
    queryFn: ({ signal }) => {
      const query = { projectId, page: page - 1, size: PAGE_SIZE };
      return dataOf(api.GET("/api/v1/schedule", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** The ramps of a flag that can go on. */
export const activeRampsQuery = (flagId: number) =>
  queryOptions({
    queryKey: ["ramps", flagId],
    queryFn: ({ signal }) => {
      const query = { flagId, state: "active" as const };
      return dataOf(api.GET("/api/v1/ramps", { params: { query }, signal }));
    },
  });

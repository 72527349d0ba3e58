import { keepPreviousData } from "@tanstack/react-query";
import { read } from "../api/request.ts";
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
  read(
    "/api/v1/change-requests",
    { query: { projectId, ...FILTERS[listed], status: true, page: page - 1, size: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  );

/** The most reviewers of a change request. The API rejects more. */
export const MAX_REVIEWERS = 10;

/** What a change request needs of its reviewers. */
export interface Candidates {
  projectId: number;
  /** The environments that require approvals. */
  environmentIds: readonly number[];
  /** Undefined for a request that the user will open. */
  requestId?: number;
}

/** The people who may be asked to review a change request, sorted by name. */
export const candidatesQuery = ({ projectId, environmentIds, requestId }: Candidates) =>
  read("/api/v1/change-requests/reviewers", {
    query: {
      projectId,
      ...(environmentIds.length > 0 && { environmentIds: environmentIds.join(",") }),
      ...(requestId !== undefined && { requestId }),
    },
  });

/** How many change requests of a project the user can review. */
export const reviewCountQuery = (projectId: number) =>
  read(
    "/api/v1/change-requests",
    { query: { projectId, ...FILTERS.review, size: 1 } },
    { select: ({ totalItems }) => totalItems },
  );

/** How many open change requests of a flag its page shows. */
const OF_FLAG = 10;

/** The newest open change requests that change a flag, with what they do to it. */
export const requestsOfFlagQuery = ({ id: flagId, projectId }: Pick<Flag, "id" | "projectId">) =>
  read("/api/v1/change-requests", {
    query: { projectId, flagId, state: "open", status: true, size: OF_FLAG },
  });

/** The most open change requests of a project. */
const MAX_OPEN = 100;

/** All open change requests of a project, the newest first. */
export const openRequestsQuery = (projectId: number) =>
  read("/api/v1/change-requests", { query: { projectId, state: "open", size: MAX_OPEN } });

/** Throws: ApiError 404 if the request does not exist. */
export const changeRequestQuery = (id: number) =>
  read("/api/v1/change-requests/{id}", { path: { id } });

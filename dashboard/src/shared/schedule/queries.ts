import { keepPreviousData } from "@tanstack/react-query";
import { read } from "../api/request.ts";

const PAGE_SIZE = 50;

interface Planned {
  projectId: number;
  /** The first page is 1. */
  page?: number;
}

/** One page of what the service will change at a time, in the order of time. */
export const scheduleQuery = ({ projectId, page = 1 }: Planned) =>
  read(
    "/api/v1/schedule",
    { query: { projectId, page: page - 1, size: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  );

/** The ramps of a flag that can go on. */
export const activeRampsQuery = (flagId: number) =>
  read("/api/v1/ramps", { query: { flagId, state: "active" } });

import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf, etag, fetchAllPages } from "../../shared/api/response.ts";
import type { Schemas, ServiceAccount } from "../../shared/api/types.ts";

/** The service accounts that the signed-in user may manage. */
export const serviceAccountsQuery = queryOptions({
  queryKey: ["service-accounts"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/service-accounts", { params: { query }, signal })),
});

/** Throws: ApiError 404 if the service account does not exist. */
export const serviceAccountQuery = (id: number) =>
  queryOptions({
    queryKey: ["service-accounts", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/service-accounts/{id}", { params: { path: { id } }, signal })),
  });

/** Throws: ApiError 402 if there are too many service accounts. */
export const createServiceAccount = (body: Schemas["CreateServiceAccount"]) =>
  dataOf(api.POST("/api/v1/service-accounts", { body }));

const paramsOf = ({ id, version }: ServiceAccount) => ({
  path: { id },
  header: { "If-Match": etag(version) },
});

/** Throws: ApiError 412 if somebody has changed the service account meanwhile. */
export const updateServiceAccount = (
  account: ServiceAccount,
  body: Schemas["UpdateServiceAccount"],
) => dataOf(api.PUT("/api/v1/service-accounts/{id}", { params: paramsOf(account), body }));

/** Throws: ApiError 404 if the service account was deleted, 412 as `updateServiceAccount`. */
export const deleteServiceAccount = (account: ServiceAccount) =>
  api.DELETE("/api/v1/service-accounts/{id}", { params: paramsOf(account) });

import { read, readAll, send } from "../../shared/api/request.ts";
import type { Schemas, ServiceAccount } from "../../shared/api/types.ts";

/** The service accounts that the signed-in user may manage. */
export const serviceAccountsQuery = readAll("/api/v1/service-accounts");

/** Throws: ApiError 404 if the service account does not exist. */
export const serviceAccountQuery = (id: number) =>
  read("/api/v1/service-accounts/{id}", { path: { id } });

/** Throws: ApiError 402 if there are too many service accounts. */
export const createServiceAccount = (body: Schemas["CreateServiceAccount"]) =>
  send("post", "/api/v1/service-accounts", { body });

const target = ({ id, version }: ServiceAccount) => ({ path: { id }, ifMatch: version });

/** Throws: ApiError 412 if somebody has changed the service account meanwhile. */
export const updateServiceAccount = (
  account: ServiceAccount,
  body: Schemas["UpdateServiceAccount"],
) => send("put", "/api/v1/service-accounts/{id}", { ...target(account), body });

/** Throws: ApiError 404 if the service account was deleted, 412 as `updateServiceAccount`. */
export const deleteServiceAccount = (account: ServiceAccount) =>
  send("delete", "/api/v1/service-accounts/{id}", target(account));

import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type DeviceLogin = Schemas["DeviceLogin"];

/** Throws: ApiError 404 for an unknown, used or expired code, 429 after too many of them. */
export const findDeviceLogin = (userCode: string) =>
  dataOf(api.POST("/api/v1/auth/device/lookup", { body: { userCode } }));

/** Throws: ApiError 400 for a wrong password, 402 if the user has too many tokens, 404 as above. */
export const approveDeviceLogin = (body: Schemas["ApproveDeviceLogin"]) =>
  dataOf(api.POST("/api/v1/auth/device/approve", { body }));

/** Throws: ApiError 404 as above. */
export const denyDeviceLogin = (userCode: string) =>
  dataOf(api.POST("/api/v1/auth/device/deny", { body: { userCode } }));

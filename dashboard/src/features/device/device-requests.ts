import { send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type DeviceLogin = Schemas["DeviceLogin"];

/** Throws: ApiError 404 for an unknown, used or expired code, 429 after too many of them. */
export const findDeviceLogin = (userCode: string) =>
  send("post", "/api/v1/auth/device/lookup", { body: { userCode } });

/** Throws: ApiError 400 for a wrong password, 402 if the user has too many tokens, 404 as above. */
export const approveDeviceLogin = (body: Schemas["ApproveDeviceLogin"]) =>
  send("post", "/api/v1/auth/device/approve", { body });

/** Throws: ApiError 404 as above. */
export const denyDeviceLogin = (userCode: string) =>
  send("post", "/api/v1/auth/device/deny", { body: { userCode } });

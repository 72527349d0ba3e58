import { z } from "@hono/zod-openapi";
import { parseUserCode } from "../../core/credentials/user-code.ts";
import { iso, name, timestamp } from "../../http/schema.ts";
import { currentPassword, EXAMPLE_PASSWORD } from "../auth/schema.ts";
import { tokenRights } from "../tokens/schema.ts";
import type { DeviceLoginRow } from "../../model/device-logins/queries.ts";

const EXAMPLE_CODE = "WDJB-MJHT";
const EXAMPLE_DEVICE_CODE = "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS3A";

export const beginRequest = z
  .object({
    clientName: name.default("Device").openapi({
      description: "What asks, which the user sees. The token will have this name",
    }),
  })
  .openapi("BeginDeviceLogin", { example: { clientName: "flags on build-7" } });

export const beginResponse = z
  .object({
    deviceCode: z.string().openapi({ description: "The secret with which the device polls" }),
    userCode: z.string().openapi({ description: "The code that the device shows to the user" }),
    verificationUri: z
      .string()
      .openapi({ description: "The page on which the user enters the code" }),
    verificationUriComplete: z.string().openapi({ description: "The same page, with the code" }),
    expiresIn: z.int().openapi({ description: "After how many seconds the codes expire" }),
    interval: z.int().openapi({
      description: "How many seconds the device waits before each poll; 5 more after `SLOW_DOWN`",
    }),
  })
  .openapi("DeviceLoginStart", {
    example: {
      deviceCode: EXAMPLE_DEVICE_CODE,
      userCode: EXAMPLE_CODE,
      verificationUri: "https://flags.example.com/device",
      verificationUriComplete: `https://flags.example.com/device?code=${EXAMPLE_CODE}`,
      expiresIn: 900,
      interval: 5,
    },
  });

export const takeTokenRequest = z
  .object({ deviceCode: z.string().min(1, "must not be empty").max(200) })
  .openapi("TakeDeviceToken", { example: { deviceCode: EXAMPLE_DEVICE_CODE } });

const userCode = z
  .string()
  .max(40)
  .transform((text, check) => {
    const code = parseUserCode(text);
    if (code !== undefined) return code;
    check.addIssue(`must be a code of 8 letters without vowels, such as ${EXAMPLE_CODE}`);
    return z.NEVER;
  })
  .openapi({ type: "string", description: "Small letters, spaces and a missing dash do no harm" });

export const userCodeRequest = z
  .object({ userCode })
  .openapi("UserCode", { example: { userCode: EXAMPLE_CODE } });

export const approveRequest = z
  .object({
    userCode,
    ...tokenRights,
    scopes: tokenRights.scopes.default(["read", "write"]),
    currentPassword: currentPassword.optional(),
  })
  .openapi("ApproveDeviceLogin", {
    example: { userCode: EXAMPLE_CODE, scopes: ["read"], currentPassword: EXAMPLE_PASSWORD },
  });

export const deviceLoginResponse = z
  .object({
    clientName: z.string().openapi({ description: "What asks, as it calls itself" }),
    ip: z.string().nullable().openapi({ description: "The address of the device" }),
    userAgent: z.string().nullable(),
    status: z.enum(["waiting", "approved", "denied"]),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .openapi("DeviceLogin", {
    example: {
      clientName: "flags on build-7",
      ip: "192.0.2.7",
      userAgent: "flags/0.2.0",
      status: "waiting",
      createdAt: "2026-01-02T03:04:05.678Z",
      expiresAt: "2026-01-02T03:19:05.678Z",
    },
  });

export const toDeviceLogin = (row: DeviceLoginRow): z.infer<typeof deviceLoginResponse> => ({
  clientName: row.clientName,
  ip: row.ip,
  userAgent: row.userAgent,
  status: row.decision ?? "waiting",
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
});

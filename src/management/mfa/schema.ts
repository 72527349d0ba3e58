import { z } from "@hono/zod-openapi";
import { timestamp } from "../../http/schema.ts";
import { deviceToken } from "../auth/session-schema.ts";
import { currentPassword, EXAMPLE_PASSWORD } from "../auth/schema.ts";

const code = z
  .string()
  .min(1)
  .max(64)
  .openapi({ description: "A code from the authenticator app, or a recovery code" });

export const enrolRequest = z
  .object({ currentPassword: currentPassword.optional() })
  .openapi("MfaEnrol", { example: { currentPassword: EXAMPLE_PASSWORD } });

export const activateRequest = z
  .object({ code: code.openapi({ description: "A code from the authenticator app" }) })
  .openapi("MfaCode", { example: { code: "492039" } });

export const confirmedRequest = z
  .object({ currentPassword: currentPassword.optional(), code })
  .openapi("MfaConfirmation", {
    example: { currentPassword: EXAMPLE_PASSWORD, code: "492039" },
  });

export const verifyRequest = z
  .object({ mfaToken: z.string().min(1).max(2048), code, deviceToken })
  .openapi("VerifyMfa", {
    example: {
      mfaToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmVkIGJ5IG5vYm9keQ",
      code: "492039",
    },
  });

export const mfaStatusResponse = z
  .object({
    enabled: z.boolean().openapi({ description: "Whether an authenticator app is turned on" }),
    recoveryCodesLeft: z.int(),
    mfaEnrollmentDeadline: timestamp.nullable().openapi({
      description:
        "Without a second factor, the user can only use the own account from this time on; " +
        "`null` if the user has one, which may be a passkey, or none is required",
    }),
  })
  .openapi("MfaStatus", {
    example: { enabled: true, recoveryCodesLeft: 10, mfaEnrollmentDeadline: null },
  });

export const enrolmentResponse = z
  .object({ secret: z.string(), otpauthUrl: z.string() })
  .openapi("MfaEnrolment", {
    example: {
      secret: "JBSWY3DPEHPK3PXP",
      otpauthUrl:
        "otpauth://totp/Feature%20Flags:ann%40example.com?issuer=Feature%20Flags&secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
    },
  });

export const recoveryCodesResponse = z
  .object({ recoveryCodes: z.array(z.string()) })
  .openapi("RecoveryCodes", { example: { recoveryCodes: ["k7wq-m2xd-qf3t", "3vha-p2nc-z6re"] } });
